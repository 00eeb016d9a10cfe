// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_plan.h"

#include "tb/sare/commands.h"
#include "tlm/config/yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare::cli {
namespace {

constexpr const char* load_path = "traffic.load";
constexpr std::size_t most_points = 100'000;

bool is_load(const sweep_axis& a) {
    return a.path == load_path;
}

std::size_t count_points(const std::vector<sweep_axis>& axes) {
    std::size_t n = 1;
    for (const auto& a : axes)
        if ((n *= a.values.size()) > most_points)
            throw usage_error(
                fmt::format("the axes make more than {} points; sweep a part at a time", most_points));
    return n;
}

/// The place of point `n` on each axis.
std::vector<std::size_t> places(const std::vector<sweep_axis>& axes, std::size_t n) {
    std::vector<std::size_t> at(axes.size());
    for (std::size_t i = axes.size(); i-- > 0; n /= axes[i].values.size()) at[i] = n % axes[i].values.size();
    return at;
}

sweep_point make_point(const sweep_source& source, const std::vector<sweep_axis>& axes, std::size_t number) {
    sweep_point p;
    p.number = number;
    config::value tree = source.tree;
    const auto at = places(axes, number);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const config::value& v = axes[i].values[at[i]];
        tree.set_path(axes[i].path, v);
        p.values.push_back(config::flow_style(v));
        if (is_load(axes[i])) p.load = config::to_number(v, load_path, 0, 1e6);
    }
    p.what = experiment::read(tree, source.folder);
    return p;
}

/// What tells curves apart: everything but the load.
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

sweep_axis parse_axis(const std::string& text) {
    const auto [path, values] = split_assignment("--axis", text);
    const config::value list = config::parse_yaml("[" + values + "]", "--axis " + path);
    if (list.type() != config::value::kind::list || list.items().empty())
        throw usage_error(fmt::format("--axis {}: no values; write --axis {}=a,b,c", path, path));
    return {path, list.items()};
}

sweep_plan make_plan(const sweep_source& source) {
    sweep_plan plan;
    plan.file = source.file;
    for (const auto& text : source.axes) {
        plan.axes.push_back(parse_axis(text));
        for (std::size_t i = 0; i + 1 < plan.axes.size(); ++i)
            if (plan.axes[i].path == plan.axes.back().path)
                throw usage_error(fmt::format("--axis {} is given twice", plan.axes[i].path));
    }
    plan.config = to_json(experiment::read(source.tree, source.folder));
    const std::size_t n = count_points(plan.axes);
    for (std::size_t i = 0; i < n; ++i) plan.points.push_back(make_point(source, plan.axes, i));
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
