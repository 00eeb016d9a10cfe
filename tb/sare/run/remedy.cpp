// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/remedy.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/result_files.h"
#include "tb/sare/results/result_set.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/run/rtl.h"
#include "tb/sare/sweep/job_pool.h"
#include "tlm/config/schema.h"
#include "tlm/network/router_plan.h"
#include "tlm/network/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sare::cli {
namespace {

constexpr double least_gain = 0.03;  ///< least gain that chance alone does not give

config::value text(const std::string& t) {
    return config::value::scalar(t, {"--remedy", 0, 0});
}
config::value whole(std::uint64_t x) {
    return text(std::to_string(x));
}

/// Values of an experiment as they are at the router that limits a root of congestion.
class limiting_values {
  public:
    limiting_values(const experiment& e, const json& root) : m_tree(e.resolved()) {
        const auto map = e.make_map();
        const std::string kind = root.at("kind");
        const bool at_receiver = kind == "injection" || (kind == "router" && root.at("reason") == "credits");
        m_router = root.at(at_receiver ? "to" : "from");
        m_section = router_plan(e, *map).section_of(m_router);
    }
    std::uint32_t router() const { return m_router; }
    /// Returns the value of "router.vcs" as text; "": none.
    std::string text_of(const std::string& path) const {
        const auto [section, key] = parts_of(path);
        if (section == "router")
            if (const config::value* const own = m_section.find(key)) return config::flow_style(*own);
        return usual(section, key);
    }
    std::uint64_t number(const std::string& path) const {
        const std::string t = text_of(path);
        return t.empty() || t.find_first_not_of("0123456789") != std::string::npos ? 0 : std::stoull(t);
    }
    /// True if an entry of `routers` gives the router another value than the section `router` does.
    bool is_own(const std::string& path) const {
        const auto [section, key] = parts_of(path);
        return text_of(path) != usual(section, key);
    }

  private:
    static std::pair<std::string, std::string> parts_of(const std::string& path) {
        const std::size_t dot = path.find('.');
        return {path.substr(0, dot), path.substr(dot + 1)};
    }
    std::string usual(const std::string& section, const std::string& key) const {
        const config::value* const given = m_tree.find(section);
        const config::value* const v = given == nullptr ? nullptr : given->find(key);
        return v == nullptr ? "" : config::flow_style(*v);
    }

    config::value m_tree, m_section;
    std::uint32_t m_router = 0;
};

/// Returns a list of the experiment with one more entry; null stands for an empty one.
config::value with_entry(const config::value& list, const char* name, config::value entry) {
    std::vector<config::value> all;
    if (list.type() != config::value::kind::null) all = config::to_list(list, name);
    all.push_back(std::move(entry));
    return config::value::list(std::move(all));
}

/// Changes the link to half as many cycles a flit, by one more entry of `links`.
void widen(const experiment& e, const json& root, remedy& r) {
    const auto map = e.make_map();
    const std::uint32_t from = root.at("from"), port = root.at("from_port"), to = root.at("to");
    const bool from_node = root.at("kind") == "injection";
    const std::uint32_t cycles = from_node ? map->injection_link(node_id(from)).cycles_per_flit
                                           : map->link(router_id(from), port_id(port)).cycles_per_flit;
    if (cycles < 2) {
        r.why_not =
            "the link carries a flit a cycle already; another way, other places for tasks, or flits of more "
            "bytes";
        return;
    }
    config::value one = config::value::map({{"cycles_per_flit", whole(cycles / 2)}});
    if (root.at("kind") == "router")
        one.set("between", config::value::list({whole(from), whole(to)}));
    else
        one.set("node", whole(from_node ? from : to));
    r.path = "links";
    r.value = with_entry(e.links, "links", std::move(one));
}

/// Changes a domain to the network's clock at all times.
void quicken(const config::value& tree, const std::string& domain, remedy& r) {
    r.value = *tree.find("domains")->find(domain);
    for (const char* key : {"frequency", "schedule", "levels", "governor", "interval", "switching"})
        r.value.remove(key);
    r.value.set("clock", whole(1));
}

/// Changes to a better value of the parameter, or of a neighbour that does more: that of the router alone if
/// an entry of `routers` gives it.
void improve(const experiment& e, const limiting_values& values, remedy& r) {
    const auto now = [&](const char* path) { return values.number(path); };
    if (r.path == "router.rc_delay" && now("router.va_delay") > now("router.rc_delay"))
        r.path = "router.va_delay";
    if (r.path == "router.sa_delay" && now("router.sa_delay") < 2) r.path = "router.pipelined";
    const std::uint64_t places = now(r.path.c_str()) != 0 ? now(r.path.c_str()) : now("router.depth");
    const std::pair<const char*, config::value> better[] = {
        {"router.vcs", whole(std::min<std::uint64_t>(2 * now("router.vcs"), 64))},
        {"router.depth", whole(std::min<std::uint64_t>(4 * places, 4096))},
        {"nic.ejection_depth", whole(std::min<std::uint64_t>(4 * places, 4096))},
        {"router.reallocation", text("tail")},
        {"router.sa_delay", text("1")},
        {"router.pipelined", text("true")},
        {"router.sa_allocator", text("wavefront")},
        {"router.input_speedup", whole(now("router.vcs"))},
        {"router.rc_delay", text("1")},
        {"router.va_delay", text("1")}};
    for (const auto& [path, value] : better)
        if (r.path == path) r.value = value;
    if (values.text_of(r.path) == config::flow_style(r.value)) {
        r.why_not = fmt::format("{} is {} already", r.path, config::flow_style(r.value));
    } else if (values.is_own(r.path)) {
        config::value entry = config::value::map({{"at", whole(values.router())}});
        entry.set(r.path.substr(r.path.find('.') + 1), r.value);
        r.path = "routers";
        r.value = with_entry(e.routers, "routers", std::move(entry));
    }
}

/// Returns the flits a cycle that sources which could not send before send now.
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

/// Compares runs by what sources could send, makespan, or mean latency.
json measured(const remedy& r, const experiment& e, const json& before, const run_result& after) {
    const json growing = before.value("growing_sources", json::array());
    if (!growing.empty()) {
        double sent = 0;
        for (const json& g : growing) sent += g.at("sent").get<double>();
        return judge(r, "flits/cycle of the sources that fell behind", sent, sent_by(growing, after));
    }
    const std::string status = before.at("status");
    if (!after.is_steady() || (status != "completed" && status != "unsettled"))
        return judge(r, "flits/node/cycle accepted", before.at("load").at("accepted"), after.accepted);
    const auto map = e.make_map();
    const auto work = workload_registry::instance().make(e.traffic, e.context(*map));
    if (work->runs_to_completion())
        return judge(r, "cycles", before.at("cycles"), static_cast<double>(after.cycles), false);
    return judge(r, "cycles of mean latency",
                 before.at("/latency/packet/from_generation/mean"_json_pointer).get<double>(),
                 after.packet_latency.from_generation.mean, false);
}

/// Compares runs. A change after which the network takes all that it is offered has gained, however little
/// its sources ask for.
json compare(const remedy& r, const experiment& e, const json& before, const run_result& after) {
    json found = measured(r, e, before, after);
    if (before.at("status") != "saturated" || after.status != run_status::completed ||
        found["verdict"] == "holds")
        return found;
    found["verdict"] = "holds";
    found["says"] = fmt::format(
        "{}={}: all of the {:.4g} flits/node/cycle offered are accepted, in place of {:.4g}; the reason "
        "'{}' holds",
        r.path, config::flow_style(r.value), after.offered, before.at("load").at("accepted").get<double>(),
        r.reason);
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

remedy remedy_of(const experiment& e, const json& root) {
    remedy r;
    if (root.is_null()) {
        r.why_not = "no congestion was found";
        return r;
    }
    r.reason = root.at("reason");
    if (!root.contains("parameter")) {
        r.why_not = "it is what the experiment asks for";
        return r;
    }
    r.path = root.at("parameter");
    if (r.reason == "busy")
        widen(e, root, r);
    else if (r.reason == "clock")
        quicken(e.resolved(), root.at("domain"), r);
    else
        improve(e, limiting_values(e, root), r);
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

namespace {

/// Returns a relative gain above 0 as words.
std::string improvement(double gain) {
    return gain < 1 ? fmt::format("{}% better", readable(100 * gain, 2))
                    : fmt::format("better by a factor of {}", readable(1 + gain, 3));
}

}  // namespace

json judge_nothing(const remedy& r, const std::string& why) {
    return {{"reason", r.reason}, {"verdict", "not tried"}, {"says", "not tried: " + why}};
}

json judge(const remedy& r, const std::string& what, double before, double after, bool larger) {
    const double gain = larger ? after / before - 1 : before / after - 1;
    const bool holds = gain > least_gain;
    const std::string change = r.path + "=" + config::flow_style(r.value);
    const std::string says =
        fmt::format("{}: {:.4g} {}, in place of {:.4g}: {}", change, after, what, before,
                    holds ? fmt::format("{}; the reason '{}' holds", improvement(gain), r.reason)
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

namespace {

/// Takes a reason that was withdrawn out of summary.json: of all roots that have it, and of the sentence.
void withdraw(const std::filesystem::path& file, const std::string& reason) {
    json summary = read_json(file);
    std::string said = summary.value("status_reason", "");
    for (json& root : summary["congestion"]) {
        if (root.at("reason") != reason) continue;
        const auto of = [&root](const char* key) { return root.at(key).get<std::string>(); };
        const std::string help = fmt::format("; {} ({}) may help", of("change"), of("parameter"));
        if (const auto at = said.find(help); at != std::string::npos) said.erase(at, help.size());
        if (const auto at = said.find(of("says")); at != std::string::npos)
            said.replace(at, of("says").size(), "cannot tell why");
        root["withdrawn"] = reason;
        root["reason"] = "cannot tell";
        for (const char* key : {"says", "change", "parameter"}) root.erase(key);
    }
    if (!said.empty()) summary["status_reason"] = said;
    write_file(file, text_of(summary));
}

}  // namespace

int run_with_remedy(const experiment& e, const std::filesystem::path& where, bool quiet,
                    const std::function<int()>& run) {
    catch_stop_signals();
    const int status = in_process([&run] { return json(run()); }).get<int>();
    if (status != exit_status::good) return status;
    const json before = read_summary(where / "summary.json");
    const json roots = before.value("congestion", json::array());
    const remedy r = remedy_of(e, roots.empty() ? json() : roots.front());
    const json found = r.why_not.empty()
                           ? in_process([&] { return run_again(e, r, before, where / "remedy"); })
                           : judge_nothing(r, r.why_not);
    write_file(where / "remedy.json", text_of(found));
    if (found.at("verdict") == "cannot tell") withdraw(where / "summary.json", r.reason);
    if (!quiet) show("remedy: " + found.at("says").get<std::string>() + "\n");
    return exit_status::good;
}

}  // namespace sare::cli
