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

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// Searches over designs (explore) and over parameters (fit), by the Python package, which replaces this
/// process.
namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Returns the folder of the package: beside the program, in a build tree or an installation.
fs::path package_folder(const fs::path& program, const std::string& command) {
    if (const char* named = std::getenv("SARE_PYTHON")) return fs::path(named).parent_path();
    const fs::path folder = program.parent_path();
    for (const fs::path& place : {folder / "python", folder / "../lib/python3/dist-packages"}) {
        std::error_code ignored;
        if (fs::exists(place / "sare/search.py", ignored)) return place.lexically_normal();
    }
    throw config::error(command +
                        " needs the package for Python, which was not built; install pybind11-dev and "
                        "python3-dev, and build again");
}

/// Runs Python and does not return: signals and the terminal become Python's.
int run_in_python(const std::string& command, const std::vector<std::string>& arguments) {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    const char* others = std::getenv("PYTHONPATH");
    const std::string path =
        package_folder(program, command).string() + (others != nullptr ? ":" + std::string(others) : "");
    setenv("PYTHONPATH", path.c_str(), 1);
    setenv("SARE_PROGRAM", program.c_str(), 0);
    std::vector<std::string> line{"/usr/bin/python3", "-m", "sare", command};
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

struct search_options {
    std::string file;
    std::map<std::string, std::string> words;                  ///< by option; "" if it is not given
    std::map<std::string, std::vector<std::string>> repeated;  ///< by option that may be given again
    store_options store;
    progress_options progress;

    std::vector<std::string> line() const {
        std::vector<std::string> all{file};
        const auto add = [&](const std::string& name, const std::string& value) {
            if (!value.empty()) all.push_back(name + "=" + value);
        };
        for (const auto& [name, value] : words) add(name, value);
        for (const auto& [name, values] : repeated)
            for (const std::string& value : values) add(name, value);
        add("--store", store.file);
        if (store.none) all.emplace_back("--no-store");
        if (store.again) all.emplace_back("--again");
        if (progress.quiet) all.emplace_back("--quiet");
        if (progress.lines_to >= 0) add("--progress-fd", std::to_string(progress.lines_to));
        return all;
    }
};

void add_cluster(command_parser& command, search_options& options) {
    std::vector<std::string> places = scheduler_names();
    places.insert(places.begin(), "local");
    command
        .add_option("--on", options.words["--on"], "PLACE",
                    "Where runs are made: local (default), or as jobs of slurm")
        ->check(one_of(places));
    for (const cluster_word& word : cluster_words)
        command.add_option(word.name, options.words[word.name], word.type, word.sentence)
            ->group("On a cluster");
    command
        .add_repeated("--submit-option", options.repeated["--submit-option"], "OPTION",
                      "Option of sbatch, passed on as it is (--submit-option=--mem=4G); may be given again")
        ->group("On a cluster");
}

/// Words of the help that differ between the searches.
struct search_words {
    const char *name, *summary, *file, *set, *runs, *footer;
};

/// Adds a command with the options that all searches have.
command_parser& add_search(command_parser& app, action& chosen, const search_words& words,
                           const std::shared_ptr<search_options>& options) {
    auto* command = app.add_subcommand(words.name, words.summary);
    command->add_option("FILE", options->file, words.file)->required();
    command->add_repeated("--set", options->repeated["--set"], "PATH=VALUE", words.set);
    add_plugin_option(*command, options->repeated["--plugin"]);
    command
        ->add_option("--out", options->words["--out"], "DIR",
                     "Directory for the results; a search begun there goes on")
        ->required();
    command->add_count("--runs", options->words["--runs"], 1, 1000000, words.runs);
    command->add_jobs(options->words["--jobs"], "Processes at work, or jobs of a cluster (default: 1)");
    command->add_count("--seed", options->words["--seed"], 0, 4294967295,
                       "Of the search; that of the runs is the experiment's (default: 1)");
    options->store.add_to(*command);
    add_cluster(*command, *options);
    options->progress.add_to(*command);
    command->footer(words.footer);
    command->callback([&chosen, options, name = std::string(words.name)] {
        options->store.place();  // a contradiction, or a mistake in the user's configuration
        chosen = [options, name] { return run_in_python(name, options->line()); };
    });
    return *command;
}

}  // namespace

void add_explore(command_parser& app, action& chosen) {
    auto options = std::make_shared<search_options>();
    command_parser& command =
        add_search(app, chosen,
                   {"explore", "Search for the best designs, with few runs",
                    "Experiment with a section 'explore' (YAML)",
                    "Set a parameter of every design: a dotted path and a value in YAML; may be given again",
                    "Designs to try in all (default: runs of the section, else 60)",
                    "Examples:\n"
                    "  sare explore router.yaml --runs 60 -j 2 --out out/router\n"
                    "  sare explore router.yaml --runs 90 -j 2 --out out/router   (goes on)"},
                   options);
    command
        .add_option("--sampler", options->words["--sampler"],
                    "What proposes designs: tpe (default), nsga2 or random")
        ->check(one_of({"tpe", "nsga2", "random"}));
}

void add_fit(command_parser& app, action& chosen) {
    auto options = std::make_shared<search_options>();
    command_parser& command = add_search(
        app, chosen,
        {"fit", "Find parameters that explain measured figures, and which of them the figures tell",
         "Experiment (YAML); its section 'fit' may say what options say",
         "Set a parameter of every setting: a dotted path and a value in YAML; may be given again",
         "Settings to try at most (default: runs of the section, else 600)",
         "Examples:\n"
         "  sare fit mesh.yaml --to measured.csv --parameter router.depth=2:16 -j 2 --out out/fit\n"
         "  sare fit mesh.yaml --to booksim.log --parameter 'routing=dor|o1turn' --error 2% --out out/fit"},
        options);
    command.add_repeated(
        "--to", options->repeated["--to"], "FILE",
        "Measured figures: a table (CSV), or what BookSim2 or Noxim print; FILE@load=0.1 says "
        "what all of it was measured at; may be given again");
    command.add_repeated("--parameter", options->repeated["--parameter"], "PATH=VALUES",
                         "A parameter to fit: 2:16, 0:1:0.05, 1:100:log or a|b; may be given again");
    command.add_option("--error", options->words["--error"], "ERROR",
                       "Standard deviation of figures without one, such as 2% or 1.5 (default: that of the "
                       "residuals)");
    command.add_option("--confidence", options->words["--confidence"], "X",
                       "Confidence of the region of settings that fit (default: 0.999)");
    command.add_count("--seeds", options->words["--seeds"], 1, 1000,
                      "Runs of a setting at a point at most, where one is too noisy (default: 4)");
}

}  // namespace sare::cli
