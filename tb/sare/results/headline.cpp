// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/results/headline.h"

#include "tb/sare/process/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sare::cli {
namespace {

struct headline_form {
    const char* name;
    const char* pointer;     ///< place in the summary
    const char* batch;       ///< key in the batches; null: none
    const char* confidence;  ///< null there: the batches do not tell; null: they always do
    bool is_exact;
};

constexpr headline_form forms[] = {
    {"makespan, cycles", "/workload/makespan_cycles", nullptr, nullptr, true},
    {"offered load", "/load/offered", "offered", nullptr, false},
    {"accepted load", "/load/accepted", "accepted", nullptr, false},
    {"latency, mean", "/latency/packet/from_generation/mean", "latency_mean",
     "/latency/packet/from_generation/ci95", false},
    {"latency, p99", "/latency/packet/from_generation/p99", nullptr, nullptr, false},
    {"hops, mean", "/hops/mean", nullptr, nullptr, false},
    {"busiest link", "/links/busiest/utilisation", nullptr, nullptr, false},
};

bool read_number(const json& tree, const std::string& pointer, double& to) {
    const json::json_pointer at(pointer);
    if (!tree.contains(at) || !tree.at(at).is_number()) return false;
    to = tree.at(at).get<double>();
    return true;
}

/// Returns "completed", or "4 completed, 1 saturated".
headline_figure status_headline(const std::vector<json>& runs) {
    std::map<std::string, std::size_t> counts;
    for (const json& run : runs) ++counts[shown(run.value("status", json()))];
    headline_figure h;
    h.name = "status";
    for (const auto& [name, count] : counts)
        h.text += (h.text.empty() ? "" : ", ") + (counts.size() > 1 ? fmt::format("{} ", count) : "") + name;
    return h;
}

headline_figure number_headline(const headline_form& f, const std::vector<json>& runs) {
    headline_figure h;
    h.name = f.name;
    h.is_number = true;
    h.is_exact = f.is_exact;
    static const json::json_pointer steady("/latency/steady");
    const bool is_latency = std::string_view(f.pointer).rfind("/latency/", 0) == 0;
    for (const json& run : runs) {
        if (double x = 0; read_number(run, f.pointer, x)) h.samples.push_back(x);
        if (is_latency && run.contains(steady) && run.at(steady) == false) h.is_steady = false;
    }
    if (h.samples.empty()) return h;
    h.value = estimate_of(h.samples);
    double none = 0;
    if (runs.size() == 1 && f.batch != nullptr &&
        (f.confidence == nullptr || read_number(runs[0], f.confidence, none)))
        h.value = batch_estimate(runs[0], f.batch, h.value.mean);
    return h;
}

}  // namespace

std::string headline_figure::cell() const {
    if (!is_number) return text;
    if (samples.empty()) return "-";
    return with_error(value.mean, value.half_width()) + (is_steady ? "" : "*");
}

estimate batch_estimate(const json& run, const char* key, double mean) {
    std::vector<double> samples;
    if (const auto batches = run.find("batches"); batches != run.end() && batches->is_array())
        for (const json& batch : *batches)
            if (batch.is_object() && batch.contains(key) && batch[key].is_number())
                samples.push_back(batch[key].get<double>());
    estimate e = estimate_of(samples);
    e.mean = mean;
    return e;
}

double half_width_of(const json& run, const std::string& pointer) {
    const auto slash = pointer.rfind('/');
    const std::string section = pointer.substr(0, slash), name = pointer.substr(slash + 1);
    double width = NAN;
    read_number(run, name == "mean" ? section + "/ci95" : pointer + "_ci95", width);
    if (std::isnan(width) && section == "/load") return batch_estimate(run, name.c_str(), 0).half_width();
    return width;
}

std::string known_text(const json& run, const std::string& pointer) {
    double x = NAN;
    return read_number(run, pointer, x) ? with_error(x, half_width_of(run, pointer)) : "-";
}

std::vector<headline_figure> headlines(const std::vector<json>& runs) {
    std::vector<headline_figure> all{status_headline(runs)};
    for (const headline_form& f : forms) {
        headline_figure h = number_headline(f, runs);
        if (!h.samples.empty()) all.push_back(std::move(h));
    }
    return all;
}

headline_figure saturation(const std::vector<const std::vector<json>*>& curve) {
    struct best {
        double accepted = 0;
        const json* run = nullptr;
    };
    std::map<std::string, best> seeds;
    for (const auto* point : curve)
        for (const json& run : *point)
            if (double x = 0; read_number(run, "/load/accepted", x)) {
                best& most = seeds[run.value("seed", json()).dump()];
                if (most.run == nullptr || x > most.accepted) most = {x, &run};
            }
    headline_figure h;
    h.name = "highest accepted load";
    h.is_number = true;
    for (const auto& [seed, most] : seeds) h.samples.push_back(most.accepted);
    if (h.samples.empty()) return h;
    h.value = estimate_of(h.samples);
    if (seeds.size() == 1)
        h.value = batch_estimate(*seeds.begin()->second.run, "accepted", h.samples.front());
    return h;
}

}  // namespace sare::cli
