// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/combination.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/results/result_files.h"
#include "tb/sare/run/plugins.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/saturate/traffic_bound.h"
#include "tb/sare/sweep/job_pool.h"
#include "tlm/network/results/causes.h"
#include "traffic/source/open_loop.h"

#include <fmt/format.h>

#include <cmath>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// Returns the experiment of a run.
experiment experiment_of(const experiment& base, const saturation_probe& p) {
    experiment e = base;
    e.traffic.set_path("load", config::number(p.load));
    e.seed += p.seed;
    e.measurement.warmup *= p.length;
    e.measurement.batch *= p.length;
    return e;
}

double number_at(const json& summary, const char* pointer) {
    const json::json_pointer at(pointer);
    return summary.contains(at) && summary.at(at).is_number() ? summary.at(at).get<double>() : std::nan("");
}

json number_or_null(double x) {
    return std::isfinite(x) && x > 0 ? json(x) : json();
}

/// A combination in the user's store: its parameters, and what was found.
class recorded_combination {
  public:
    recorded_combination(const sweep_point& combination, const fs::path& folder,
                         const saturation_options& options, run_recorder& recorder)
        : m_recorder(recorder) {
        if (!m_recorder.is_on()) return;
        m_record = new_record("saturate", folder);
        add_configuration(m_record, combination.what);
        m_record.identity = sha256(fmt::format("{} {} {} {}", m_record.identity, options.tolerance,
                                               options.latency_factor, options.most_runs));
        m_record.status = "running";
        m_record.id = m_recorder.add(m_record);
    }

    /// Copies a run that the store has.
    void look_for(const experiment& e, const fs::path& where) {
        const fs::path known = m_recorder.known(e);
        if (known.empty()) return;
        result_directory whole(where, result_directory::existing::replace);
        copy_results(known, whole.path());
        whole.commit();
    }
    void add(const experiment& e, const fs::path& where) {
        m_recorder.add(e, m_record.name, where, m_record.id);
    }
    void end(const json& row) {
        if (!m_recorder.is_on()) return;
        static constexpr std::pair<const char*, const char*> figures[] = {
            {"saturation", "/saturation/load"},
            {"sustained", "/saturation/sustained"},
            {"saturated", "/saturation/saturated"},
            {"zero_load_latency", "/zero_load_latency"},
            {"slow_load", "/slow/load"},
            {"bound", "/bound/load"}};
        m_record.status = row.at("status");
        for (const auto& [path, pointer] : figures)
            if (const json::json_pointer at(pointer); row.contains(at) && row.at(at).is_number())
                m_record.values.emplace_back(path, row.at(at));
        m_recorder.add(m_record);
    }
    void end_early() {
        if (!m_recorder.is_on()) return;
        m_record.status = stop_requested() != 0 ? "interrupted" : "failed";
        m_recorder.add(m_record);
    }

  private:
    run_recorder& m_recorder;
    run_record m_record;
};

class combination_runs {
  public:
    combination_runs(const experiment& base, simulation& network, fs::path folder,
                     recorded_combination& recorded)
        : m_base(base), m_network(network), m_folder(std::move(folder)), m_recorded(recorded) {}

    /// Makes a run, or finds it, and returns its sample.
    saturation_sample make(const saturation_probe& p, const std::function<void(double)>& progress) {
        const std::string name = fmt::format("{:02d}", m_rows.size());
        const experiment e = experiment_of(m_base, p);
        json found = find(m_folder / name, e);
        if (found.is_null()) {
            m_recorded.look_for(e, m_folder / name);
            found = find(m_folder / name, e);
        }
        if (found.is_null()) {
            run(m_folder / name, e, progress);
            found = find(m_folder / name, e);
        }
        if (found.is_null())
            throw std::runtime_error(fmt::format("{}: no result", (m_folder / name).string()));
        m_recorded.add(e, m_folder / name);
        const saturation_sample s = sample_of(p, found);
        m_rows.push_back({{"run", name},
                          {"load", p.load},
                          {"seed", e.seed},
                          {"length", p.length},
                          {"status", found["status"]},
                          {"offered", number_or_null(number_at(found, "/load/offered"))},
                          {"accepted", number_or_null(number_at(found, "/load/accepted"))},
                          {"latency_mean", number_or_null(number_at(found, mean_latency))}});
        return s;
    }
    const json& rows() const { return m_rows; }

  private:
    static constexpr const char* mean_latency = "/latency/packet/from_generation/mean";

    static saturation_sample sample_of(const saturation_probe& p, const json& summary) {
        using verdict = saturation_sample::verdict;
        const std::string status = summary["status"];
        if (status == "completed") return {p, verdict::sustained, number_at(summary, mean_latency)};
        if (status == "saturated") return {p, verdict::saturated, 0};
        if (status == "unsettled") return {p, verdict::unsettled, number_at(summary, mean_latency)};
        throw std::runtime_error(
            fmt::format("{} at load {}: {}", status, p.load, summary.value("status_reason", "")));
    }

    /// Returns the summary of an existing run of the same configuration and version.
    static json find(const fs::path& where, const experiment& e) {
        std::error_code ignored;
        if (!fs::exists(where / "summary.json", ignored)) return {};
        try {
            json found = read_json(where / "summary.json");
            const bool same = found.is_object() && found.value("version", "") == version() &&
                              found.value("seed", json()) == e.seed &&
                              found.value("config", json()) == cli::to_json(e);
            if (same && found.value("status", "interrupted") != "interrupted") return found;
        } catch (const config::error&) {
        }
        return {};
    }

    /// Runs in a process of its own.
    void run(const fs::path& where, const experiment& e, const std::function<void(double)>& progress) {
        std::string problem;
        job_pool(1, 1).run(
            [&](std::size_t, const std::function<void(double)>& done) -> json {
                result_directory directory(where, result_directory::existing::replace);
                run_control control;
                control.on_progress = [&](const sare::progress& p) { done(p.done); };
                control.outlives_result = true;
                const run_result result = m_network.run(e, control);
                write_result(directory.path(), e, result);
                directory.commit();
                return json::object();
            },
            [&](std::size_t, const json&, const std::string& why) { problem = why; }, progress);
        if (!problem.empty()) throw std::runtime_error(problem);
        if (stop_requested() != 0) throw std::runtime_error("interrupted");
    }

    const experiment& m_base;
    simulation& m_network;
    fs::path m_folder;
    recorded_combination& m_recorded;
    json m_rows = json::array();
};

const char* word_of(channel_limit limit) {
    static constexpr const char* words[] = {"width", "credits", "pace", "rate"};
    return words[static_cast<std::size_t>(limit)];
}

json bound_json(const channel_bound& b, const place_names& names) {
    if (!b.exists()) return {{"load", nullptr}, {"why", b.why}};
    json out = {{"load", b.load},     {"link", sare::text_of(b.first, names)}, {"busiest", b.busiest},
                {"exact", !b.choice}, {"limit", word_of(b.first.limit)},       {"attained", b.attained}};
    if (!b.domain.empty()) out["domain"] = b.domain;
    return out;
}

/// Returns what the bracket is based on; if it has no headline, why.
std::string confidence_of(const saturation_search& search, const saturation_goal& goal) {
    const load_bracket b = search.saturation();
    if (search.never_saturates()) return fmt::format("sustained at {:.4g}, the highest load tried", b.low);
    const std::size_t below = search.seeds_below(), above = search.seeds_above();
    std::string text = fmt::format("{} seed{} below, ", below, below == 1 ? "" : "s");
    if (above != 0 || !search.limit_is_upper_end()) text += fmt::format("{} above", above);
    if (search.limit_is_upper_end()) text += above != 0 ? ", and the bound" : "the bound above";
    if (b.high == 0 || b.width() > widest_bracket)
        text += fmt::format(", more than {:.0f}% apart", 100 * widest_bracket);
    if (search.found()) return text;
    if (!goal.other_seeds) text += ", another seed is other traffic";
    if (const auto open = search.unsettled(); !open.empty())
        text += fmt::format(", unsettled at {:.4g}", open.front());
    return text;
}

json result_of(const saturation_search& search, const saturation_goal& goal, const channel_bound& bound,
               const place_names& names) {
    const load_bracket b = search.saturation();
    const auto slow = search.slow();
    json out;
    out["status"] = search.never_saturates() ? "not saturated" : search.found() ? "found" : "not found";
    const json load = search.found() ? json(search.load()) : json();
    out["saturation"] = {{"load", load},
                         {"sustained", number_or_null(b.low)},
                         {"saturated", number_or_null(b.high)},
                         {"confidence", confidence_of(search, goal)}};
    out["of_bound"] = bound.exists() && search.found() ? json(search.load() / bound.load) : json();
    out["zero_load_latency"] = number_or_null(search.zero_load_latency());
    out["slow"] = json();
    if (slow)
        out["slow"] = {{"load", slow->width() <= widest_bracket ? json(search.slow_load()) : json()},
                       {"from", slow->low},
                       {"to", slow->high}};
    out["bound"] = bound_json(bound, names);
    return out;
}

/// Returns the channel that sets a bound, as a root of congestion.
json root_of(const channel_bound& bound, const place_names& names) {
    using reason = congestion_root::reason;
    const network_channel& c = bound.first;
    const char* const kind = c.what == network_channel::kind::injection  ? "injection"
                             : c.what == network_channel::kind::ejection ? "ejection"
                                                                         : "router";
    if (c.limit == channel_limit::rate)
        return {{"link", sare::text_of(c, names)}, {"kind", kind}, {"reason", "rate"}};
    congestion_root root;
    root.domain = bound.domain;
    root.why = c.limit == channel_limit::credits ? reason::credits
               : c.limit == channel_limit::pace  ? reason::pace
               : !bound.domain.empty()           ? reason::clock
                                                 : reason::busy;
    json out = {{"link", sare::text_of(c, names)},
                {"kind", kind},
                {"from", c.from},
                {"from_port", c.port},
                {"to", c.to},
                {"reason", to_string(root.why)},
                {"parameter", parameter_for(root, kind)}};
    if (!bound.domain.empty()) out["domain"] = bound.domain;
    return out;
}

/// Returns the reason of a limiter for people, with the domain whose clock has a part in it.
std::string words_of(const json& limiter) {
    const std::string reason = limiter["reason"];
    if (!limiter.contains("domain")) return reason;
    return fmt::format("{}clock of {}", reason == "clock" ? "" : reason + " at the ",
                       limiter["domain"].get<std::string>());
}

/// Returns what limits the network, where saturation is found: the bound's link where saturation comes near
/// to that; else the worst root of congestion in the longest run that saturated, at the least load of
/// several.
json limiter_of(const json& row, const channel_bound& bound, const json& runs, const fs::path& folder,
                const place_names& names) {
    if (row["status"] != "found") return nullptr;
    if (row["of_bound"].is_number() && row["of_bound"] >= 1 - widest_bracket) return root_of(bound, names);
    const json* nearest = nullptr;
    const auto order = [](const json& run) {
        return std::pair(-run["length"].get<double>(), run["load"].get<double>());
    };
    for (const json& run : runs)
        if (run["status"] == "saturated" && (nearest == nullptr || order(run) < order(*nearest)))
            nearest = &run;
    if (nearest == nullptr) return nullptr;
    const json summary = read_json(folder / (*nearest)["run"].get<std::string>() / "summary.json");
    if (!summary.contains("/congestion/0"_json_pointer)) return nullptr;
    json root = summary["congestion"][0];
    for (const char* key : {"chain", "sources"}) root.erase(key);
    const std::string kind = root["kind"];
    const auto what = kind == "injection"  ? network_channel::kind::injection
                      : kind == "ejection" ? network_channel::kind::ejection
                                           : network_channel::kind::link;
    root["link"] = sare::text_of({what, root["from"], root["from_port"], root["to"]}, names);
    root["run"] = (*nearest)["run"];
    return root;
}

}  // namespace

void check_saturable(const experiment& e) {
    const std::string name = workload_registry::instance().chosen(e.traffic).name;
    const auto refuse = [&](const std::string& why) { throw config::error(e.traffic.where(), why); };
    if (e.fidelity != fidelity::flit)
        refuse(
            fmt::format("fidelity '{}' has no contention inside the network; saturate takes 'fidelity: flit'",
                        to_string(e.fidelity)));
    const config::value resolved = workload_registry::instance().resolve(e.traffic);
    if (resolved.find("load") == nullptr)
        refuse(
            fmt::format("the workload '{}' has no 'load' to look for; saturate takes bernoulli, poisson, "
                        "on_off, constant_rate and the like",
                        name));
    const auto map = e.make_map();
    const auto work = workload_registry::instance().make(e.traffic, e.context(*map));
    const auto* source = dynamic_cast<const traffic::open_loop_source*>(work.get());
    if (work->runs_to_completion() || (source == nullptr && work->wants_deliveries()))
        refuse(
            fmt::format("the sources of workload '{}' wait for what they have sent, so no load is too high; "
                        "saturate takes bernoulli, poisson, on_off, constant_rate and the like",
                        name));
    if (source != nullptr && source->refuses())
        refuse(
            "'source_queue' is limited: sources then make fewer messages instead of falling behind; 0 lets "
            "saturate see it");
}

namespace {

/// Returns the highest load, up to `most`, that the workload can be made with: flows of bursts have peaks.
double highest_load(const experiment& e, const simulation& network, double most) {
    const workload_context context = e.context(network.map());
    const auto can = [&](double load) {
        config::value traffic = e.traffic;
        traffic.set_path("load", config::number(load));
        try {
            workload_registry::instance().make(traffic, context);
            return true;
        } catch (const config::error&) {
            return false;
        }
    };
    if (can(most)) return most;
    double low = 0, high = most;
    for (int k = 0; k < 40; ++k) (can((low + high) / 2) ? low : high) = (low + high) / 2;
    return low > 0 ? low : most;  // else the first run says what is wrong
}

}  // namespace

json saturate_combination(const sweep_point& combination, simulation& network, const fs::path& folder,
                          const saturation_options& options, run_recorder& recorder,
                          const std::function<void(double)>& progress) {
    recorded_combination recorded(combination, folder, options, recorder);
    const experiment base = with_one_pattern(combination.what);
    const channel_bound bound = find_bound(base, network, 20'000'000);
    saturation_goal goal;
    goal.highest = highest_load(base, network, bound.exists() ? bound.load : 1);
    if (bound.exists() && goal.highest == bound.load) goal.limit = bound.load;
    goal.tolerance = options.tolerance;
    goal.latency_factor = options.latency_factor;
    goal.most_runs = static_cast<std::uint32_t>(options.most_runs);
    goal.other_seeds = !depends_on_seed(base, network);
    saturation_search search(goal);
    combination_runs runs(base, network, folder, recorded);
    try {
        while (const auto probe = search.next())
            search.add(runs.make(*probe, [&](double part) {
                progress((static_cast<double>(search.samples().size()) + part) / options.most_runs);
            }));
    } catch (...) {
        recorded.end_early();
        throw;
    }
    json row = result_of(search, goal, bound, network.map().names());
    row["limiter"] = limiter_of(row, bound, runs.rows(), folder, network.map().names());
    if (!row["limiter"].is_null()) row["limiter"]["why"] = words_of(row["limiter"]);
    recorded.end(row);
    row["runs"] = runs.rows();
    return row;
}

}  // namespace sare::cli
