// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/saturation_files.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/headline.h"
#include "tb/sare/results/result_files.h"
#include "tb/sare/saturate/traffic_bound.h"
#include "tlm/stats/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sare::cli {
namespace {

/// Columns of saturation.csv after the axes, and their places in a row.
struct row_column {
    const char* name;
    const char* pointer;
    const char* for_people;  ///< "": not shown to people
    const char* unit;
    const char* sentence;
};
constexpr row_column row_columns[] = {
    {"status", "/status", "", "", "found, not found or not saturated."},
    {"saturation", "/saturation/load", "saturation", "flits/node/cycle",
     "The highest load that every source sustains; empty where it is not found."},
    {"sustained", "/saturation/sustained", "from", "flits/node/cycle", "It is above this load"},
    {"saturated", "/saturation/saturated", "to", "flits/node/cycle",
     "and below this one, by 9 chances in 10."},
    {"confidence", "/saturation/confidence", "confidence", "", "What that rests on."},
    {"zero_load_latency", "/zero_load_latency", "latency", "cycles", "Mean latency at next to no load."},
    {"slow_load", "/slow/load", "slow", "flits/node/cycle",
     "Load of so many times that latency as was asked for; empty where it is not known."},
    {"slow_from", "/slow/from", "", "flits/node/cycle", "It is above this load"},
    {"slow_to", "/slow/to", "", "flits/node/cycle", "and below this."},
    {"bound", "/bound/load", "bound", "flits/node/cycle", "The highest load that the channels can carry."},
    {"of_bound", "/of_bound", "of bound", "", "Share of the bound that saturation comes to."},
    {"limiter", "/limiter/link", "set by", "", "The channel at which congestion begins at saturation."},
    {"limiter_reason", "/limiter/reason", "", "", "Why it takes no more (docs/congestion.md)."},
    {"bound_link", "/bound/link", "", "", "The channel that sets the bound."},
    {"bound_links", "/bound/busiest", "", "channels", "So many have its load."},
    {"bound_exact", "/bound/exact", "", "", "True where nothing was sampled."},
};

const json* value_of(const json& row, const row_column& c) {
    const json::json_pointer at(c.pointer);
    return row.contains(at) && !row.at(at).is_null() ? &row.at(at) : nullptr;
}

std::string cell(const json& row, const row_column& c) {
    const json* value = value_of(row, c);
    return value == nullptr ? "" : value->is_string() ? value->get<std::string>() : value->dump();
}

/// The longer distance from the load at `of` to the ends of its bracket; NaN where it has none.
double half_bracket(const json& of, const char* low, const char* high) {
    if (!of[low].is_number() || !of[high].is_number()) return NAN;
    const double load = of["load"];
    return std::max(load - of[low].get<double>(), of[high].get<double>() - load);
}

/// With digits as far as they are known; `runs`: folder of the runs of this combination.
std::string text_cell(const json& row, const row_column& c, const std::filesystem::path& runs) {
    const std::string name = c.name;
    const json* value = value_of(row, c);
    if (value == nullptr) return name == "saturation" ? row.value("status", "") : "–";
    if (name == "limiter") return value->get<std::string>() + ": " + row["limiter"]["why"].get<std::string>();
    if (!value->is_number()) return cell(row, c);
    const double x = *value;
    if (name == "of_bound") return fmt::format("{:.0f}%", 100 * x);
    if (name == "saturation")
        return without_error(x, half_bracket(row["saturation"], "sustained", "saturated"));
    if (name == "bound") return without_error(x, x - row["bound"]["attained"].get<double>());
    if (name == "slow_load") return without_error(x, half_bracket(row["slow"], "from", "to"));
    if (name == "zero_load_latency")
        return known_text(read_summary(runs / row["runs"][0]["run"].get<std::string>() / "summary.json"),
                          "/latency/packet/from_generation/mean");
    return readable(x);
}

std::string short_name(const std::string& path) {
    const auto dot = path.rfind('.');
    return dot == std::string::npos ? path : path.substr(dot + 1);
}

/// `runs`: folder of the runs, for people; null: for saturation.csv.
std::vector<std::vector<std::string>> cells(const sweep_plan& plan, const saturation_options& options,
                                            const std::vector<json>& rows,
                                            const std::filesystem::path* runs) {
    const bool for_people = runs != nullptr;
    std::vector<std::string> header{"point"};
    for (const auto& a : plan.axes) header.push_back(for_people ? short_name(a.path) : a.path);
    for (const row_column& c : row_columns) {
        if (!for_people)
            header.emplace_back(c.name);
        else if (std::string(c.name) == "slow_load")
            header.push_back(fmt::format("latency x{:g}", options.latency_factor));
        else if (*c.for_people != '\0')
            header.emplace_back(c.for_people);
    }
    std::vector<std::vector<std::string>> all{header};
    for (const auto& p : plan.points) {
        const json& row = rows[p.number];
        if (row.is_null()) continue;
        std::vector<std::string> line{std::to_string(p.number)};
        line.insert(line.end(), p.values.begin(), p.values.end());
        for (const row_column& c : row_columns)
            if (!for_people)
                line.push_back(cell(row, c));
            else if (*c.for_people != '\0')
                line.push_back(text_cell(row, c, *runs / fmt::format("{:03d}", p.number)));
        all.push_back(std::move(line));
    }
    return all;
}

/// Returns the columns for columns.json.
json about_columns(const sweep_plan& plan) {
    json all =
        json::array({{{"name", "point"}, {"kind", "count"}, {"unit", ""}, {"sentence", "Its number."}}});
    for (const auto& a : plan.axes)
        all.push_back({{"name", a.path}, {"kind", "text"}, {"unit", ""}, {"sentence", "An axis."}});
    for (const row_column& c : row_columns)
        all.push_back({{"name", c.name}, {"kind", "number"}, {"unit", c.unit}, {"sentence", c.sentence}});
    return {{"saturation.csv", {{"columns", all}}}};
}

json axes_of(const sweep_point& p, const sweep_plan& plan) {
    json axes = json::object();
    for (std::size_t i = 0; i < plan.axes.size(); ++i) axes[plan.axes[i].path] = p.values[i];
    return axes;
}

/// Returns what was not found, and what would help.
std::string not_found_text(const saturation_options& options, const std::vector<json>& rows) {
    std::size_t lost = 0, out_of_runs = 0;
    for (const json& row : rows) {
        if (!row.is_object() || row["status"] != "not found") continue;
        ++lost;
        out_of_runs += row["runs"].size() >= options.most_runs ? 1 : 0;
    }
    if (lost == 0) return "";
    std::string text = fmt::format("not found: {} of {} points, whose saturation is between 'from' and 'to'",
                                   lost, rows.size());
    if (out_of_runs != 0)
        text += fmt::format("; the same command with more --runs than {} goes on", options.most_runs);
    if (out_of_runs != lost) text += "; what is unsettled wants a longer measurement.batch";
    return text + "\n";
}

}  // namespace

json identity_of(const sweep_plan& plan, const saturation_options& options) {
    json axes = json::object();
    for (const auto& a : plan.axes) {
        axes[a.path] = json::array();
        for (const auto& v : a.values) axes[a.path].push_back(config::flow_style(v));
    }
    json all{{"program", "sare"},
             {"file", plan.file},
             {"axes", axes},
             {"tolerance", options.tolerance},
             {"latency_factor", options.latency_factor},
             {"config", plan.config}};
    if (!plan.cases.is_null()) all["cases"] = plan.cases;
    if (const json zipped = plan.zipped(); !zipped.is_null()) all["zipped"] = zipped;
    return all;
}

void write_saturation(const std::filesystem::path& where, const sweep_plan& plan,
                      const saturation_options& options, const std::vector<json>& rows) {
    const auto all = cells(plan, options, rows, nullptr);
    table written(all.front());
    for (std::size_t k = 1; k < all.size(); ++k) {
        for (const std::string& text : all[k]) written.cell(text);
        written.end_row();
    }
    replace_file(where / "saturation.csv", written.text());
    replace_file(where / columns_file, text_of(about_columns(plan)));
    json summary{{"program", "sare"},
                 {"version", version()},
                 {"tolerance", options.tolerance},
                 {"latency_factor", options.latency_factor},
                 {"load_unit", load_unit(plan.points.front().what)}};
    json& list = summary["combinations"] = json::array();
    for (const auto& p : plan.points) {
        if (rows[p.number].is_null()) continue;
        json one{{"point", p.number}, {"axes", axes_of(p, plan)}};
        one.update(rows[p.number]);
        list.push_back(std::move(one));
    }
    replace_file(where / "summary.json", text_of(summary));
}

std::string saturation_text(const std::filesystem::path& where, const sweep_plan& plan,
                            const saturation_options& options, const std::vector<json>& rows) {
    const std::filesystem::path runs = where / "points";
    std::string text = folded(cells(plan, options, rows, &runs), 1, terminal_width(1, std::string::npos / 2));
    for (const auto& p : plan.points) {
        const json& row = rows[p.number];
        if (row.contains("/bound/why"_json_pointer))
            text +=
                fmt::format("no bound of point {}: {}\n", p.number, row["bound"]["why"].get<std::string>());
    }
    return text + not_found_text(options, rows);
}

}  // namespace sare::cli
