// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/commands.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/compare.h"
#include "tb/sare/results/result_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

void add_summary(json summary, const std::string& path, figures& out) {
    summary.erase("run");
    summary.erase("version");
    flatten(summary, path, out);
}

bool is_sweep(const fs::path& where) {
    std::error_code ignored;
    return fs::exists(where / "sweep.json", ignored) && !fs::exists(where / "summary.json", ignored);
}

figures all_figures(const fs::path& where) {
    figures out;
    if (is_sweep(where)) {
        for (const std::size_t p : points_with_summary(where)) {
            const std::string name = fmt::format("{:03d}", p);
            add_summary(read_summary(where / "points" / name / "summary.json"), "points." + name, out);
        }
        return out;
    }
    const result_set one = read_results(where);
    add_summary(one.settings.front().runs.front(), "", out);
    return out;
}

/// True if a path is ignored, with all below it; within a sweep also without the name of the point.
bool is_ignored(const std::string& path, const std::vector<std::string>& ignored) {
    const auto below = [](const std::string& text, const std::string& head) {
        return text.compare(0, head.size(), head) == 0 &&
               (text.size() == head.size() || text[head.size()] == '.');
    };
    std::string short_path = path;
    if (path.rfind("points.", 0) == 0)
        short_path = path.substr(std::min(path.find('.', 7), path.size() - 1) + 1);
    return std::any_of(ignored.begin(), ignored.end(),
                       [&](const std::string& i) { return below(path, i) || below(short_path, i); });
}

bool agree(const json& a, const json& b, const compare_options& o) {
    if (!a.is_number() || !b.is_number()) return a == b;
    const double x = a.get<double>(), y = b.get<double>();
    return a == b || std::abs(x - y) <= o.abs + o.rel * std::max(std::abs(x), std::abs(y));
}

std::string deviation(const json& a, const json& b) {
    if (!a.is_number() || !b.is_number() || a.get<double>() == 0) return "";
    return fmt::format("{:+.3g} %", 100 * (b.get<double>() - a.get<double>()) / std::abs(a.get<double>()));
}

}  // namespace

comparison compare_exactly(const fs::path& where_a, const fs::path& where_b, const compare_options& o) {
    const figures a = all_figures(where_a);
    if (is_sweep(where_a) != is_sweep(where_b)) {
        const fs::path& sweep = is_sweep(where_a) ? where_a : where_b;
        throw usage_error(fmt::format(
            "compare: {} is a sweep and {} a run; name two of a kind: the runs of a sweep are in {}",
            sweep.string(), (is_sweep(where_a) ? where_b : where_a).string(), (sweep / "points").string()));
    }
    const figures of_b = all_figures(where_b);
    std::map<std::string, json> b(of_b.begin(), of_b.end());
    std::vector<std::vector<std::string>> rows{{"figure", where_a.string(), where_b.string(), ""}};
    std::size_t compared = 0;
    for (const auto& [path, x] : a) {
        const auto found = b.find(path);
        const json y = found == b.end() ? json("(absent)") : found->second;
        if (found != b.end()) b.erase(found);
        if (is_ignored(path, o.ignored)) continue;
        ++compared;
        if (!agree(x, y, o)) rows.push_back({path, shown(x), shown(y), deviation(x, y)});
    }
    for (const auto& [path, y] : of_b)
        if (b.count(path) != 0 && !is_ignored(path, o.ignored)) {
            ++compared;
            rows.push_back({path, "(absent)", shown(y), ""});
        }
    if (rows.size() == 1) return {false, fmt::format("{} figures agree\n", compared)};
    return {true, table_or_paragraphs(rows, terminal_width()) +
                      fmt::format("{} of {} figures differ\n", rows.size() - 1, compared)};
}

}  // namespace sare::cli
