// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_parts.h"
#include "tests/support/in_child.h"
#include "tests/support/test_fabric.h"
#include "tlm/systemc/reports.h"

#include <algorithm>
#include <map>

/// A mesh of 4x4 with routers of a library among the model's, under random messages.
namespace sare::cosim::test {

struct foreign_setting {
    std::string library, old_library = {};
    std::string network = "mesh dims=4,4";
    std::string routing = "dor";
    std::string replace = "0, 3, 5-6, 9-10, 15";
    std::string shadow;
    std::uint32_t vcs = 1, depth = 4, longest = 64;
    std::uint32_t messages = 6000;
    std::uint32_t nodes = 16;
    double load = 0.5;  ///< flits a node and cycle while messages are made: more than such a mesh takes
    std::string waves;  ///< file
    bool two_states = false;
    bool to_itself = true;  ///< nodes send to themselves, too
    double watched = 1;     ///< share of all flits that scoreboards must see, at least
    std::vector<std::pair<std::string, std::string>> kinds = {};  ///< libraries by routers, not `library`
};

inline config::value numbers(const std::string& line) {
    if (line == "all") return config::value::scalar(line);
    std::vector<config::value> items;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find(", ", at), line.size());
        items.push_back(config::value::scalar(line.substr(at, end - at)));
        at = end + 2;
    }
    return config::value::list(items);
}

inline experiment as_experiment(const foreign_setting& s) {
    const config::location at{"test.yaml", 1, 1};
    config::value all = config::value::map({}, at), cosim = config::value::map({}, at);
    all.set("network", sare::test::section(s.network, "topology"));
    all.set("routing", sare::test::section(s.routing, "function"));
    all.set("traffic", sare::test::section("bernoulli", "workload"));
    cosim.set("replace", numbers(s.replace));
    if (!s.shadow.empty()) cosim.set("shadow", config::value::scalar(s.shadow, at));
    cosim.set("rtl", config::value::scalar(s.library, at));
    config::value kinds = config::value::map({}, at);
    for (const auto& [routers, library] : s.kinds) kinds.set(routers, config::value::scalar(library, at));
    if (!s.kinds.empty()) cosim.set("rtl", kinds);
    all.set("cosim", cosim);
    experiment e = experiment::read(all, "");
    e.router.set("vcs", config::number(s.vcs));
    e.router.set("depth", config::number(s.depth));
    e.nic.max_packet_flits = s.longest;
    return e;
}

inline std::vector<message> random_messages(const foreign_setting& s) {
    rng random(1, stream::test, 1);
    std::vector<message> all(s.messages);
    double now = 10;
    for (message& m : all) {
        m.source = random.below(s.nodes);
        m.destination = random.below(s.nodes);
        if (!s.to_itself && m.destination == m.source) m.destination = (m.source + 1) % s.nodes;
        m.flits = random.below(2) == 0 ? 1 : 1 + random.below(12);
        m.generated = static_cast<cycle_t>(now);
        now += 4.0 / (s.nodes * s.load);
    }
    return all;
}

/// Every packet once, at its destination, and those of a pair of nodes in order if there is one VC: there is
/// one way.
struct deliveries final : observer {
    std::map<std::pair<std::uint32_t, std::uint32_t>, cycle_t> last;
    std::uint64_t in = 0, out = 0, flits = 0, hops = 0;
    std::string problem;
    bool in_order = true;

    void packet_injected(std::uint32_t, const packet&, cycle_t) override { ++in; }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t) override {
        ++out;
        flits += p.flits;
        hops += p.hops;
        cycle_t& before = last[{p.route.source, p.route.destination}];
        if (p.route.destination != node || (in_order && p.generated < before))
            problem = "a packet is where or when it must not be";
        before = p.generated;
    }
    void message_consumed(const message_record&, cycle_t) override {}
};

/// Routers that the messages visit, if every one goes the way that routing says.
inline std::uint64_t routers_visited(const experiment& e, const std::vector<message>& messages) {
    const auto map = topology_registry::instance().make(e.network);
    const auto routing = routing_registry::instance().make(
        e.routing, sare::routing_context{map.get(), e.router_of_all()->terms().vcs});
    std::uint64_t all = 0;
    for (const message& m : messages) {
        route_header h;
        h.destination = m.destination;
        const node_id from(m.source);
        for (port_peer at{port_peer::kind::router, map->router_of(from).value, map->port_of(from).value};
             at.what == port_peer::kind::router; ++all) {
            route_set ways;
            routing->route(at.id, at.port, 0, h, ways);
            at = map->peer(router_id(at.id), port_id(ways.candidates[0].port));
        }
    }
    return all;
}

/// "" if all is well.
inline std::string run(const foreign_setting& s) {
    const experiment e = as_experiment(s);
    rtl_parts::options how;
    how.waves = {s.waves, 20, 40};
    how.waves_router = 5;
    how.old_rtl = s.old_library;
    how.two_states = s.two_states;
    rtl_parts parts(e, how);
    sare::network mixed("mixed", e, 1, sare::network::most_bound, parts.maker());
    deliveries seen;
    seen.in_order = s.vcs == 1;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    sare::test::scripted_traffic traffic(random_messages(s));
    mixed.engine().net().stepper().set_observer(&seen);
    mixed.engine().set_workload(traffic);
    mixed.engine().run_until(s.old_library.empty() ? 60000 : 5000);
    std::uint64_t flits = 0;
    for (const message& m : random_messages(s)) flits += m.flits;
    if (const auto d = parts.first_divergence()) return d->text();
    if (!s.old_library.empty() && parts.cycles_compared() == 0) return "nothing was compared";
    if (!seen.problem.empty()) return seen.problem;
    if (seen.in != s.messages || seen.out != s.messages || seen.flits != flits ||
        !mixed.engine().net().view().empty())
        return std::to_string(seen.in) + " packets went in and " + std::to_string(seen.out) + " came out";
    if (seen.hops != routers_visited(e, random_messages(s))) return "packets go other ways than routing says";
    if (static_cast<double>(parts.flits_watched()) < s.watched * static_cast<double>(flits) ||
        parts.latencies_checked() < (s.load < 0.1 ? 500 : 1))
        return "the scoreboards saw " + std::to_string(parts.flits_watched()) + " flits and " +
               std::to_string(parts.latencies_checked()) + " heads alone";
    return "";
}

inline std::string in_own_process(const foreign_setting& s) {
    return sare::test::in_child([&] { return sare::with_config_errors([&] { return run(s); }); });
}

inline std::string refusal(const foreign_setting& s) {
    const std::string line = in_own_process(s), start = "error: test.yaml:1:1: cosim.rtl: ";
    return line.rfind(start, 0) == 0 ? line.substr(start.size()) : line;
}

}  // namespace sare::cosim::test
