// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/commands.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/result_json.h"
#include "tb/sare/usage.h"
#include "tlm/config/text_file.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

struct compare_options {
    std::string a, b;
    double rel = 0, abs = 0;
    std::vector<std::string> ignored;
};

/// The figures of a result by their dotted paths.
using figures = std::vector<std::pair<std::string, json>>;

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

void add_summary(const fs::path& file, const std::string& path, figures& out) {
    if (config::is_yaml_name(file))
        throw config::error(fmt::format(
            "{}: an experiment, and no result; compare takes what 'sare run' and 'sare sweep' write",
            file.string()));
    json tree = read_json(file);
    if (!tree.is_object() || !tree.contains("status"))
        throw config::error(fmt::format("{}: not a summary of sare", file.string()));
    tree.erase("run");
    tree.erase("version");
    flatten(tree, path, out);
}

bool is_sweep(const fs::path& where) {
    std::error_code ignored;
    return fs::exists(where / "sweep.json", ignored) && !fs::exists(where / "summary.json", ignored);
}

figures load(const fs::path& where) {
    figures out;
    std::error_code ignored;
    if (!fs::is_directory(where, ignored)) {
        add_summary(where, "", out);
        return out;
    }
    if (fs::exists(where / "summary.json", ignored)) {
        add_summary(where / "summary.json", "", out);
        return out;
    }
    if (!fs::exists(where / "sweep.json", ignored))
        throw config::error(fmt::format(
            "{}: neither summary.json (of a run) nor sweep.json (of a sweep) is in it", where.string()));
    std::vector<fs::path> points;
    for (const auto& entry : fs::directory_iterator(where / "points", ignored))
        if (fs::exists(entry.path() / "summary.json", ignored)) points.push_back(entry.path());
    std::sort(points.begin(), points.end());
    for (const auto& p : points) add_summary(p / "summary.json", "points." + p.filename().string(), out);
    return out;
}

/// A path is ignored with all below it; within a sweep also without the name of the point.
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

std::string shown(const json& v) {
    return printable(v.is_string() ? v.get<std::string>() : v.dump());
}

std::string deviation(const json& a, const json& b) {
    if (!a.is_number() || !b.is_number() || a.get<double>() == 0) return "";
    return fmt::format("{:+.3g} %", 100 * (b.get<double>() - a.get<double>()) / std::abs(a.get<double>()));
}

int compare(const compare_options& o) {
    const figures a = load(o.a);
    if (is_sweep(o.a) != is_sweep(o.b)) {
        const std::string& sweep = is_sweep(o.a) ? o.a : o.b;
        throw usage_error(fmt::format(
            "compare: {} is a sweep and {} a run; name two of a kind: the runs of a sweep are in {}", sweep,
            is_sweep(o.a) ? o.b : o.a, (fs::path(sweep) / "points").string()));
    }
    figures of_b = load(o.b);
    std::map<std::string, json> b(of_b.begin(), of_b.end());
    std::vector<std::vector<std::string>> rows{{"figure", o.a, o.b, ""}};
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
    if (rows.size() == 1) {
        fmt::print("{} figures agree\n", compared);
        return exit_status::good;
    }
    fmt::print("{}{} of {} figures differ\n", aligned(rows), rows.size() - 1, compared);
    return exit_status::failure;
}

}  // namespace

void add_compare(CLI::App& app, action& chosen) {
    auto* command = app.add_subcommand("compare", "Compare two results; status 1 when they differ");
    auto options = std::make_shared<compare_options>();
    command->add_option("A", options->a, "Directory of a run or a sweep, or a summary.json")->required();
    command->add_option("B", options->b, "What it is compared with")->required();
    command
        ->add_option("--rel", options->rel, "Relative tolerance of numbers, of the larger one (default: 0)")
        ->type_name("X")
        ->check(number_from_0());
    command->add_option("--abs", options->abs, "Absolute tolerance, added to it (default: 0)")
        ->type_name("Y")
        ->check(number_from_0());
    command
        ->add_option("--ignore", options->ignored, "Leave out a figure or all below it; may be given again")
        ->type_name("PATH")
        ->allow_extra_args(false);
    command->footer(
        "Example:\n"
        "  sare compare out/before out/after --rel 0.03 --ignore config\n"
        "What depends on the wall clock ('run') and the version are never compared.");
    command->callback([&chosen, options] { chosen = [options] { return compare(*options); }; });
}

}  // namespace sare::cli
