// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/remedy.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/results/result_files.h"
#include "tb/sare/results/result_set.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/run/rtl.h"
#include "tb/sare/sweep/job_pool.h"
#include "tlm/config/schema.h"
#include "tlm/network/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sare::cli {
namespace {

constexpr double least_gain = 0.03;  ///< chance alone gives less

config::value text(const std::string& t) {
    return config::value::scalar(t, {"--remedy", 0, 0});
}
config::value whole(std::uint64_t x) {
    return text(std::to_string(x));
}

/// What the experiment has there, as text; "": nothing.
std::string written(const config::value& tree, const std::string& section, const std::string& key) {
    const config::value* const all = tree.find(section);
    const config::value* const v = all == nullptr ? nullptr : all->find(key);
    return v == nullptr ? "" : config::flow_style(*v);
}
std::uint64_t number(const config::value& tree, const std::string& section, const std::string& key) {
    const std::string t = written(tree, section, key);
    return t.empty() || t.find_first_not_of("0123456789") != std::string::npos ? 0 : std::stoull(t);
}

/// The link in half as many cycles a flit: one more entry of `links`.
void widen(const experiment& e, const json& root, remedy& r) {
    const auto map = e.make_map();
    const std::string kind = root.at("kind");
    const std::uint32_t from = root.at("from"), port = root.at("from_port"), to = root.at("to");
    const std::uint32_t cycles = kind == "injection"
                                     ? map->injection_link(node_id(from)).cycles_per_flit
                                     : map->link(router_id(from), port_id(port)).cycles_per_flit;
    if (cycles < 2) {
        r.why_not =
            "the link carries a flit a cycle already; another way, other places for tasks, or flits "
            "of more bytes";
        return;
    }
    config::value one = config::value::map({});
    if (kind == "router")
        one.set("between", config::value::list({whole(from), whole(to)}));
    else
        one.set("node", whole(kind == "injection" ? from : to));
    one.set("cycles_per_flit", whole(cycles / 2));
    std::vector<config::value> all;
    if (e.links.type() != config::value::kind::null) all = config::to_list(e.links, "links");
    all.push_back(std::move(one));
    r.path = "links";
    r.value = config::value::list(std::move(all));
}

/// Of several parameters that would help, the one that does most.
void choose(const config::value& tree, remedy& r) {
    const auto router = [&tree](const char* key) { return number(tree, "router", key); };
    if (r.path == "router.rc_delay" && router("va_delay") > router("rc_delay")) r.path = "router.va_delay";
    if (r.path == "router.sa_delay" && router("sa_delay") < 2) {
        r.path = "router.pipelined";
        r.value = text("true");
    }
    if (r.path == "router.sa_allocator" && written(tree, "router", "sa_allocator").find("wavefront") == 0)
        r.path = "router.input_speedup";
}

/// The value that the parameter gets; `why_not` where it has the best one.
void set_value(const config::value& tree, remedy& r) {
    const std::string section = r.path.substr(0, r.path.find('.')), key = r.path.substr(section.size() + 1);
    const std::uint64_t now = number(tree, section, key), vcs = number(tree, "router", "vcs");
    if (r.path == "router.vcs") {
        r.value = whole(std::min<std::uint64_t>(2 * now, 16));
    } else if (r.path == "router.depth" || r.path == "nic.ejection_depth") {
        const std::uint64_t places = now != 0 ? now : number(tree, "router", "depth");
        r.value = whole(std::min<std::uint64_t>(4 * places, 4096));
    } else if (r.path == "router.reallocation") {
        r.value = text("tail");
    } else if (r.path == "router.sa_allocator") {
        r.value = text("wavefront");
    } else if (r.path == "router.input_speedup") {
        r.value = whole(vcs);
    } else if (key == "sa_delay" || key == "rc_delay" || key == "va_delay") {
        r.value = whole(std::min<std::uint64_t>(now, 1));
    }
    if (written(tree, section, key) == config::flow_style(r.value))
        r.why_not = fmt::format("{} is {} already", r.path, config::flow_style(r.value));
}

/// What the sources that could not send in the run before send now, flits a cycle.
double sent_by(const json& growing, const run_result& r) {
    double sum = 0;
    const auto cycles = static_cast<double>(r.measured_to - r.measured_from);
    for (const json& before : growing) {
        const std::uint32_t node = before.at("node");
        const auto still = std::find_if(r.growing.begin(), r.growing.end(),
                                        [node](const growing_source& g) { return g.node == node; });
        if (still != r.growing.end())
            sum += still->all.sent;
        else if (node < r.node_loads.size())
            sum += static_cast<double>(r.node_loads[node].generated_flits) / cycles;
    }
    return sum;
}

/// Backlogs do not grow in both: the makespan, or the mean latency.
json compare(const remedy& r, const experiment& e, const json& before, const run_result& after) {
    const json growing = before.value("growing_sources", json::array());
    if (!growing.empty()) {
        double sent = 0;
        for (const json& g : growing) sent += g.at("sent").get<double>();
        return judge(r, "flits/cycle that the sources send which could not", sent, sent_by(growing, after));
    }
    if (!after.is_steady() || before.at("status") != "completed")
        return judge(r, "flits/node/cycle accepted", before.at("load").at("accepted"), after.accepted);
    const auto map = e.make_map();
    const auto work = workload_registry::instance().make(
        e.traffic,
        workload_context{e.folder, map->nodes(), &map->names(), e.clock_seconds(), e.nic.flit_bytes});
    if (work->runs_to_completion())
        return judge(r, "cycles", before.at("cycles"), static_cast<double>(after.cycles), false);
    return judge(r, "cycles of mean latency",
                 before.at("/latency/packet/from_generation/mean"_json_pointer).get<double>(),
                 after.packet_latency.from_generation.mean, false);
}

/// In a process of its own: SystemC holds one simulation.
json in_process(const std::function<json()>& work) {
    json found;
    std::string failed = "interrupted";
    job_pool(1, 1).run([&work](std::size_t, const auto&) { return work(); },
                       [&](std::size_t, const json& result, const std::string& problem) {
                           found = result;
                           failed = problem;
                       },
                       nullptr);
    if (!failed.empty()) throw config::error(failed);
    return found;
}

json run_again(const experiment& e, const remedy& r, const json& before, const std::filesystem::path& where) {
    const experiment now = changed(e, r);
    simulation& network = *new simulation(now, make_rtl_routers(now).maker());  // never deleted: see leave()
    run_control control;
    control.stop = &stop_requested();
    const run_result after = network.run(now, control);
    if (after.status == run_status::interrupted) throw config::error("interrupted");
    make_directories(where, where);
    write_result(where, now, after);
    return compare(r, now, before, after);
}

}  // namespace

remedy remedy_of(const experiment& e, const json& summary) {
    const json roots = summary.is_null() ? json::array() : summary.value("congestion", json::array());
    remedy r;
    if (roots.empty()) {
        r.why_not = "no congestion was found";
        return r;
    }
    const json& root = roots.front();
    r.reason = root.at("reason");
    r.path = root.at("parameter");
    const config::value tree = e.resolved();
    if (r.reason == "busy") {
        widen(e, root, r);
    } else {
        choose(tree, r);
        set_value(tree, r);
    }
    if (!r.why_not.empty()) return r;
    try {
        changed(e, r);
    } catch (const config::error& problem) {
        r.why_not = fmt::format("{} cannot be changed: {}", r.path, problem.what());
    }
    return r;
}

experiment changed(const experiment& e, const remedy& r) {
    config::value tree = e.resolved();
    tree.set_path(r.path, r.value);
    return experiment::read(tree, e.folder);
}

json judge_nothing(const remedy& r, const std::string& why) {
    return {{"reason", r.reason}, {"verdict", "not tried"}, {"says", "not tried: " + why}};
}

json judge(const remedy& r, const std::string& what, double before, double after, bool larger) {
    const double gain = larger ? after / before - 1 : before / after - 1;
    const bool holds = gain > least_gain;
    const std::string change = r.path + "=" + config::flow_style(r.value);
    const std::string says =
        fmt::format("{}: {:.4g} {} in place of {:.4g}, {}", change, after, what, before,
                    holds ? fmt::format("{:.1f}% better; the reason '{}' holds", 100 * gain, r.reason)
                          : fmt::format("no gain; the reason '{}' is withdrawn: cannot tell", r.reason));
    return {{"reason", r.reason},
            {"parameter", r.path},
            {"value", to_json(r.value)},
            {"measured", what},
            {"before", before},
            {"after", after},
            {"gain", gain},
            {"verdict", holds ? "holds" : "cannot tell"},
            {"says", says}};
}

int run_with_remedy(const experiment& e, const std::filesystem::path& where, bool quiet,
                    const std::function<int()>& run) {
    catch_stop_signals();
    const int status = in_process([&run] { return json(run()); }).get<int>();
    if (status != exit_status::good) return status;
    const json before = read_summary(where / "summary.json");
    const remedy r = remedy_of(e, before);
    const json found = r.why_not.empty()
                           ? in_process([&] { return run_again(e, r, before, where / "remedy"); })
                           : judge_nothing(r, r.why_not);
    write_file(where / "remedy.json", text_of(found));
    if (!quiet) show("remedy: " + found.at("says").get<std::string>() + "\n");
    return exit_status::good;
}

}  // namespace sare::cli
