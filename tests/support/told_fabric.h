// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/random_setting.h"
#include "tests/support/scrambled_torus.h"
#include "tlm/config/yaml.h"
#include "tlm/state/text_archive.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

/// What a network says of itself while it runs: two ways to run it are the same if this is.
namespace sare::test {

/// What observers and the workload are told, in the order in which they are.
struct told_log final : observer {
    using line = std::array<std::uint64_t, 9>;
    std::vector<line> lines;

    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override { add(0, node, p, now); }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override { add(1, node, p, now); }
    void message_consumed(const message_record& m, cycle_t now) override {
        lines.push_back({2, now, m.what.source, m.what.destination, m.what.flits, m.what.generated,
                         m.injected, m.what.tag, m.what.message_class});
    }
    void add(std::uint64_t what, std::uint32_t node, const packet& p, cycle_t now) {
        const std::uint64_t hops = what == 0 ? 0 : p.hops;  // those that it has gone
        lines.push_back(
            {what, now, node, p.route.source, p.route.destination, p.flits, hops, p.generated, p.injected});
    }
};

struct told_outcome {
    std::vector<told_log::line> told;
    cycle_t ended = 0;
    std::uint64_t hops = 0, injected = 0, consumed = 0, generated = 0;
    std::vector<std::uint32_t> sent;  ///< by router
    std::string left, results;
    std::map<std::string, std::uint64_t> drops;  ///< flits, by router and cause
    std::uint32_t threads = 0;                   ///< not compared
    /// Has the workload of every part; not compared, as one that has all nodes waits for what is under way.
    bool finished = true;

    /// Of another part of the same network, rank 0 first: how the whole ended is not known.
    void add(const told_outcome& o) {
        told.insert(told.end(), o.told.begin(), o.told.end());
        hops += o.hops, injected += o.injected, consumed += o.consumed, generated += o.generated;
        sent.resize(o.sent.size());
        for (std::size_t r = 0; r < sent.size(); ++r) sent[r] += o.sent[r];
        for (const auto& [spot, flits] : o.drops) drops[spot] += flits;
        if (results.empty()) results = o.results;
        finished = finished && o.finished;
    }
    bool operator==(const told_outcome& o) const {
        return told == o.told && ended == o.ended && hops == o.hops && injected == o.injected &&
               consumed == o.consumed && generated == o.generated && sent == o.sent && left == o.left &&
               drops == o.drops && results == o.results;
    }
};

/// A line of a test, or a section in YAML.
inline std::unique_ptr<workload> told_traffic(const fabric_setting& s, std::uint32_t nodes) {
    if (s.traffic.front() != '{') return traffic_of(s.traffic, nodes, s.length);
    return workload_registry::instance().make(config::parse_yaml(s.traffic, "the test's traffic"),
                                              workload_context{"", nodes});
}

/// A network with its traffic that is run and listened to.
struct told_network {
    explicit told_network(const fabric_setting& s) : f(s), traffic(told_traffic(s, f.net.view().nodes())) {
        f.net.stepper().set_observer(&log);
        f.net.stepper().set_workload(traffic.get());
    }
    void run(cycle_t end) { next = f.run(next, end); }
    void serialize(archive& a) { a(f.net, *traffic, next, log.lines); }

    test_fabric f;
    told_log log;
    std::unique_ptr<workload> traffic;
    cycle_t next = 0;
};

/// `written`: the cycle from which on another network goes on, which has read what the first one has written;
/// 0: none.
inline told_outcome run_and_tell(const fabric_setting& s, cycle_t end, cycle_t written = 0) {
    auto its = std::make_unique<told_network>(s);
    if (written != 0) {
        its->run(written);
        text_writer state;
        state(*its);
        its = std::make_unique<told_network>(s);
        text_reader from(state.text());
        from(*its);
    }
    its->run(end);
    test_fabric& f = its->f;
    const auto& traffic = its->traffic;
    told_outcome o;
    o.ended = its->next;
    o.told = std::move(its->log.lines);
    o.hops = f.net.view().flit_hops();
    o.injected = f.net.view().flits_injected();
    o.consumed = f.net.view().flits_consumed();
    o.generated = traffic->generated(end - 1).flits;
    for (std::uint32_t r = 0; r < f.net.view().routers(); ++r) o.sent.push_back(f.net.view().flits_sent(r));
    o.left = f.net.view().leftovers();
    for (const auto& [spot, count] : f.net.view().changes().dropped_at)
        o.drops[std::to_string(spot.router) + ' ' + spot.cause] += count.flits;
    o.threads = f.net.view().threads();
    o.finished = traffic->finished();
    if (s.processes != nullptr) traffic->add_up(*s.processes);
    if (s.processes != nullptr && s.processes->rank() != 0) return o;
    o.results = flow_style(traffic->results());
    for (const auto& [name, table] : traffic->tables()) o.results += name + '\n' + table;
    return o;
}

/// Messages of 1 to 9 flits at load 0.3.
inline fabric_setting told_setting(const std::string& network, const std::string& routing,
                                   const std::string& kind = "") {
    fabric_setting s;
    s.network = network;
    s.routing = routing;
    s.kind = kind;
    s.traffic = "bernoulli load=0.3";
    s.length = "range min=1 max=9";
    s.router.vcs = 4;
    s.router.reallocation = reallocation_rule::atomic;
    return s;
}

inline std::string text_of(const fabric_setting& s) {
    return s.network + ", " + s.routing + ", " + s.kind + ", " + s.traffic + ", " + s.length;
}

/// Of every kind that several threads or processes can run.
inline std::vector<fabric_setting> settings_of_all_kinds() {
    std::vector<fabric_setting> all;
    fabric_setting scaled = told_setting("torus dims=6,4", "dor");
    for (const network_scale scale : {network_scale::large, network_scale::dense}) {
        scaled.scale = scale;
        all.push_back(scaled);
    }
    fabric_setting readable = told_setting("mesh dims=5,4", "odd_even");
    readable.compact_allowed = false;
    all.push_back(readable);
    all.push_back(told_setting("torus dims=4,4", "duato"));
    all.push_back(told_setting("torus dims=4,4", "", "bubble vcs=2"));
    all.push_back(told_setting("torus dims=5,4", "", "dally vcs=4"));
    all.push_back(told_setting("torus dims=4,4", "", "deflection choice=random"));
    all.back().traffic = "bernoulli load=0.5";
    // Often too full, and often not.
    all.push_back(told_setting("torus dims=4,4", "", "bubble vcs=2 global_limit=0.15 global_interval=7"));
    all.back().traffic = "bernoulli load=0.8";
    fabric_setting apenet = told_setting("torus dims=4,4 link_latency=3", "dor dateline=basic",
                                         "apenet vcs=4 depth=32 sync=2 credit_interval=7");
    apenet.nic.max_packet_flits = 9;
    all.push_back(apenet);
    fabric_setting pausing = told_setting("mesh dims=5,4 link_latency=2", "dor");
    pausing.router.reallocation = reallocation_rule::tail;
    pausing.router.flow = overflow_rule::pfc;
    pausing.router.depth = 40;
    pausing.router.headroom = 36;
    pausing.nic.max_packet_flits = 5;
    pausing.traffic = "bernoulli load=0.5";
    all.push_back(pausing);
    for (const auto& [network, routing] : std::initializer_list<std::pair<const char*, const char*>>{
             {"mesh dims=3,3,3 concentration=2", "dor"},
             {"torus dims=5,3 link_latency=4", "dor"},
             {"tree degree=3 depth=3", "tree_adaptive"},
             {"xgft m=3,2,4 w=1,3,2", "tree_static"},
             {"dragonfly p=2 a=3 h=2 g=7 global_link_latency=9", "dragonfly_minimal"}})
        all.push_back(told_setting(network, routing));
    return all;
}

/// Networks whose parts are no stretches of numbers.
inline std::vector<fabric_setting> settings_of_irregular_networks(const std::string& folder) {
    std::vector<fabric_setting> all;
    for (const auto& [network, routing] : std::initializer_list<std::pair<std::string, const char*>>{
             {"dragonfly p=2 a=4 h=2 g=9", "dragonfly_minimal"},
             {"kary_ntree k=4 n=3", "tree_adaptive"},
             {"tree degree=3 depth=4", "tree_static"},
             {"hypercube n=6", "dor"},
             {"hyperx dims=4,4,3", "hyperx_minimal"},
             {"mesh dims=7,6", "odd_even"},
             {"torus dims=8,3,2", "dor"},
             {"slim_fly q=5", "slim_fly_minimal"},
             {"graph file=" + scrambled_torus_file(folder + "scrambled.txt", 8, 4), "up_down"}})
        all.push_back(told_setting(network, routing));
    return all;
}

}  // namespace sare::test
