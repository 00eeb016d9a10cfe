// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/cosim_results.h"

#include "tb/sare/process/markup.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/runs/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace sare::cli {
namespace {

std::string details(const cosim_case& c) {
    std::string text = c.message + "\n" + c.parameters + "\n" + c.place + "\n";
    for (const auto& line : c.history) text += line + "\n";
    if (!c.waves.empty()) text += "waves: " + c.waves + "\n";
    if (!c.shrunk.is_null()) text += "shrunk: shrunk/" + c.shrunk.at("file").get<std::string>() + ".yaml\n";
    return text;
}

std::size_t count(const cosim_results& r, const std::string& status) {
    return static_cast<std::size_t>(std::count_if(r.cases.begin(), r.cases.end(),
                                                  [&](const cosim_case& c) { return c.status == status; }));
}

/// True for numbers and lists of bits and numbers, which have many values. Pairs of the others are counted.
bool has_many_values(const std::string& parameter) {
    static const std::set<std::string> all{"Ports",       "Vcs",           "Depth", "OutDepth", "FlitWidth",
                                           "Classes",     "SaWeights",     "Nodes", "Dims",     "CoordWidth",
                                           "CreditDelay", "CreditInDelay", "Wrap"};
    return all.count(parameter) != 0;
}

using assignment = std::map<std::string, std::string>;

assignment parameters_of(const cosim_case& c) {
    assignment all;
    std::istringstream words(c.parameters);
    for (std::string word; words >> word;)
        if (const auto at = word.find('='); at != std::string::npos)
            all[word.substr(0, at)] = word.substr(at + 1);
    return all;
}

}  // namespace

std::uint64_t cosim_results::router_cycles() const {
    std::uint64_t all = 0;
    for (const auto& c : cases) all += c.router_cycles;
    return all;
}
std::size_t cosim_results::configurations() const {
    return cases.size() - count(*this, "not run");
}
std::size_t cosim_results::mismatches() const {
    return count(*this, "mismatch");
}
std::size_t cosim_results::errors() const {
    return count(*this, "error");
}

std::string settings_of(const experiment& e) {
    const json all = to_json(e);
    std::vector<std::pair<std::string, json>> values;
    for (const char* section : {"network", "router", "nic", "routing", "traffic", "cosim"})
        if (all.contains(section)) add_values(values, all.at(section), section);
    std::string text;
    for (const auto& [key, value] : values) {
        std::string word = value.is_string() ? value.get<std::string>() : value.dump();
        word.erase(std::remove(word.begin(), word.end(), ' '), word.end());
        text += (text.empty() ? "" : " ") + key + "=" + word;
    }
    return text;
}

std::string junit_text(const cosim_results& r) {
    double seconds = 0;
    for (const auto& c : r.cases) seconds += c.seconds;
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out += fmt::format(
        "<testsuites>\n<testsuite name=\"sare cosim\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
        "skipped=\"{}\" time=\"{:.3f}\">\n",
        r.cases.size(), r.mismatches(), r.errors(), r.cases.size() - r.configurations(), seconds);
    for (const auto& c : r.cases) {
        out += fmt::format("<testcase classname=\"cosim\" name=\"{}\" time=\"{:.3f}\"",
                           escaped_markup(c.name), c.seconds);
        const char* tag = c.status == "mismatch" ? "failure" : c.status == "error" ? "error" : "skipped";
        if (c.status == "agrees")
            out += "/>\n";
        else
            out += fmt::format("><{} message=\"{}\">{}</{}></testcase>\n", tag, escaped_markup(c.message),
                               escaped_markup(details(c)), tag);
    }
    return out + "</testsuite>\n</testsuites>\n";
}

json to_json(const cosim_results& r) {
    json cases = json::array();
    for (const auto& c : r.cases)
        cases.push_back({{"name", c.name},
                         {"status", c.status},
                         {"message", c.message},
                         {"parameters", c.parameters},
                         {"place", c.place},
                         {"router_cycles", c.router_cycles},
                         {"packets", c.packets},
                         {"seconds", c.seconds},
                         {"history", c.history},
                         {"waves", c.waves},
                         {"shrunk", c.shrunk}});
    json all{{"router_cycles", r.router_cycles()},
             {"configurations", r.configurations()},
             {"mismatches", r.mismatches()},
             {"errors", r.errors()},
             {"rtl", r.rtl}};
    if (!r.coverage.empty()) {
        const auto sum = r.coverage.all();
        all["coverage"] = {{"line_percent", sum.lines.percent()}, {"toggle_percent", sum.toggles.percent()}};
    }
    if (r.bins != 0) all["functional"] = {{"bins", r.bins}, {"hit", r.bins_hit}};
    all["cases"] = cases;
    return all;
}

std::string parameter_table(const cosim_results& r) {
    std::map<std::string, std::map<std::string, std::size_t>> values;
    std::set<std::string> pairs;
    for (const auto& c : r.cases) {
        const assignment all = parameters_of(c);
        for (const auto& [name, value] : all) {
            const bool drawn = name.find('.') == std::string::npos;  // not an experiment's
            if (!drawn || name == "OutDepth" || name == "Wrap") continue;
            ++values[name][value];
            if (has_many_values(name)) continue;
            for (const auto& [other, its] : all)
                if (!has_many_values(other) && name < other && other.find('.') == std::string::npos)
                    pairs.insert(name + value + other + its);
        }
    }
    std::vector<std::vector<std::string>> rows{{"parameter", "values (times drawn)"}};
    std::size_t possible = 0;
    for (const auto& [name, drawn] : values) {
        std::string text;
        for (const auto& [value, times] : drawn)
            text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", value, times);
        rows.push_back({name, text});
        for (const auto& [other, its] : values)
            if (!has_many_values(name) && !has_many_values(other) && name < other)
                possible += drawn.size() * its.size();
    }
    std::string table;
    for (const auto& row : rows) table += padded(row[0], 14) + row[1] + "\n";
    return table + fmt::format("pairs of values of the choosing parameters: {} of at most {}\n", pairs.size(),
                               possible);
}

std::string coverage_table(const cosim::coverage& c) {
    std::vector<std::vector<std::string>> rows{
        {"module", "lines", "covered", "%", "toggles", "covered", "%"}};
    const auto add = [&rows](const std::string& name, const cosim::coverage::module_tally& m) {
        rows.push_back({name, std::to_string(m.lines.points), std::to_string(m.lines.covered),
                        fmt::format("{:.1f}", m.lines.percent()), std::to_string(m.toggles.points),
                        std::to_string(m.toggles.covered), fmt::format("{:.1f}", m.toggles.percent())});
    };
    for (const auto& [name, m] : c.by_module()) add(name, m);
    add("all", c.all());
    return aligned(rows);
}

}  // namespace sare::cli
