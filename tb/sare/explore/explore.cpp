// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/scheduler.h"
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/run/plugins.h"
#include "tb/sare/runs/store_options.h"
#include "tb/sare/usage.h"
#include "tlm/config/value.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

/// A search over designs, by the Python package, which replaces this process.
namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Returns the folder of the package: beside the program, in a build tree or an installation.
fs::path package_folder(const fs::path& program) {
    if (const char* named = std::getenv("SARE_PYTHON")) return fs::path(named).parent_path();
    const fs::path folder = program.parent_path();
    for (const fs::path& place : {folder / "python", folder / "../lib/python3/dist-packages"}) {
        std::error_code ignored;
        if (fs::exists(place / "sare/search.py", ignored)) return place.lexically_normal();
    }
    throw config::error(
        "explore needs the package for Python, which was not built; install pybind11-dev and python3-dev, "
        "and build again");
}

/// Runs Python and does not return: signals and the terminal become Python's.
int explore(const std::vector<std::string>& arguments) {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    const char* others = std::getenv("PYTHONPATH");
    const std::string path =
        package_folder(program).string() + (others != nullptr ? ":" + std::string(others) : "");
    setenv("PYTHONPATH", path.c_str(), 1);
    setenv("SARE_PROGRAM", program.c_str(), 0);
    std::vector<std::string> line{"/usr/bin/python3", "-m", "sare", "explore"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    std::vector<char*> words;
    for (std::string& word : line) words.push_back(word.data());
    words.push_back(nullptr);
    std::signal(SIGPIPE, SIG_DFL);
    execv(words[0], words.data());
    throw config::error(fmt::format("{}: {}", line[0], std::strerror(errno)));
}

/// An option that is passed on to `sare sweep`, which has it, too.
struct cluster_word {
    const char *name, *type, *sentence;
};
constexpr cluster_word cluster_words[] = {
    {"--partition", "NAME", "Partition of the jobs"},
    {"--time", "TIME", "Limit of time of a job, as the scheduler writes it (2:00:00)"},
    {"--account", "NAME", "Account that the jobs are charged to"},
    {"--poll", "SECONDS", "Between two questions to the scheduler, at most (default: 10)"}};

struct explore_options {
    std::string file, out, runs, jobs, seed, sampler, on;
    store_options store;
    std::array<std::string, std::size(cluster_words)> cluster;
    std::vector<std::string> submit, sets, plugins;
    progress_options progress;

    std::vector<std::string> line() const {
        std::vector<std::string> all{file};
        const auto add = [&](const char* name, const std::string& value) {
            if (!value.empty()) all.insert(all.end(), {name, value});
        };
        add("--out", out);
        add("--runs", runs);
        add("--jobs", jobs);
        add("--seed", seed);
        add("--sampler", sampler);
        add("--store", store.file);
        add("--on", on);
        for (std::size_t i = 0; i < cluster.size(); ++i) add(cluster_words[i].name, cluster[i]);
        for (const std::string& word : sets) all.push_back("--set=" + word);
        for (const std::string& word : plugins) all.push_back("--plugin=" + word);
        for (const std::string& word : submit) all.push_back("--submit-option=" + word);
        if (store.none) all.emplace_back("--no-store");
        if (store.again) all.emplace_back("--again");
        if (progress.quiet) all.emplace_back("--quiet");
        if (progress.lines_to >= 0) add("--progress-fd", std::to_string(progress.lines_to));
        return all;
    }
};

void add_cluster(command_parser& command, explore_options& options) {
    std::vector<std::string> places = scheduler_names();
    places.insert(places.begin(), "local");
    command
        .add_option("--on", options.on, "PLACE", "Where designs run: local (default), or as jobs of slurm")
        ->check(one_of(places));
    for (std::size_t i = 0; i < options.cluster.size(); ++i)
        command
            .add_option(cluster_words[i].name, options.cluster[i], cluster_words[i].type,
                        cluster_words[i].sentence)
            ->group("On a cluster");
    command
        .add_repeated("--submit-option", options.submit, "OPTION",
                      "Option of sbatch, passed on as it is (--submit-option=--mem=4G); may be given again")
        ->group("On a cluster");
}

}  // namespace

void add_explore(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("explore", "Search for the best designs, with few runs");
    auto options = std::make_shared<explore_options>();
    command->add_option("FILE", options->file, "Experiment with a section 'explore' (YAML)")->required();
    command->add_repeated(
        "--set", options->sets, "PATH=VALUE",
        "Set a parameter of every design: a dotted path and a value in YAML; may be given again");
    add_plugin_option(*command, options->plugins);
    command
        ->add_option("--out", options->out, "DIR", "Directory for the results; a search begun there goes on")
        ->required();
    command->add_count("--runs", options->runs, 1, 1000000,
                       "Designs to try in all (default: runs of the section, else 60)");
    command->add_jobs(options->jobs, "Processes at work, or jobs of a cluster (default: 1)");
    command->add_count("--seed", options->seed, 0, 4294967295,
                       "Of the search; that of the runs is the experiment's (default: 1)");
    command
        ->add_option("--sampler", options->sampler, "What proposes designs: tpe (default), nsga2 or random")
        ->check(one_of({"tpe", "nsga2", "random"}));
    options->store.add_to(*command);
    add_cluster(*command, *options);
    options->progress.add_to(*command);
    command->footer(
        "Examples:\n"
        "  sare explore router.yaml --runs 60 -j 2 --out out/router\n"
        "  sare explore router.yaml --runs 90 -j 2 --out out/router   (goes on)");
    command->callback([&chosen, options] {
        options->store.place();  // a contradiction, or a mistake in the user's configuration
        chosen = [options] { return explore(options->line()); };
    });
}

}  // namespace sare::cli
