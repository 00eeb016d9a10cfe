// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/compare.h"
#include "tb/sare/results/result_set.h"
#include "tb/sare/runs/run_store.h"
#include "tb/sare/runs/runs_export.h"
#include "tb/sare/runs/store_options.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace sare::cli {
namespace {

struct runs_options {
    store_options store;
    std::string condition, format = "csv", sort, columns;
    std::vector<std::int64_t> ids;
    std::size_t most = 20;
    bool all = false, config = false;
    compare_request how;
};

std::unique_ptr<run_store> opened(const runs_options& options) {
    const std::string file = options.store.place();
    if (file.empty())
        throw usage_error(
            fmt::format("runs: no store is named; give --store FILE, or write 'store: FILE' into {}",
                        user_configuration_file()));
    return open_store(file, store_use::look);
}

/// Path of the half width of a figure's 95% confidence interval; "" for one that has none.
std::string half_width_path(const std::string& path) {
    return path == "latency.mean" ? "latency.ci95" : path == "load.accepted" ? path + "_ci95" : "";
}

std::string cell(const json& v, const json& half_width) {
    if (v.is_null()) return "-";
    if (!v.is_number_float()) return shown(v);
    return with_error(v.get<double>(), half_width.is_number() ? half_width.get<double>() : NAN);
}

/// Returns the paths of --columns.
std::vector<std::string> asked_columns(run_store& store, const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
        end = text.find(',', begin);
        all.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
        store.check_path(all.back());
    }
    return all;
}

/// Returns the records among `ids` that are shown: the last, or those that --sort puts first.
std::vector<std::int64_t> shown_of(std::vector<std::int64_t> ids, const runs_options& options) {
    if (options.all || ids.size() <= options.most) return ids;
    const auto count = static_cast<std::ptrdiff_t>(options.most);
    return options.sort.empty() ? std::vector<std::int64_t>(ids.end() - count, ids.end())
                                : std::vector<std::int64_t>(ids.begin(), ids.begin() + count);
}

/// Prints a row for each of `ids`, of `whole` found, with its fields and the values of `paths`.
void print_rows(run_store& store, const std::vector<std::int64_t>& ids, std::size_t whole,
                const std::vector<std::string>& paths, const runs_options& options) {
    std::vector<std::vector<std::string>> rows{{"id", "recorded", "kind", "status", "seed"}};
    rows[0].insert(rows[0].end(), paths.begin(), paths.end());
    rows[0].insert(rows[0].end(), {"name", "directory"});
    std::vector<std::string> read = paths;  // and behind them the half widths
    for (const std::string& path : paths) read.push_back(half_width_path(path));
    for (const std::int64_t id : ids) {
        const run_record r = store.read(id, &read);
        std::vector<std::string> row{std::to_string(r.id), r.recorded.substr(0, 16), r.kind, r.status,
                                     std::to_string(r.seed)};
        for (std::size_t k = 0; k < paths.size(); ++k)
            row.push_back(cell(r.values[k].second, r.values[paths.size() + k].second));
        row.push_back(printable(r.name));
        row.push_back(r.directory.empty() ? "written over" : printable(r.directory));
        rows.push_back(std::move(row));
    }
    if (!ids.empty()) show(aligned(rows));
    if (ids.size() < whole)
        show(fmt::format("the {} {} of {}; -n N shows more, --all all\n",
                         options.sort.empty() ? "last" : "first", ids.size(), whole));
    else
        show(fmt::format("{} {}\n", whole, whole == 1 ? "run" : "runs"));
}

int list(const runs_options& options) {
    const auto store = opened(options);
    const auto all = store->find("", options.sort);
    print_rows(*store, shown_of(all, options), all.size(),
               options.columns.empty() ? std::vector<std::string>{"load.accepted", "latency.mean"}
                                       : asked_columns(*store, options.columns),
               options);
    return exit_status::good;
}

/// Shows the runs that the condition asks for, and parameters that differ among them.
int query(const runs_options& options) {
    constexpr std::size_t most_differing = 6;
    static const std::vector<std::string> shown_anyway{"id",   "recorded", "kind",     "status",
                                                       "seed", "name",     "directory"};
    const auto store = opened(options);
    const auto all = store->find(options.condition, options.sort), ids = shown_of(all, options);
    std::vector<std::string> paths, more;
    const auto add = [&](const std::vector<std::string>& some, std::size_t most) {
        for (const std::string& path : some) {
            if (std::find(shown_anyway.begin(), shown_anyway.end(), path) != shown_anyway.end() ||
                std::find(paths.begin(), paths.end(), path) != paths.end())
                continue;
            (paths.size() < most ? paths : more).push_back(path);
        }
    };
    constexpr std::size_t any = ~std::size_t{0};
    if (!options.columns.empty()) {
        add(asked_columns(*store, options.columns), any);
    } else {
        add(store->paths_in(options.condition), any);
        if (!options.sort.empty()) add({options.sort.substr(options.sort[0] == '-' ? 1 : 0)}, any);
        add(store->differing(ids), paths.size() + most_differing);
    }
    print_rows(*store, ids, all.size(), paths, options);
    if (!more.empty()) show(fmt::format("also different: {}; --columns shows them\n", fmt::join(more, ", ")));
    return exit_status::good;
}

int show_one(const runs_options& options) {
    const auto store = opened(options);
    const run_record r = store->read(options.ids.at(0));
    if (options.config) {
        show(json::parse(r.configuration).dump(2) + "\n");
        return exit_status::good;
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, text] : columns_of(r)) rows.push_back({name, printable(shown(text))});
    for (const auto& [path, v] : r.values) rows.push_back({path, printable(shown(v))});
    std::size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, row[0].size());
    std::string text;
    for (const auto& row : rows) text += padded(row[0], widest) + "  " + row[1] + "\n";
    show(text);
    return exit_status::good;
}

std::string directory_of(run_store& store, std::int64_t id) {
    static const std::vector<std::string> nothing;
    const std::string directory = store.read(id, &nothing).directory;
    if (directory.empty())
        throw config::error(
            fmt::format("run {}: its results were written over, so nothing can be compared", id));
    return directory;
}

int compare_runs(const runs_options& options) {
    try {
        const auto store = opened(options);
        return run_comparison(directory_of(*store, options.ids.at(0)),
                              directory_of(*store, options.ids.at(1)), options.how);
    } catch (const config::error& problem) {
        complain(problem.what());
        return exit_status::usage;  // as of 'sare compare'
    }
}

int remove_runs(const runs_options& options) {
    if (options.ids.empty() == options.condition.empty())
        throw usage_error("runs rm: give numbers of runs, or --where CONDITION");
    const auto store = opened(options);
    static const std::vector<std::string> nothing;
    for (const std::int64_t id : options.ids)
        store->read(id, &nothing);  // all are there, before any is removed
    const std::size_t gone =
        store->remove(options.ids.empty() ? store->find(options.condition) : options.ids);
    show(fmt::format("{} {} taken out of the store; results stay where they are\n", gone,
                     gone == 1 ? "run" : "runs"));
    return exit_status::good;
}

int export_runs(const runs_options& options) {
    const auto store = opened(options);
    write_records(*store, store->find(options.condition.empty() ? "id > 0" : options.condition),
                  options.format);
    return exit_status::good;
}

command_parser* add_one(command_parser& runs, action& chosen, const std::shared_ptr<runs_options>& options,
                        const char* name, const char* sentence, int (*does)(const runs_options&)) {
    auto* command = runs.add_subcommand(name, sentence);
    options->store.add_to(*command, store_options::use::looks);
    command->footer("'sare runs --help' has examples.");  // in place of those of sare
    command->callback([&chosen, options, does] { chosen = [options, does] { return does(*options); }; });
    return command;
}

void add_limits(command_parser& command, runs_options& options) {
    command.add_count("-n", options.most, 1, 1'000'000'000,
                      "Show so many, the last ones, or the first ones of --sort (default: 20)");
    command.add_flag("--all", options.all, "Show all");
    command.add_option(
        "--sort", options.sort, "PATH",
        "Sort by a parameter or figure, and show the first ones; --sort=-PATH begins with the highest");
    command.add_option("--columns", options.columns, "PATH,PATH",
                       "Show these parameters and figures (default: what is asked for, and what differs)");
}

command_option* add_numbers(command_parser& command, runs_options& options, const char* name,
                            const char* sentence) {
    return command.add_option(name, options.ids, "ID", sentence)->check(whole_number(1, INT64_MAX));
}

constexpr const char* about_conditions =
    "Parameters and figures of the run by their paths, and id, kind, name, status, version, seed, recorded, "
    "host, machine, directory, sweep; = != < <= > >=, and, or, not, parentheses";

}  // namespace

void add_runs(command_parser& app, action& chosen) {
    auto* runs = app.add_subcommand("runs", "Look at the runs that a store has");
    runs->require_subcommand(1);
    auto options = std::make_shared<runs_options>();
    const auto add = [&](const char* name, const char* sentence, int (*does)(const runs_options&)) {
        return add_one(*runs, chosen, options, name, sentence, does);
    };
    add_limits(*add("ls", "List runs and sweeps, the last ones at the end", list), *options);
    auto* asks = add("query", "List runs, points of sweeps too, that meet a condition", query);
    asks->add_option("CONDITION", options->condition, about_conditions)->required();
    add_limits(*asks, *options);
    auto* shows = add("show", "Show all that the store has of a run", show_one);
    add_numbers(*shows, *options, "ID", "Number of the run")->required()->expected(1);
    shows->add_flag("--config", options->config, "Only its configuration, as an experiment to run again");
    auto* compares = add("compare", "Compare the results of two runs, as 'sare compare' does", compare_runs);
    add_numbers(*compares, *options, "ID", "Numbers of the two")->required()->expected(2);
    options->how.add_to(*compares);
    auto* removes = add("rm", "Take runs out of the store; their results stay", remove_runs);
    add_numbers(*removes, *options, "ID", "Numbers of runs; a sweep goes with its points");
    removes->add_option("--where", options->condition, "CONDITION", "Those that meet a condition");
    auto* exports = add("export", "Write runs as CSV or JSON to standard output", export_runs);
    exports->add_option("CONDITION", options->condition, "As of query (default: all runs)");
    exports->add_option("--format", options->format, "FORMAT", "csv (default) or json")
        ->check(one_of({"csv", "json"}));
    runs->footer(
        "Examples:\n"
        "  sare run mesh.yaml --store runs.db\n"
        "  sare runs ls --store runs.db\n"
        "  sare runs query 'router.vcs=4 and latency.mean<40' --store runs.db\n"
        "'sare run', 'sweep' and 'cosim' record what they do with --store FILE, or where the\n"
        "user's configuration has 'store: FILE'.");
}

}  // namespace sare::cli
