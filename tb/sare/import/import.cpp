// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/import/booksim.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>

#include <filesystem>

/// Writes experiments of other simulators as ours.
namespace sare::cli {
namespace {

struct import_options {
    std::string file, out;
    std::vector<std::string> overrides;
    bool overwrite = false;
};

void refuse_existing(const std::filesystem::path& file, bool overwrite) {
    if (!overwrite && std::filesystem::exists(file))
        throw config::error(fmt::format(
            "{}: exists already; choose another --out or replace it with --overwrite", file.string()));
}

/// Writes the edge list beside the experiment, which names it.
void write_edges(const import_options& options, imported_experiment& e) {
    if (options.out.empty())
        throw usage_error(
            "import booksim: an edge list belongs to this network; --out FILE.yaml writes FILE.graph beside "
            "it");
    const std::filesystem::path file = std::filesystem::path(options.out).replace_extension(".graph");
    refuse_existing(file, options.overwrite);
    write_file(file, e.edges);
    e.tree.set_path("network.file", config::value::scalar(file.filename().string()));
}

int import_of_booksim(const import_options& options) {
    booksim_file file(options.file, options.overrides);
    imported_experiment e = import_booksim(file);
    if (!options.out.empty()) refuse_existing(options.out, options.overwrite);
    if (!e.edges.empty()) write_edges(options, e);
    for (const auto& [at, what] : e.notes) warn(fmt::format("{}: no twin: {}", at.text(), what));
    const std::string text = e.yaml(std::filesystem::path(options.file).filename().string());
    if (options.out.empty())
        show(text);
    else
        write_file(options.out, text);
    return exit_status::good;
}

}  // namespace

void add_import(command_parser& app, action& chosen) {
    auto* all = app.add_subcommand("import", "Write an experiment of another simulator as one of Sare");
    all->require_subcommand(1);
    auto* command = all->add_subcommand("booksim", "Write a configuration of BookSim2 in YAML");
    auto options = std::make_shared<import_options>();
    command->add_option("FILE", options->file, "Configuration of BookSim2")->required();
    command->add_option("SETTING", options->overrides, "KEY=VALUE, set over the file as BookSim2 takes it")
        ->check([](const std::string& word) {
            return word.find('=') != std::string::npos
                       ? ""
                       : "must be such as injection_rate=0.2, not '" + word + "'";
        });
    command->add_option("--out", options->out, "FILE", "File to write (default: the terminal)");
    command->add_flag("--overwrite", options->overwrite, "Replace an existing file");
    command->footer(
        "Example:\n"
        "  sare import booksim mesh88_lat injection_rate=0.01 --out mesh.yaml\n"
        "What has no twin here is said, and stands in the YAML as a comment.");
    command->callback([&chosen, options] { chosen = [options] { return import_of_booksim(*options); }; });
}

}  // namespace sare::cli
