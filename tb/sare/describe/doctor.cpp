// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/child.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/report.h"
#include "tlm/config/value.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <systemc>

/// Compares this machine with the table of packages that scripts/setup installs.
namespace sare::cli {
namespace {

struct package {
    std::string name, tier, need, probe, purpose;
};

/// Returns the packages of scripts/packages.txt that can be looked for; others are linked into the program.
std::vector<package> packages() {
    const std::filesystem::path file = scripts_folder() / "packages.txt";
    std::ifstream in(file);
    if (!in) throw config::error(file.string() + ": cannot be read; SARE_SCRIPTS names its folder");
    std::vector<package> all;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        package p;
        if (line.rfind('#', 0) != 0 && words >> p.name >> p.tier >> p.need >> p.probe && p.probe != "-") {
            std::getline(words >> std::ws, p.purpose);
            all.push_back(p);
        }
    }
    return all;
}

bool is_here(const package& p) {
    constexpr std::string_view python = "python3:";
    if (p.probe.rfind(python, 0) == 0)
        return run_child({"/usr/bin/python3", "-c", "import " + p.probe.substr(python.size())}).status == 0;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code none;
        if (std::filesystem::exists(std::filesystem::path(folder) / p.probe, none)) return true;
    }
    return false;
}

int examine() {
    fmt::print("sare {}, {}\nparts: {}\n\n", version(), sc_core::sc_version(), SARE_BUILT_PARTS);
    const std::vector<package> all = packages();
    std::size_t width = 0;
    for (const package& p : all) width = std::max(width, p.purpose.size());
    std::string missing;
    bool runs = true;
    for (const package& p : all) {
        const bool here = is_here(p);
        fmt::print("{:<{}}  {:<19} {}\n", p.purpose, width, p.probe,
                   here ? in_colour("there", colour::green)
                        : in_colour("missing", colour::red) + ": package " + p.name);
        if (here) continue;
        missing += " " + p.name;
        runs = runs && p.tier != "run";
    }
    if (missing.empty())
        fmt::print("\nNothing is missing.\n");
    else
        fmt::print("\n{}\n",
                   wrapped("To install what is missing: apt-get install" + missing, terminal_width(), 2));
    return runs ? exit_status::good : exit_status::failure;
}

}  // namespace

void add_doctor(command_parser& app, action& chosen) {
    auto* command =
        app.add_subcommand("doctor", "Look for what the program and its parts need on this machine");
    command->footer("Status 1 where something is missing that runs and their reports need.");
    command->callback([&chosen] { chosen = examine; });
}

}  // namespace sare::cli
