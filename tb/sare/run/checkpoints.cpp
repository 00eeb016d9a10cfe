// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/checkpoints.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/runs/run_record.h"
#include "tlm/base/joined.h"
#include "tlm/config/yaml.h"

#include <fmt/format.h>

#include <cmath>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// Returns the configuration without what changes neither cycles nor figures.
config::value what_matters(const experiment& e) {
    config::value all = e.resolved();
    for (const char* section : {"checks", "cosim"}) all.remove(section);
    return all;
}

/// Returns a configuration as YAML on one line that reads back: all scalars in quotes, for empty ones, and
/// commas in file names.
std::string yaml_text(const config::value& v) {
    using kind = config::value::kind;
    std::string all;
    switch (v.type()) {
        case kind::null:
            return "~";
        case kind::scalar:
            for (const char c : v.text()) {
                if (c == '"' || c == '\\') all += '\\';
                all += c;
            }
            return '"' + all + '"';
        case kind::list:
            return "[" + joined(v.items(), ", ", yaml_text) + "]";
        case kind::map:
            return "{" +
                   joined(v.entries(), ", ",
                          [](const auto& e) { return e.first + ": " + yaml_text(e.second); }) +
                   "}";
    }
    return all;
}

std::string shown_parameter(const config::value* v) {
    return v == nullptr ? "not there" : flow_style(*v);
}

/// Returns "router.vcs is 4 here and 2 in the checkpoint" about the first difference; "" if there is none.
std::string difference(const config::value* here, const config::value* there, const std::string& path) {
    using kind = config::value::kind;
    if (here != nullptr && there != nullptr && here->type() == kind::map && there->type() == kind::map) {
        const auto below = [&](const std::string& key) {
            return difference(here->find(key), there->find(key), path.empty() ? key : path + "." + key);
        };
        for (const auto& [key, ignored] : there->entries())
            if (std::string d = below(key); !d.empty()) return d;
        for (const auto& [key, ignored] : here->entries())
            if (std::string d = below(key); !d.empty()) return d;
        return "";
    }
    if (shown_parameter(here) == shown_parameter(there)) return "";
    return fmt::format("{} is {} here and {} in the checkpoint", path, shown_parameter(here),
                       shown_parameter(there));
}

void read_rule(const std::string& part, checkpoint_rule& rule) {
    static const std::map<std::string, double> units = {{"s", 1},    {"m", 60},    {"min", 60},
                                                        {"h", 3600}, {"d", 86400}, {"", 0}};
    char* end = nullptr;
    const double number = std::strtod(part.c_str(), &end);
    const auto unit = units.find(end);
    if (end == part.c_str() || unit == units.end() || !(number > 0) || number > 1e15)
        throw usage_error(
            "--checkpoint " + part +
            ": write cycles (1000000) or a time of the wall clock (30s, 10min, 2h), or both with a comma");
    if (unit->second != 0 ? rule.seconds != 0 : rule.cycles != 0)
        throw usage_error("--checkpoint " + part +
                          ": is the second of its kind; one of cycles and one of time");
    if (unit->second != 0)
        rule.seconds = number * unit->second;
    else if (number != std::floor(number))
        throw usage_error("--checkpoint " + part + ": cycles are whole");
    else
        rule.cycles = static_cast<std::uint64_t>(number);
}

fs::path beside(const fs::path& results) {
    fs::path plain = results;
    while (!plain.has_filename() && plain.has_parent_path() && plain != plain.root_path())
        plain = plain.parent_path();
    return plain += ".checkpoints";
}

/// Beginning of "process-0-of-4".
constexpr const char* of_process = "process-";

/// Returns the absolute name of a folder relative to the current one, which is "".
std::string whole_name(const std::string& folder) {
    return stored_name(fs::path(".") / folder);
}

fs::path folder_of(const fs::path& place, const world* processes) {
    if (processes == nullptr) return place;
    return place / fmt::format("{}{}-of-{}", of_process, processes->rank(), processes->ranks());
}

/// Returns the folders of processes that have written there; empty for one process.
std::vector<fs::path> folders_in(const fs::path& place) {
    std::vector<fs::path> all;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(place, ignored))
        if (entry.path().filename().string().rfind(of_process, 0) == 0) all.push_back(entry.path());
    return all;
}

checkpoint_info info_of(const experiment& e, cycle_t cycle) {
    config::value all = e.resolved();
    // The state is kept part by part, so as many go on with it.
    if (e.threads != 1) all.set("threads", config::value::scalar(std::to_string(e.threads)));
    return {yaml_text(all), whole_name(e.folder), cycle, e.folder};
}

std::string as_many(std::size_t processes) {
    return processes == 1 ? "one process" : fmt::format("{} processes", processes);
}

}  // namespace

void checkpoint_options::add_to(command_parser& command) {
    command.add_option("--checkpoint", every, "EVERY",
                       "Write the state of the run every so many cycles (1000000), or by the wall clock "
                       "(10min), or both (1000000,10min), and when it is stopped; the last two are kept in "
                       "DIR.checkpoints until the run has come to its end");
    command.add_option("--resume", resume, "DIR",
                       "Go on from the last whole checkpoint of the run whose results were to be in DIR, "
                       "without FILE; the results are the same as if it had never been stopped");
}

checkpoint_rule checkpoint_options::rule() const {
    checkpoint_rule rule;
    std::string rest = every;
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        read_rule(rest.substr(0, comma), rule);
        rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    }
    return rule;
}

std::string save_checkpoint(const experiment& e, const fs::path& results, cycle_t cycle,
                            const state_function& state) {
    const checkpoint_folder folder(beside(results));
    folder.write(info_of(e, cycle), state);
    return folder.path().string();
}

run_checkpoints::run_checkpoints(const checkpoint_options& options, const fs::path& results, world* processes)
    : m_options(options),
      m_results(results),
      m_place(beside(results)),
      m_processes(processes),
      m_folder(folder_of(m_place, processes)) {
    if (options.resume.empty()) return;
    try {
        check_processes();
        open_last();
    } catch (const state_error& problem) {
        throw config::error(problem.what());
    }
}

/// Opens the last checkpoint that all processes have.
void run_checkpoints::open_last() {
    std::uint64_t most = ~std::uint64_t{0};
    do {
        m_from.reset();
        m_from.emplace(m_folder.last([](const std::string& text) { warn(text); }, most));
        most = m_from->what->info().cycle;
        if (m_processes != nullptr) most = m_processes->least(most);
    } while (m_processes != nullptr && m_processes->most(m_from->what->info().cycle) != most);
}

/// Throws unless the processes are as many as in the checkpoint: each state is of a part of the network.
void run_checkpoints::check_processes() const {
    if (!m_folder.empty()) return;
    const std::size_t here = m_processes == nullptr ? 1 : m_processes->ranks();
    std::size_t there = checkpoint_folder(m_place).empty() ? 0 : 1;
    for (const fs::path& folder : folders_in(m_place)) {
        const std::string name = folder.filename().string();
        there = std::strtoul(name.c_str() + name.rfind('-') + 1, nullptr, 10);
    }
    if (there == 0 || there == here) return;  // there is none, which is said where it is opened
    throw config::error(fmt::format("{}: the run was begun by {}, and is gone on with by as many; here {}",
                                    m_place.string(), as_many(there),
                                    here == 1 ? "is one" : fmt::format("are {}", here)));
}

experiment run_checkpoints::resumed(const input_options& input) const {
    const checkpoint_info& info = m_from->what->info();
    const config::value tree = config::parse_yaml(info.config, m_from->file.string());
    // Results name files as the run that was stopped did, if it is gone on with in the same place.
    const bool same_place = whole_name(info.named) == info.folder;
    const std::string& folder = same_place ? info.named : info.folder;
    return experiment::read(input.over(tree, folder), folder);
}

void run_checkpoints::check_same(const experiment& e) const {
    if (!m_from) return;
    const config::value here = what_matters(e);
    config::value there = config::parse_yaml(m_from->what->info().config, m_from->file.string());
    for (const char* section : {"checks", "cosim", "threads"}) there.remove(section);
    const std::string d = difference(&here, &there, "");
    if (!d.empty())
        throw config::error(fmt::format("{}: of another run: {}; a run is gone on with as it was begun",
                                        m_from->file.string(), d));
}

void run_checkpoints::make_way(bool overwrite) const {
    if (m_options.every.empty() || m_from) return;
    if (checkpoint_folder(m_place).empty() && folders_in(m_place).empty()) return;
    if (!overwrite)
        throw config::error(
            fmt::format("{}: has checkpoints of a run that has not come to its end; go on with it by "
                        "--resume {}, choose another --out, or remove them with --overwrite",
                        m_place.string(), m_results.string()));
    remove_all();
}

void run_checkpoints::remove_all() const {
    for (const fs::path& folder : folders_in(m_place)) checkpoint_folder(folder).remove();
    checkpoint_folder(m_place).remove();
}

/// Keeps a checkpoint if all processes have it.
void run_checkpoints::keep(const checkpoint_info& info, const state_function& state,
                           progress_line& line) const {
    std::string why;
    try {
        m_folder.write(info, state);
    } catch (const state_error& problem) {
        why = problem.what();
    }
    if (m_processes != nullptr) {
        const bool all = m_processes->sum(std::uint64_t{why.empty()}) == m_processes->ranks();
        if (!all) m_folder.remove(info.cycle);
        why = m_processes->first_said(why);
    }
    if (why.empty()) return;
    line.erase();
    warn(fmt::format("no checkpoint of cycle {}: {}; the run goes on", info.cycle, why));
}

void run_checkpoints::tell(run_control& control, const experiment& e, progress_line& line) {
    if (m_from) control.resume = m_from->what.get();
    if (m_options.every.empty()) return;
    control.checkpoints = m_options.rule();
    control.keep = [this, info = info_of(e, 0), &line](cycle_t cycle, const state_function& state) {
        checkpoint_info its = info;
        its.cycle = cycle;
        keep(its, state, line);
    };
}

/// Waits for all processes before the first one removes what they have written.
std::string run_checkpoints::settle(run_status status) const {
    const bool first = m_processes == nullptr || m_processes->rank() == 0;
    if (m_processes != nullptr && in_use()) m_processes->sum(std::uint64_t{0});
    if (status == run_status::interrupted) {
        if (m_folder.empty()) return "";
        const std::string start =
            m_processes == nullptr ? "" : fmt::format("mpirun -np {} ", m_processes->ranks());
        return start + "sare run --resume " + m_results.string();
    }
    if (first && in_use()) remove_all();
    return "";
}

}  // namespace sare::cli
