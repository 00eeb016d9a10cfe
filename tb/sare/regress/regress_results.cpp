// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/regress_results.h"

#include "tb/sare/process/markup.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cli {
namespace {

char letter_of(const std::string& status) {
    return status == "agrees" ? '.' : status == "mismatch" ? 'F' : status == "error" ? 'E' : '-';
}

const char* style =
    "body{font:15px/1.4 sans-serif;margin:2em auto;max-width:70em;padding:0 "
    "1em;color:#222}table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em "
    ".8em;text-align:left;border-bottom:1px solid "
    "#ddd;vertical-align:top}td.n,th.n{text-align:right}.agrees{color:#176d2c}.mismatch,.error{color:#a8201a;"
    "font-weight:bold}.flaky{background:#fff1c4}code{font-size:13px;overflow-wrap:anywhere}";

std::string row(const char* cell, const std::vector<std::string>& cells) {
    std::string all = "<tr>";
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const bool number =
            !cells[k].empty() && cells[k].find_first_not_of("0123456789.,") == std::string::npos;
        all += fmt::format("<{}{}>{}</{}>", cell, number ? " class=n" : "", cells[k], cell);
    }
    return all + "</tr>\n";
}

/// Returns the names of runs in their order.
std::vector<std::string> runs_of(const regress_results& r) {
    std::vector<std::string> runs;
    for (const regress_case& c : r.cases)
        if (runs.empty() || runs.back() != c.run) runs.push_back(c.run);
    return runs;
}

struct tally {
    std::size_t cases = 0, failures = 0, errors = 0, not_run = 0, flaky = 0;
    double seconds = 0;
    bool has_result = true;  ///< true: sare cosim has left a result
};

tally tally_of(const regress_results& r, const std::string& run) {
    tally t;
    for (const regress_case& c : r.cases) {
        if (c.run != run) continue;
        ++t.cases;
        t.failures += c.status == "mismatch" ? 1 : 0;
        t.errors += c.status == "error" ? 1 : 0;
        t.not_run += c.status == "not run" ? 1 : 0;
        t.flaky += c.flaky() ? 1 : 0;
        t.seconds += c.seconds;
        if (c.name == "start" || c.name.rfind("mutant ", 0) == 0) t.has_result = false;
    }
    return t;
}

std::string table_of_runs(const regress_results& r) {
    std::string all =
        "<table>\n" + row("th", {"run", "seed", "cases", "mismatches", "errors", "flaky", "seconds"});
    for (const std::string& run : runs_of(r)) {
        const tally t = tally_of(r, run);
        const auto seed = r.seeds.find(run);
        all += row("td", {t.has_result ? fmt::format("<a href=\"{0}/cosim.json\">{0}</a>", run) : run,
                          seed == r.seeds.end() ? "" : std::to_string(seed->second), std::to_string(t.cases),
                          std::to_string(t.failures), std::to_string(t.errors), std::to_string(t.flaky),
                          fmt::format("{:.1f}", t.seconds)});
    }
    return all + "</table>\n";
}

std::string failures_of(const regress_results& r) {
    std::string all;
    for (const regress_case& c : r.cases) {
        if (c.good() && !c.flaky()) continue;
        const std::string mark = c.flaky() ? " <span class=flaky>flaky</span>" : "";
        std::string more =
            c.shrunk.empty() ? "" : fmt::format("<br><a href=\"{0}\">{0}</a>", escaped_markup(c.shrunk));
        if (!c.command.empty()) more += "<br><code>" + escaped_markup(c.command) + "</code>";
        all += row("td",
                   {escaped_markup(c.path()) + mark, fmt::format("<span class=\"{0}\">{0}</span>", c.status),
                    "<code>" + escaped_markup(c.earlier + letter_of(c.status)) + "</code>",
                    escaped_markup(c.message) + more});
    }
    if (all.empty()) return "<p class=agrees>All agree.</p>\n";
    return "<table>\n" + row("th", {"case", "now", "history", "what differs"}) + all + "</table>\n";
}

/// Returns a cell for one percentage of coverage; "" if it was not counted.
std::string percent_of(const std::map<std::string, double>& coverage, const char* what) {
    const auto its = coverage.find(what);
    return its == coverage.end() ? "" : fmt::format("{:.2f}", its->second);
}

std::string coverage_of(const regress_results& r) {
    if (r.coverage.empty()) return "";
    std::string all =
        "<h2>Coverage of all runs</h2>\n<table>\n" + row("th", {"of", "percent", "what is left"});
    for (const auto& [what, percent] : r.coverage) {
        const char* file = what == "bins" ? "coverage/holes.txt" : "coverage/not_covered.txt";
        all +=
            row("td", {what, fmt::format("{:.2f}", percent), fmt::format("<a href=\"{0}\">{0}</a>", file)});
    }
    return all + "</table>\n";
}

std::string history_of(const regress_results& r) {
    if (r.history.empty()) return "<p>Nothing was recorded before.</p>\n";
    std::string all = "<table>\n" + row("th", {"when", "version", "cases", "not in agreement", "bins, %",
                                               "lines, %", "toggles, %"});
    for (auto e = r.history.rbegin(); e != r.history.rend(); ++e) {
        const auto wrong = std::count_if(e->status.begin(), e->status.end(),
                                         [](const auto& s) { return s.second != "agrees"; });
        all += row("td", {e->when, e->version, std::to_string(e->status.size()), std::to_string(wrong),
                          percent_of(e->coverage, "bins"), percent_of(e->coverage, "lines"),
                          percent_of(e->coverage, "toggles")});
    }
    return all + "</table>\n";
}

std::string property(const char* name, const std::string& value) {
    return fmt::format("<property name=\"{}\" value=\"{}\"/>\n", name, escaped_markup(value));
}

/// Returns a test case, with what to do as its output, and with the files that show a failure as attachments
/// ([[ATTACHMENT|file]], which CI systems read).
std::string junit_case(const regress_results& r, const regress_case& c) {
    std::string out = fmt::format("<testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", c.run,
                                  escaped_markup(c.name), c.seconds);
    if (c.good()) return out + "/>\n";
    const char* tag = c.status == "mismatch" ? "failure" : c.status == "error" ? "error" : "skipped";
    out += fmt::format("><{0} message=\"{1}{2}\">{3}</{0}>\n<system-out>", tag, c.flaky() ? "flaky: " : "",
                       escaped_markup(c.message), escaped_markup(c.command));
    if (!c.command.empty()) out += "again: " + escaped_markup(c.command) + "\n";
    if (!c.shrunk.empty()) out += "[[ATTACHMENT|" + escaped_markup(c.shrunk) + "]]\n";
    if (c.has_waves) out += "[[ATTACHMENT|" + escaped_markup(r.waves) + "]]\n";
    return out + "</system-out></testcase>\n";
}

}  // namespace

bool regress_case::flaky() const {
    if (again_agrees) return true;
    std::string known = same + letter_of(status);
    known.erase(std::remove(known.begin(), known.end(), '-'), known.end());
    return !known.empty() && known.find_first_not_of(known[0]) != std::string::npos;
}

std::size_t regress_results::count(const std::string& status) const {
    return static_cast<std::size_t>(
        std::count_if(cases.begin(), cases.end(), [&](const regress_case& c) { return c.status == status; }));
}

void regress_results::compare_with_history() {
    for (regress_case& c : cases) {
        c.earlier.clear();
        c.same.clear();
        for (const earlier_regression& e : history) {
            const auto found = e.status.find(c.path()), its = e.rtl.find(c.run);
            const char letter = letter_of(found == e.status.end() ? "" : found->second);
            c.earlier += letter;
            if (e.version == version && its != e.rtl.end() && its->second == rtl[c.run]) c.same += letter;
        }
    }
}

json to_json(const regress_results& r) {
    json cases = json::array();
    for (const regress_case& c : r.cases)
        cases.push_back({{"run", c.run},
                         {"name", c.name},
                         {"status", c.status},
                         {"message", c.message},
                         {"flaky", c.flaky()},
                         {"history", c.earlier},
                         {"shrunk", c.shrunk},
                         {"command", c.command},
                         {"seconds", c.seconds}});
    return {{"name", r.name},
            {"status", r.verdict},
            {"when", r.when},
            {"version", r.version},
            {"cases_run", r.cases.size() - r.count("not run")},
            {"mismatches", r.count("mismatch")},
            {"errors", r.count("error")},
            {"waves", r.waves},
            {"seeds", r.seeds},
            {"coverage", r.coverage},
            {"cases", cases}};
}

std::string junit_of(const regress_results& r) {
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (const std::string& run : runs_of(r)) {
        const tally t = tally_of(r, run);
        out += fmt::format(
            "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
            "time=\"{:.3f}\">\n",
            run, t.cases, t.failures, t.errors, t.not_run, t.seconds);
        out += "<properties>\n" + property("version", r.version);
        if (const auto rtl = r.rtl.find(run); rtl != r.rtl.end()) out += property("rtl", rtl->second);
        if (const auto seed = r.seeds.find(run); seed != r.seeds.end())
            out += property("seed", std::to_string(seed->second));
        out += "</properties>\n";
        for (const regress_case& c : r.cases)
            if (c.run == run) out += junit_case(r, c);
        out += "</testsuite>\n";
    }
    return out + "</testsuites>\n";
}

std::string page_of(const regress_results& r) {
    const std::string title = escaped_markup("Regression " + r.name);
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=en><meta "
        "charset=utf-8><title>{0}</title><style>{1}</style>\n<h1>{0}</h1>\n",
        title, style);
    page += fmt::format(
        "<p><span class=\"{0}\">{0}</span>: {1} cases, {2} mismatches, {3} errors, {4} not run. {5}, "
        "{6}.</p>\n",
        r.verdict, r.cases.size(), r.count("mismatch"), r.count("error"), r.count("not run"), r.when,
        escaped_markup(r.version));
    page += table_of_runs(r) + coverage_of(r) + "<h2>What does not agree</h2>\n" + failures_of(r);
    if (!r.waves.empty())
        page += fmt::format("<p>Waves of the first: <a href=\"{0}\">{0}</a></p>\n", escaped_markup(r.waves));
    page += "<p>History, the oldest first: . agrees, F differs, E is an error, - was not run.</p>\n";
    return page + "<h2>Recorded before</h2>\n" + history_of(r) + "</html>\n";
}

}  // namespace sare::cli
