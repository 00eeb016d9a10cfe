// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/results/result_set.h"

#include "tb/sare/process/terminal.h"
#include "tlm/config/hints.h"
#include "tlm/config/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

bool exists_at(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

result_set one_run(const fs::path& where, const fs::path& file) {
    result_set all;
    all.where = where;
    json summary = read_summary(file);
    all.config = summary.value("config", json::object());
    all.settings.push_back({{}, {std::move(summary)}});
    return all;
}

/// An axis in sweep.json, and its place among the axes that are stepped by themselves.
struct stepped_axis {
    std::string name;
    json values;
    std::size_t stride = 1;
};

/// Returns the axes; the last runs fastest, and zipped ones run with the first of them.
std::vector<stepped_axis> stepped_axes(const json& sweep, const fs::path& file) {
    const config::error bad(fmt::format("{}: 'axes' and 'zipped' are not those of a sweep", file.string()));
    std::vector<stepped_axis> axes;
    try {
        const json given = sweep.value("axes", json::object());
        for (const auto& [name, values] : given.items()) {
            if (!values.is_array()) throw bad;
            axes.push_back({name, values, 0});
        }
        const auto find = [&](const json& name) -> stepped_axis& {
            const auto at = std::find_if(axes.begin(), axes.end(), [&](const stepped_axis& a) {
                return a.name == name.get<std::string>();
            });
            if (at == axes.end()) throw bad;
            return *at;
        };
        std::size_t stride = 1;
        const json zipped = sweep.value("zipped", json::array());
        for (std::size_t i = axes.size(); i-- > 0;) {
            const auto with = std::find_if(zipped.begin(), zipped.end(), [&](const json& names) {
                return std::find(names.begin(), names.end(), axes[i].name) != names.end();
            });
            if (with != zipped.end() && with->at(0) != axes[i].name) continue;
            axes[i].stride = stride;
            stride *= std::max<std::size_t>(axes[i].values.size(), 1);
        }
        for (const json& names : zipped)
            for (const json& name : names) find(name).stride = find(names.at(0)).stride;
    } catch (const json::exception&) {
        throw bad;
    }
    return axes;
}

result_set sweep_of(const fs::path& where) {
    const fs::path file = where / "sweep.json";
    const json sweep = read_json(file);
    result_set all;
    all.where = where;
    all.is_sweep = true;
    if (sweep.is_object()) all.config = sweep.value("config", json::object());
    const auto axes = stepped_axes(sweep.is_object() ? sweep : json::object(), file);
    for (const stepped_axis& a : axes)
        if (a.name != "seed") all.axes.push_back(a.name);
    std::map<std::vector<std::string>, std::size_t> places;
    for (const std::size_t point : points_with_summary(where)) {
        std::vector<std::string> values;
        for (const stepped_axis& a : axes)
            if (a.name != "seed" && !a.values.empty())
                values.push_back(shown(a.values[point / a.stride % a.values.size()]));
        const std::size_t at = places.emplace(values, all.settings.size()).first->second;
        if (at == all.settings.size()) all.settings.push_back({values, {}});
        all.settings[at].runs.push_back(
            read_summary(where / "points" / fmt::format("{:03d}", point) / "summary.json"));
    }
    if (all.settings.empty())
        throw config::error(fmt::format("{}: a sweep without a finished point", where.string()));
    return all;
}

}  // namespace

void flatten(const json& tree, const std::string& path, figures& out) {
    if (!tree.is_structured() || tree.empty()) {
        out.emplace_back(path, tree);
        return;
    }
    std::size_t i = 0;
    for (const auto& [key, item] : tree.items()) {
        const std::string name = tree.is_array() ? std::to_string(i++) : key;
        flatten(item, path.empty() ? name : path + "." + name, out);
    }
}

std::string shown(const json& v) {
    return printable(v.is_string() ? v.get<std::string>() : v.dump());
}

json read_summary(const fs::path& file) {
    if (config::is_yaml_name(file))
        throw config::error(fmt::format(
            "{}: an experiment, and no result; compare takes what 'sare run' and 'sare sweep' write",
            file.string()));
    json tree = read_json(file);
    if (!tree.is_object() || !tree.contains("status"))
        throw config::error(fmt::format("{}: not a summary of sare", file.string()));
    return tree;
}

std::vector<std::size_t> points_with_summary(const fs::path& sweep) {
    std::vector<std::size_t> points;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(sweep / "points", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.size() < 10 && name.find_first_not_of("0123456789") == std::string::npos &&
            exists_at(entry.path() / "summary.json"))
            points.push_back(std::stoul(name));
    }
    std::sort(points.begin(), points.end());
    return points;
}

result_set read_results(const fs::path& where) {
    std::error_code ignored;
    if (!fs::is_directory(where, ignored)) return one_run(where, where);
    if (exists_at(where / "summary.json")) return one_run(where, where / "summary.json");
    if (exists_at(where / "sweep.json")) return sweep_of(where);
    throw config::error(fmt::format(
        "{}: neither summary.json (of a run) nor sweep.json (of a sweep) is in it", where.string()));
}

}  // namespace sare::cli
