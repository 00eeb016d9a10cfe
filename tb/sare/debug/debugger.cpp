// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/debugger.h"

#include "tb/sare/debug/breakpoint.h"
#include "tb/sare/process/terminal.h"
#include "tlm/api/workload.h"
#include "tlm/base/joined.h"
#include "tlm/config/value.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cli {

struct debugger::command_entry {
    const char *name, *arguments, *sentence;
    state_json (debugger::*does)(const words&);
};

const std::vector<debugger::command_entry>& debugger::commands() {
    static const std::vector<command_entry> all = {
        {"step", "[N]", "Run N cycles (default: 1)", &debugger::step},
        {"continue", "", "Run to the next breakpoint or the end; Ctrl-C pauses", &debugger::go_on},
        {"until", "CYCLE", "Run all cycles before CYCLE, or to a breakpoint", &debugger::until},
        {"back", "[N]", "Go back N cycles (default: 1)", &debugger::back},
        {"break", "router R | packet N | node N consume | node N inject | deadlock | when FIGURE > NUMBER",
         "Stop after a cycle in which that happens", &debugger::set_break},
        {"list", "", "List the breakpoints", &debugger::list},
        {"delete", "[N]", "Remove breakpoint N, or all", &debugger::remove},
        {"show", "[router R | packet N | link R PORT | node N | waits]", "Show the state between two cycles",
         &debugger::show},
        {"waits", "", "Show which input VCs wait for which, with circles and deadlocks", &debugger::waits},
        {"figure", "FIGURE", "Show a figure, counted since it was first asked for: router[12].stalls.credit",
         &debugger::figure},
        {"save", "[DIR]", "Write a checkpoint, from which sare run --resume DIR goes on", &debugger::save},
        {"help", "", "List the commands", &debugger::help},
        {"quit", "", "End", &debugger::quit}};
    return all;
}

/// Returns the command of a name or of its beginning.
const debugger::command_entry& debugger::find(const std::string& name) {
    std::vector<std::string> known;
    for (const command_entry& c : commands()) {
        if (std::string(c.name).rfind(name, 0) == 0) return c;
        known.emplace_back(c.name);
    }
    const std::string near = config::nearest(name, known);
    throw config::error(
        fmt::format("no command '{}'; {}", name,
                    near.empty() ? "help lists them" : fmt::format("did you mean '{}'?", near)));
}

state_json debugger::command(const std::string& line) {
    try {
        words all = split_words(line);
        if (all.empty()) all = split_words(m_last);
        if (all[0][0] == '#') return nullptr;
        const command_entry& its = find(all[0]);
        all.erase(all.begin());
        m_last = "step";
        return (this->*its.does)(all);
    } catch (const std::exception& problem) {
        return {{"error", problem.what()}};
    }
}

/// Runs in pieces, with a copy of the run kept after each.
state_json debugger::run_to(std::uint64_t target, bool breaks) {
    state_json texts = state_json::array(), warnings = state_json::array();
    if (breaks)
        for (const auto& [number, text] : m_breaks) texts.push_back(text);
    for (;;) {
        if (m_now >= m_run.next_copy()) m_run.keep(m_now);
        constexpr std::uint64_t piece = 1000;  // of a run that cannot be copied
        const std::uint64_t end = std::min(target, std::max(m_run.next_copy(), m_now + piece));
        state_json answer = m_run.ask({{"do", "run"}, {"until", end}, {"breaks", texts}});
        for (auto& w : answer.value("warnings", state_json::array())) warnings.push_back(std::move(w));
        if (answer.contains("cycle")) m_now = answer["cycle"];
        m_status = answer.value("status", "");
        if (!warnings.empty()) answer["warnings"] = warnings;
        if (m_now >= target || answer.contains("error") || answer.contains("why") || answer.contains("over"))
            return answer;
    }
}

state_json debugger::step(const words& args) {
    return run_to(m_now + (args.empty() ? 1 : whole_number_of(args[0], "number of cycles")), true);
}

state_json debugger::go_on(const words&) {
    return run_to(workload::never, true);
}

state_json debugger::until(const words& args) {
    if (args.empty()) throw config::error("until: which cycle? Write for instance until 1000");
    const std::uint64_t cycle = whole_number_of(args[0], "cycle");
    if (cycle < m_now)
        throw config::error(
            fmt::format("until {}: cycle {} is over; back {} goes there", cycle, cycle, m_now - cycle));
    return run_to(cycle, true);
}

state_json debugger::back(const words& args) {
    const std::uint64_t cycles = args.empty() ? 1 : whole_number_of(args[0], "number of cycles");
    m_last = "back";
    return go_to(m_now - std::min(m_now, cycles));
}

state_json debugger::go_to(std::uint64_t cycle) {
    if (cycle < m_now) m_now = m_run.go_back(cycle);
    state_json answer = run_to(cycle, false);
    answer.erase("warnings");
    return answer;
}

state_json debugger::set_break(const words& args) {
    const std::string text = sare::joined(args, " ", [](const std::string& w) { return w; });
    const state_json answer = m_run.ask({{"do", "check"}, {"args", {text}}});
    if (answer.contains("error")) return answer;
    m_breaks[++m_break_count] = text;
    return {{"break", m_break_count}, {"at", text}};
}

state_json debugger::list(const words&) {
    state_json all = state_json::array();
    for (const auto& [number, text] : m_breaks) all.push_back({{"break", number}, {"at", text}});
    return {{"breaks", all}};
}

state_json debugger::remove(const words& args) {
    if (args.empty())
        m_breaks.clear();
    else if (m_breaks.erase(whole_number_of(args[0], "number of a breakpoint")) == 0)
        throw config::error(fmt::format("delete: there is no breakpoint {}; list shows them", args[0]));
    return list({});
}

state_json debugger::show(const words& args) {
    return m_run.ask({{"do", "show"}, {"args", args}});
}

state_json debugger::waits(const words&) {
    return show({"waits"});
}

state_json debugger::figure(const words& args) {
    if (args.size() != 1)
        throw config::error("figure: which one? Write for instance figure router[12].stalls.credit");
    return m_run.ask({{"do", "figure"}, {"args", args}});
}

state_json debugger::save(const words& args) {
    return m_run.ask({{"do", "save"}, {"args", {args.empty() ? m_results : args[0]}}});
}

state_json debugger::help(const words&) {
    state_json all = state_json::array();
    for (const command_entry& c : commands())
        all.push_back({{"command", fmt::format("{} {}", c.name, c.arguments)}, {"what it does", c.sentence}});
    return {{"commands", all}};
}

state_json debugger::quit(const words&) {
    m_has_quit = true;
    return nullptr;
}

std::vector<std::string> debugger::completions(const std::string& line) {
    words before = split_words(line);
    std::string last;
    if (!line.empty() && line.back() != ' ') {
        last = before.back();
        before.pop_back();
    }
    std::vector<std::string> all;
    const std::string command = before.empty() ? "" : find(before[0]).name;
    const std::string what = before.size() > 1 ? before[1] : "";
    if (before.empty())
        for (const command_entry& c : commands()) all.emplace_back(c.name);
    else if (before.size() == 1 && command == "show")
        all = {"router", "packet", "link", "node", "waits", "network"};
    else if (before.size() == 1 && command == "break")
        all = {"router", "packet", "node", "deadlock", "when"};
    else if (before.size() == 2 && (what == "router" || what == "link" || what == "node"))
        all = m_run.ask({{"do", "names"}, {"args", {what == "node" ? "node" : "router"}}})
                  .get<std::vector<std::string>>();
    else if (before.size() == 3 && command == "break" && what == "node")
        all = {"consume", "inject"};
    else if ((before.size() == 1 && command == "figure") || (command == "break" && what == "when"))
        all = m_run.ask({{"do", "names"}, {"args", {"figure"}}}).get<std::vector<std::string>>();
    // A place in brackets is typed before the name of its figure.
    const auto open = last.find('['), close = last.find(']');
    const bool has_place = open != std::string::npos && close != std::string::npos;
    const std::string place = has_place ? last.substr(open, close - open + 1) : "[]";
    std::vector<std::string> fitting;
    for (std::string& one : all) {
        if (const auto at = one.find("[]"); at != std::string::npos && has_place) one.replace(at, 2, place);
        if (one.rfind(last, 0) == 0) fitting.push_back(std::move(one));
    }
    return fitting;
}

namespace {

/// Returns a value in a cell of a table: a flit is "4711.0>17" (packet, place in it, destination), other
/// objects are their values.
std::string cell_of(const state_json& value) {
    if (value.is_null()) return "-";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_string()) return value.get<std::string>().empty() ? "-" : value.get<std::string>();
    if (value.is_object() && value.contains("flit"))
        return fmt::format("{}.{}>{}", cell_of(value["packet"]), value["flit"].get<unsigned>(),
                           value["destination"].get<unsigned>());
    if (value.is_object()) {
        std::string all;
        for (const auto& [key, one] : value.items())
            all += (all.empty() ? "" : " ") + (one.is_string() ? "" : key + " ") + cell_of(one);
        return all;
    }
    if (!value.is_array()) return value.dump();
    if (value.empty()) return "-";
    return sare::joined(value, value[0].contains("flit") ? " " : ", ",
                        [](const state_json& one) { return cell_of(one); });
}

std::string table_of(const state_json& rows) {
    std::vector<std::vector<std::string>> cells(1);
    for (const auto& [key, value] : rows[0].items()) cells[0].push_back(key);
    for (const state_json& row : rows) {
        cells.emplace_back();
        for (const auto& [key, value] : row.items()) cells.back().push_back(cell_of(value));
    }
    std::vector<std::size_t> widths(cells[0].size());
    for (const auto& row : cells)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], text_width(row[c]));
    std::string text;
    for (const auto& row : cells) {
        std::string line = " ";
        for (std::size_t c = 0; c < row.size(); ++c) line += " " + padded(row[c], widths[c]) + " ";
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

}  // namespace

std::string text_of_answer(const state_json& answer) {
    std::string line, tables;
    for (const auto& [key, value] : answer.items()) {
        const bool is_table = value.is_array() && !value.empty() && value[0].is_object();
        if (is_table)
            tables += key + "\n" + table_of(value);
        else
            line += (line.empty() ? "" : "; ") + key + " " + cell_of(value);
    }
    return line + (line.empty() ? "" : "\n") + tables;
}

}  // namespace sare::cli
