// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/results/report.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/child.h"
#include "tb/sare/process/process.h"
#include "tlm/config/value.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace sare::cli {
namespace {

std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

/// Calls scripts/report, which writes a file and prints nothing. Returns "", or why it has failed.
std::string call_report(const std::vector<std::string>& arguments) {
    return call_script("report", arguments).problem;
}

}  // namespace

script_result call_script(const std::string& name, const std::vector<std::string>& arguments) {
    const std::string program = scripts_folder() / name;
    std::vector<std::string> line{program};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const child_result done = run_child(std::move(line));
    if (done.not_started != 0)
        return {"", fmt::format("{}: {}; SARE_SCRIPTS names its folder", program,
                                std::strerror(done.not_started))};
    if (done.status == 0) return {done.out, ""};
    const std::string& said = done.err;
    if (said.find("ModuleNotFoundError") != std::string::npos)
        return {"", "python lacks a module; install python3-matplotlib and python3-jinja2"};
    const std::string last = last_line(said);
    if (last.rfind(name + ": ", 0) == 0) return {"", last.substr(name.size() + 2)};
    return {"", last.empty() ? program + " failed" : last};
}

std::filesystem::path scripts_folder() {
    const char* other = std::getenv("SARE_SCRIPTS");
    if (other != nullptr && *other != '\0') return other;
    std::error_code none;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
    const auto installed = program.parent_path().parent_path() / "share/sare/scripts";
    return std::filesystem::exists(installed, none) ? installed : SARE_SCRIPTS_DIR;
}

std::string write_report(const std::filesystem::path& directory) {
    return call_report({directory.string()});
}

bool warn_of_no_page(const std::string& problem) {
    warn("no report.html: " + problem);
    for (const int reason : {ENOSPC, EDQUOT, EFBIG, EIO})
        if (problem.find(std::strerror(reason)) != std::string::npos) return true;
    return false;
}

std::filesystem::path write_page(const std::filesystem::path& directory, int& status) {
    const std::string problem = write_report(directory);
    if (problem.empty()) return directory / "report.html";
    if (warn_of_no_page(problem) && status == exit_status::good) status = exit_status::failure;
    return directory;
}

std::string draw_network(const std::filesystem::path& directory, const std::filesystem::path& file) {
    return call_report({"--network", file.string(), directory.string()});
}

std::string draw_trace(const std::filesystem::path& data, const std::filesystem::path& file) {
    return call_report({"--trace", file.string(), data.string()});
}

namespace {

int make_report(const std::string& directory, const std::vector<std::string>& responses) {
    std::error_code none;
    if (std::filesystem::exists(directory, none) && !std::filesystem::is_directory(directory, none))
        throw config::error(directory +
                            ": a file, and no directory of results; 'sare run' and 'sare sweep' write those");
    std::vector<std::string> line{directory};
    for (const std::string& column : responses) line.push_back("--response=" + column);
    const std::string problem = call_report(line);
    if (!problem.empty()) throw config::error(problem);
    fmt::print("{}\n", (std::filesystem::path(directory) / "report.html").string());
    return exit_status::good;
}

}  // namespace

void add_report(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("report", "Write report.html of a result directory anew");
    auto directory = std::make_shared<std::string>();
    command->add_option("DIR", *directory, "Directory written by 'sare run' or 'sare sweep'")->required();
    auto responses = std::make_shared<std::vector<std::string>>();
    command->add_repeated("--response", *responses, "COLUMN",
                          "Column of sweep.csv that effects and the Pareto front are of, such as "
                          "latency_p99; may be given again");
    command->callback([&chosen, directory, responses] {
        chosen = [directory, responses] { return make_report(*directory, *responses); };
    });
}

}  // namespace sare::cli
