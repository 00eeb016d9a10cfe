// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_plan.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tlm/config/yaml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace sare::cli {
namespace {

constexpr const char* load_path = "traffic.load";

bool is_load(const sweep_axis& a) {
    return a.path == load_path;
}

/// Returns the tree over which a point sets its parameters.
const config::value& base_of(const sweep_source& source, const sweep_axis& axis,
                             const config::value& chosen) {
    const std::string name = config::flow_style(chosen);
    std::vector<std::string> known;
    for (const auto& [other, tree] : source.cases) {
        if (other == name) return tree;
        known.push_back(other);
    }
    const std::string near = config::nearest(name, known);
    throw usage_error(fmt::format("--axis {}: no case '{}'; {} has {}", axis.path, name, source.file,
                                  fmt::join(known, ", ")) +
                      (near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

sweep_point make_point(const sweep_source& source, const sweep_plan& plan, const experiment& whole,
                       std::size_t number) {
    sweep_point p;
    p.number = number;
    config::value tree = source.tree;
    const auto at = places(plan.axes, plan.steps, number);
    for (std::size_t i = 0; i < plan.axes.size(); ++i)
        if (plan.axes[i].path == case_axis) tree = base_of(source, plan.axes[i], plan.axes[i].values[at[i]]);
    config::settings all;
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
        const config::value& v = plan.axes[i].values[at[i]];
        if (plan.axes[i].path != case_axis) all.emplace_back(plan.axes[i].path, v);
        p.values.push_back(config::flow_style(v));
        if (is_load(plan.axes[i])) p.load = config::to_number(v, load_path, 0, 1e6);
    }
    all.insert(all.begin(), source.below_axes.begin(), source.below_axes.end());
    config::set_parameters(tree, std::move(all));
    p.what = experiment::read(tree, source.folder, &whole);
    return p;
}

/// Returns what distinguishes curves: everything but the load.
std::string curve_key(const std::vector<sweep_axis>& axes, const sweep_point& p) {
    const bool along_load = std::any_of(axes.begin(), axes.end(), is_load);
    std::string key;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (!is_load(axes[i])) key += p.values[i] + "\n";
    return along_load ? key : std::to_string(p.number);
}

void group(sweep_plan& plan) {
    std::map<std::string, std::size_t> groups, curves;
    for (auto& p : plan.points) {
        p.group = groups.emplace(p.what.structure(), groups.size()).first->second;
        p.curve = curves.emplace(curve_key(plan.axes, p), curves.size()).first->second;
        plan.curves.resize(curves.size());
        plan.curves[p.curve].push_back(p.number);
    }
    plan.groups = groups.size();
    for (auto& curve : plan.curves)
        std::stable_sort(curve.begin(), curve.end(), [&](std::size_t a, std::size_t b) {
            return plan.points[a].load < plan.points[b].load;
        });
}

}  // namespace

void axis_options::declare(command_parser& command, std::vector<std::string>& axes,
                           std::vector<std::string>& zips) {
    command.add_repeated(
        "--axis", axes, "PATH=A,B,C",
        "A parameter and its values, in YAML, or a range FIRST:LAST:STEP; may be given again");
    command.add_flag("--zip", zips,
                     "The axes go together, value by value; --zip=PATH,PATH: only these; may be given again");
}

sweep_source axis_options::source_over(input_options input) const {
    std::vector<std::string> paths;
    for (const std::string& axis : axes) paths.push_back(split_assignment("--axis", axis).first);
    if (std::count(paths.begin(), paths.end(), case_axis) != 0 && !input.chosen_case().empty())
        throw usage_error("--set case and --axis case are not possible together; give one of them");
    input.axes = paths;
    sweep_source source{input.file, input.folder(), {}, axes, zips, {}, input.settings_below_axes()};
    for (std::string& zip : source.zips)
        if (zip == "true") zip = fmt::format("{}", fmt::join(paths, ","));
    source.cases = input.trees_of_cases();
    source.tree = source.cases.empty() ? input.tree() : source.cases.front().second;
    return source;
}

std::size_t sweep_plan::seed_axis() const {
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].path == "seed" && axes[i].values.size() > 1)
            for (const sweep_step& s : steps)
                if (s.axes == std::vector<std::size_t>{i}) return i;
    return axes.size();
}

json sweep_plan::zipped() const {
    json all;
    for (const sweep_step& s : steps) {
        if (s.axes.size() < 2) continue;
        json together = json::array();
        for (const std::size_t i : s.axes) together.push_back(axes[i].path);
        all.push_back(together);
    }
    return all;
}

sweep_plan make_plan(const sweep_source& source) {
    sweep_plan plan;
    plan.file = source.file;
    plan.axes = parse_axes(source.axes);
    const auto of_cases = std::find_if(plan.axes.begin(), plan.axes.end(),
                                       [](const sweep_axis& a) { return a.path == case_axis; });
    if (of_cases != plan.axes.end() && source.cases.empty())
        throw usage_error(fmt::format("--axis case: {} has no cases", source.file));
    if (of_cases == plan.axes.end() && !source.cases.empty()) {
        sweep_axis all{case_axis, {}};
        for (const auto& [name, tree] : source.cases) all.values.push_back(config::value::scalar(name));
        plan.axes.insert(plan.axes.begin(), std::move(all));
    }
    plan.steps = steps_of(plan.axes, source.zips);
    const experiment whole = experiment::read(source.tree, source.folder, source.known.get());
    plan.config = to_json(whole);
    for (const auto& [name, tree] : source.cases)
        plan.cases[name] = to_json(experiment::read(tree, source.folder, &whole));
    const std::size_t n = count_points(plan.axes, plan.steps);
    for (std::size_t i = 0; i < n; ++i) plan.points.push_back(make_point(source, plan, whole, i));
    group(plan);
    return plan;
}

std::size_t curve_end(const std::vector<std::size_t>& curve, const std::vector<std::string>& status) {
    std::size_t past = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const std::string& s = status[curve[i]];
        if ((s == "saturated" || s == "deadlock") && ++past == points_past_saturation) return i + 1;
    }
    return curve.size();
}

}  // namespace sare::cli
