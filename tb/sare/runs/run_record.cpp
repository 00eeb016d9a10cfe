// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/runs/run_record.h"

#include "tb/sare/commands.h"
#include "tb/sare/results/headline.h"
#include "tb/sare/results/result_set.h"
#include "tb/sare/run/plugins.h"
#include "tlm/base/joined.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

struct headline {
    const char* path;     ///< path in the store
    const char* pointer;  ///< pointer into the summary
};
constexpr headline headline_figures[] = {
    {"nodes", "/topology/nodes"},
    {"routers", "/topology/routers"},
    {"cycles", "/cycles"},
    {"makespan_cycles", "/workload/makespan_cycles"},
    {"packets.consumed", "/packets/consumed"},
    {"packets.dropped", "/packets/dropped"},
    {"load.offered", "/load/offered"},
    {"load.accepted", "/load/accepted"},
    {"latency.mean", "/latency/packet/from_generation/mean"},
    {"latency.ci95", "/latency/packet/from_generation/ci95"},
    {"latency.p50", "/latency/packet/from_generation/p50"},
    {"latency.p99", "/latency/packet/from_generation/p99"},
    {"latency.max", "/latency/packet/from_generation/max"},
    {"hops.mean", "/hops/mean"},
    {"links.max_utilisation", "/links/max_utilisation"},
    {"energy.total", "/power/energy/total"},
    {"energy.per_bit", "/power/energy/per_bit"},
    {"power.mean", "/power/mean"},
    {"wall_s", "/run/wall_s"},
    {"cycles_per_s", "/run/cycles_per_s"},
    {"peak_rss_bytes", "/run/peak_rss_bytes"},
};

std::string processor_name() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.rfind("model name", 0) == 0)
            if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return "unknown processor";
}

std::string host_name() {
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// Returns place, size and time of a file; "" if there is none.
std::string stamp_of(const fs::path& file) {
    std::error_code problem;
    if (!fs::is_regular_file(file, problem)) return "";
    const auto size = fs::file_size(file, problem);
    const auto time = fs::last_write_time(file, problem).time_since_epoch().count();
    return fmt::format("{} {} {}\n", fs::absolute(file, problem).lexically_normal().string(), size, time);
}

/// Adds the stamps of all files that texts of a configuration name.
void add_stamps(const json& tree, const std::string& folder, std::string& to) {
    if (tree.is_structured())
        for (const json& item : tree) add_stamps(item, folder, to);
    else if (tree.is_string() && !tree.get_ref<const std::string&>().empty())
        to += stamp_of(fs::path(folder) / tree.get<std::string>());
}

}  // namespace

void add_values(std::vector<std::pair<std::string, json>>& to, const json& tree, const std::string& path) {
    if (tree.is_object()) {
        for (const auto& [key, item] : tree.items())
            add_values(to, item, path.empty() ? key : path + "." + key);
    } else if (tree.is_array()) {
        const bool plain =
            std::none_of(tree.begin(), tree.end(), [](const json& x) { return x.is_structured(); });
        to.emplace_back(path, plain ? "[" + joined(tree, ", ", shown) + "]" : tree.dump());
    } else if (tree.is_boolean()) {
        to.emplace_back(path, tree.get<bool>() ? "true" : "false");
    } else if (!tree.is_null()) {
        to.emplace_back(path, tree);
    }
}

std::string identity_of(const experiment& e) {
    const json all = to_json(e);
    std::string text = all.dump() + "\n";
    for (const plugin_file& p : loaded_plugins()) text += p.sha256 + "\n";
    add_stamps(all, e.folder, text);
    constexpr std::string_view dirty = "-dirty";  // such a version says little of the program
    const std::string v = version();
    if (v.size() > dirty.size() && v.compare(v.size() - dirty.size(), dirty.size(), dirty) == 0)
        text += stamp_of(fs::read_symlink("/proc/self/exe"));
    return sha256(text);
}

bool is_summary_of(const json& summary, const experiment& e) {
    return summary.is_object() && summary.value("version", "") == version() &&
           summary.value("seed", json()) == e.seed && summary.value("config", json()) == to_json(e);
}

std::string stored_name(const fs::path& directory) {
    return (fs::absolute(directory) / "").lexically_normal().parent_path().string();
}

run_record new_record(const std::string& kind, const fs::path& directory) {
    run_record r;
    r.kind = kind;
    r.version = version();
    r.recorded = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    r.host = host_name();
    r.machine = fmt::format("{}, {} processors", processor_name(), std::thread::hardware_concurrency());
    r.directory = stored_name(directory);
    return r;
}

void add_configuration(run_record& record, const experiment& e) {
    json all = to_json(e);
    record.name = e.name;
    record.seed = static_cast<std::int64_t>(e.seed);
    record.identity = identity_of(e);
    record.configuration = all.dump();
    for (const char* of_record : {"name", "seed"}) all.erase(of_record);
    add_values(record.values, all, "");
}

bool is_parameter(const std::string& path) {
    static const std::vector<std::string> sections = experiment::fields().names();
    const auto is_it = [&](const headline& h) { return path == h.path; };
    return path.rfind("cosim.found.", 0) != 0 &&
           std::none_of(std::begin(headline_figures), std::end(headline_figures), is_it) &&
           std::find(sections.begin(), sections.end(), path.substr(0, path.find('.'))) != sections.end();
}

run_record record_of_run(const experiment& e, const std::string& name, const fs::path& directory) {
    const json summary = read_summary(directory / "summary.json");
    run_record r = new_record("run", directory);
    add_configuration(r, e);
    if (r.name.empty()) r.name = name;
    r.status = summary.value("status", "");
    for (const headline& h : headline_figures) {
        const json::json_pointer at(h.pointer);
        if (summary.contains(at) && summary.at(at).is_number()) r.values.emplace_back(h.path, summary.at(at));
    }
    if (const double width = half_width_of(summary, "/load/accepted"); std::isfinite(width))
        r.values.emplace_back("load.accepted_ci95", width);
    return r;
}

}  // namespace sare::cli
