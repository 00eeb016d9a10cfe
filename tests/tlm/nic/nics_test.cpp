// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

#include <set>

/// Network interfaces: how messages become flits, when these may leave, and what is told of it.
namespace sare::test::nics_test {
namespace {

using kind = link_end::kind;

/// A node's link to its router, with a look at what passes. Credits can be held back.
struct tap final : foreign_endpoint {
    struct seen {
        cycle_t at;
        flit what;
    };
    fabric* net = nullptr;
    std::uint32_t id = 0;
    bool holds = false;
    std::vector<seen> flits;
    std::vector<std::uint32_t> held;  ///< VCs of credits

    void flit_arrived(const flit& f) override {
        flits.push_back({net->port().now(), f});
        net->foreign().write_flit(id, f, net->port().now());
    }
    void credit_arrived(std::uint32_t vc, std::uint32_t count) override {
        held.insert(held.end(), count, vc);
        if (!holds) give_one();
    }
    void give_one() {
        net->foreign().write_credit(id, held.front(), net->port().now());
        held.erase(held.begin());
    }
};

/// What it is told to send, in the cycle that a message says, and all that it is told.
struct told_workload final : workload {
    std::vector<sare::message> script;
    std::vector<delivery> delivered_messages;
    std::vector<std::pair<cycle_t, std::uint32_t>> rooms, asked;  ///< (cycle, node); (cycle, level) of node 0
    std::size_t next = 0, next_asked = 0;
    traffic_port* port = nullptr;
    void start(traffic_port& p) override { port = &p; }
    cycle_t next_tick() const override {
        const cycle_t sends = next == script.size() ? never : script[next].generated;
        return std::min(sends, next_asked == asked.size() ? never : asked[next_asked].first);
    }
    void tick(cycle_t now) override {
        for (; next != script.size() && script[next].generated == now; ++next) port->send(script[next]);
        for (; next_asked != asked.size() && asked[next_asked].first == now; ++next_asked)
            port->call_when_queued(0, 0, asked[next_asked].second);
    }
    void delivered(const delivery& d) override { delivered_messages.push_back(d); }
    void queue_space(std::uint32_t node, std::uint32_t) override { rooms.emplace_back(port->now(), node); }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
};

/// Two nodes on a router; node 0 by a tap.
class bench {
  public:
    explicit bench(const router_params& router, const nic_params& nic, std::uint32_t classes = 1,
                   const link_attributes& link = {})
        : net(router.vcs, classes, 1), map(network("mesh dims=1,1 concentration=2")) {
        way = routing("dor", *map, router.vcs / classes);
        net.builder().set_routing(*map, *way);
        net.builder().add_router(std::make_shared<vc_model>(router), map->ports(router_id(0)));
        net.builder().add_nic(nic);
        net.builder().add_nic(nic);
        watch.net = &net;
        watch.id = net.builder().add_foreign(watch);
        const link_end router_0{kind::router, 0, map->port_of(node_id(0)).value};
        const link_end router_1{kind::router, 0, map->port_of(node_id(1)).value};
        net.builder().connect({kind::nic, 0, 0}, {kind::foreign, watch.id, 0}, link, router_0);
        net.builder().connect({kind::foreign, watch.id, 0}, router_0, {});
        net.builder().connect(router_0, {kind::nic, 0, 0}, {});
        net.builder().connect({kind::nic, 1, 0}, router_1, {});
        net.builder().connect(router_1, {kind::nic, 1, 0}, {});
        net.builder().finish();
    }

    void send(std::uint32_t flits, cycle_t generated = 0, std::uint32_t message_class = 0) {
        sare::message m;
        m.destination = 1;
        m.flits = flits;
        m.message_class = message_class;
        m.generated = generated;
        traffic.script.push_back(m);
    }
    void run(cycle_t end) {
        if (at == 0) net.stepper().set_workload(&traffic);
        for (; at < end; ++at) net.stepper().step(at);
    }
    /// One a cycle: of one VC a wire carries no more.
    void give(std::size_t credits) {
        for (; credits != 0; --credits) {
            watch.give_one();
            run(at + 1);
        }
    }
    std::size_t passed() const { return watch.flits.size(); }

    fabric net;
    std::unique_ptr<topology> map;
    std::unique_ptr<routing_function> way;
    tap watch;
    told_workload traffic;
    cycle_t at = 0;
};

router_params with_vcs(std::uint32_t vcs, std::uint32_t depth = 8) {
    router_params p;
    p.vcs = vcs;
    p.depth = depth;
    return p;
}
nic_params with_packets(std::uint32_t flits) {
    nic_params p;
    p.max_packet_flits = flits;
    return p;
}

/// Ten flits in packets of four: a flit a cycle, in order, each packet on the next VC.
TEST(Nic, CutsMessagesIntoPackets) {
    bench b(with_vcs(3), with_packets(4));
    b.send(10);
    b.run(100);
    ASSERT_EQ(b.passed(), 10U);
    for (std::uint32_t k = 0; k < 10; ++k) {
        const auto& [at, f] = b.watch.flits[k];
        EXPECT_EQ(at, nic_params{}.delay + 1 + k);
        EXPECT_EQ(f.is_head(), k % 4 == 0);
        EXPECT_EQ(f.is_tail(), k % 4 == 3 || k == 9);
        EXPECT_EQ(f.is_head() ? 0 : f.sequence, k % 4);
        EXPECT_EQ(f.vc, (1 + k / 4) % 3);
    }
    EXPECT_EQ(b.net.view().flits_consumed(), 10U);
    EXPECT_EQ(b.net.view().leftovers(), "");
}

TEST(Nic, PadsMessages) {
    nic_params nic = with_packets(4);
    nic.pad = true;
    bench b(with_vcs(2), nic);
    b.send(5);
    b.send(8);
    b.run(100);
    EXPECT_EQ(b.passed(), 16U);
    EXPECT_EQ(b.net.view().packets_consumed(), 4U);
}

/// Each on VCs of its own.
TEST(Nic, LetsClassesTakeTurnsFlitByFlit) {
    bench b(with_vcs(4), with_packets(4), 2);
    for (const std::uint32_t c : {0U, 0U, 1U, 1U}) b.send(4, 0, c);
    b.run(100);
    ASSERT_EQ(b.passed(), 16U);
    for (std::uint32_t k = 0; k < 16; ++k) {
        const std::uint32_t packet = k / 8, c = k % 2;
        EXPECT_EQ(b.watch.flits[k].what.vc, 2 * c + (packet + 1) % 2) << k;
    }
}

/// A class that has nothing to send, or no credits, leaves its turn to the other one.
TEST(Nic, PassesOverAClassWithoutCredits) {
    bench b(with_vcs(2, 3), with_packets(4), 2);
    b.watch.holds = true;
    b.send(4, 0, 0);
    b.send(3, 9, 1);
    b.run(30);
    ASSERT_EQ(b.passed(), 6U);
    for (std::uint32_t k = 0; k < 6; ++k) {
        const cycle_t sent = k < 3 ? k : 9 + k - 3;
        EXPECT_EQ(b.watch.flits[k].what.vc, k / 3);
        EXPECT_EQ(b.watch.flits[k].at, sent + nic_params{}.delay + 1);
    }
    b.give(1);
    b.run(60);
    EXPECT_EQ(b.passed(), 7U);
}

/// With six places and packets of four, all on one VC: what of two packets leaves before any credit is back,
/// and how many credits the rest waits for.
TEST(Nic, HoldsHeadsUntilTheRouterHasRoom) {
    struct rule {
        switching_mode switching;
        reallocation_rule reallocation;
        std::uint32_t first, credits;
    };
    for (const rule& r : {rule{switching_mode::wormhole, reallocation_rule::tail, 6, 1},
                          rule{switching_mode::cut_through, reallocation_rule::tail, 4, 2},
                          rule{switching_mode::wormhole, reallocation_rule::atomic, 4, 4}}) {
        router_params router = with_vcs(1, 6);
        router.switching = r.switching;
        router.reallocation = r.reallocation;
        bench b(router, with_packets(4));
        b.watch.holds = true;
        b.send(8);
        b.run(30);
        EXPECT_EQ(b.passed(), r.first);
        for (std::uint32_t given = 1; given <= r.credits; ++given) {
            EXPECT_EQ(b.passed(), r.first) << "after " << given - 1 << " credits";
            b.give(1);
            b.run(b.at + 20);
        }
        EXPECT_GT(b.passed(), r.first);
        b.watch.holds = false;
        b.give(b.watch.held.size());
        b.run(b.at + 60);
        EXPECT_EQ(b.passed(), 8U);
        EXPECT_EQ(b.net.view().leftovers(), "");
    }
}

/// As soon as a VC has what they need; the one after the last used comes first.
TEST(Nic, SendsHeadsOnTheNextVcWithRoom) {
    bench b(with_vcs(3, 2), with_packets(2));
    b.watch.holds = true;
    b.send(10);
    b.run(30);
    std::vector<std::uint32_t> vcs;
    for (const auto& s : b.watch.flits) vcs.push_back(s.what.vc);
    EXPECT_EQ(vcs, (std::vector<std::uint32_t>{1, 1, 2, 2, 0, 0}));
    b.watch.held = {2, 2};  // of what is held, these come back first
    b.give(2);
    b.run(60);
    ASSERT_EQ(b.passed(), 8U);
    EXPECT_EQ(b.watch.flits[7].what.vc, 2);
}

TEST(Nic, SendsMoreSlowlyOnANarrowLink) {
    for (const std::uint32_t cycles : {2U, 5U}) {
        bench b(with_vcs(2), with_packets(4), 1, {3, cycles});
        b.send(4);
        b.send(1);
        b.run(100);
        ASSERT_EQ(b.passed(), 5U);
        for (std::uint32_t k = 0; k < 5; ++k)
            EXPECT_EQ(b.watch.flits[k].at, nic_params{}.delay + 3 + cycles - 1 + k * cycles);
    }
}

/// A node whose link is unlike that of the first one sends, and takes what comes, no later for that.
TEST(Nic, IsNoSlowerOnAnIrregularLink) {
    std::vector<std::uint64_t> lines[4];
    for (const std::uint32_t odd : {0U, 1U, 2U, 3U}) {  // one way, the other one, both
        nic_params nic = with_packets(16);
        nic.ejection_depth = 1;  // a flit a round trip
        const auto map = network("mesh dims=1,1 concentration=3");
        const auto way = routing("dor", *map, 1);
        fabric net(1, 1, 1);
        net.builder().set_routing(*map, *way);
        net.builder().add_router(std::make_shared<vc_model>(with_vcs(1, 4)), map->ports(router_id(0)));
        for (std::uint32_t n = 0; n < 3; ++n) {
            net.builder().add_nic(nic);
            const link_end node{kind::nic, n, 0}, port{kind::router, 0, map->port_of(node_id(n)).value};
            net.builder().connect(node, port, {n == 0 && (odd & 1) != 0 ? 1U : 3U, 1});
            net.builder().connect(port, node, {n == 0 && (odd & 2) != 0 ? 1U : 3U, 1});
        }
        net.builder().finish();
        packet_log log;
        net.stepper().set_observer(&log);
        scripted_traffic traffic({{1, 2, 16, 0, 0, 0}, {2, 1, 16, 0, 0, 0}});
        net.stepper().set_workload(&traffic);
        for (cycle_t t = 0; t < 1000; t = net.stepper().next_work(t)) net.stepper().step(t);
        EXPECT_EQ(net.view().leftovers(), "");
        EXPECT_FALSE(log.lines.empty());
        lines[odd] = log.lines;
        EXPECT_EQ(lines[odd], lines[0]) << odd;
    }
}

/// Packets that have the slots of others begin to count anew; with keys their NIC counts for the routers.
TEST(Nic, CountsTheRoutersThatAPacketVisits) {
    struct hop_log final : observer {
        std::vector<std::uint32_t> hops;
        void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
        void packet_consumed(std::uint32_t, const packet& p, cycle_t) override { hops.push_back(p.hops); }
        void message_consumed(const message_record&, cycle_t) override {}
    };
    for (const char* routing : {"dor", "valiant"})  // valiant's routes are in no table
        for (const std::uint32_t flits : {1U, 3U}) {
            fabric_setting s;
            s.network = "mesh dims=4,1";
            s.routing = routing;
            test_fabric f(s);
            hop_log log;
            f.net.stepper().set_observer(&log);
            std::vector<sare::message> all;
            for (std::uint32_t k = 0; k < 8; ++k) all.push_back({k % 4, 3 - k % 4, flits, 0, 100 * k, 0});
            scripted_traffic traffic(all);
            f.net.stepper().set_workload(&traffic);
            f.run(0, 10'000);
            ASSERT_EQ(log.hops.size(), 8U);
            for (std::uint32_t k = 0; k < 8; ++k) {
                const std::uint32_t distance = 1 + (k % 4 == 0 || k % 4 == 3 ? 3 : 1);
                if (std::string(routing) == "dor")
                    EXPECT_EQ(log.hops[k], distance);
                else
                    EXPECT_LE(log.hops[k], 7U);
            }
        }
}

/// A message is injected with its first flit, though its slot had another one before.
TEST(Nic, InjectsAMessageWithItsFirstFlit) {
    for (const std::uint32_t flits : {1U, 9U}) {
        bench b(with_vcs(2), with_packets(4));
        b.send(flits, 5);
        b.send(flits, 105);
        b.run(300);
        ASSERT_EQ(b.traffic.delivered_messages.size(), 2U);
        EXPECT_EQ(b.traffic.delivered_messages[0].injected, 5U);
        EXPECT_EQ(b.traffic.delivered_messages[1].injected, 105U);
    }
}

/// queue_space() comes once for each call_when_queued(): when no more than that wait, at once if none do.
TEST(Nic, ReportsRoomOnceForEachRequest) {
    bench b(with_vcs(2), with_packets(4));
    for (int k = 0; k < 5; ++k) b.send(2, 10);  // the last flits of them leave in cycles 11, 13, .. 19
    b.traffic.asked = {{0, 0}, {11, 2}, {17, 2}};
    b.run(60);
    ASSERT_EQ(b.traffic.rooms.size(), 3U);
    const cycle_t earliest[] = {0, 15, 17};
    for (int k = 0; k < 3; ++k) EXPECT_LE(b.traffic.rooms[k].first - earliest[k], 1U) << k;
    for (int k = 0; k < 5; ++k) b.send(2, 70);  // nobody asks for a call now
    b.run(130);
    EXPECT_EQ(b.traffic.rooms.size(), 3U);
}

TEST(Nic, CountsMessagesThatHaveBegun) {
    bench b(with_vcs(2), with_packets(4));
    b.send(6, 10);
    b.send(1, 10);
    b.run(10);
    EXPECT_EQ(b.net.view().messages_started(), 0U);
    b.run(11);
    EXPECT_EQ(b.net.view().messages_started(), 1U);
    b.run(16);
    EXPECT_EQ(b.net.view().messages_started(), 1U);
    b.run(17);
    EXPECT_EQ(b.net.view().messages_started(), 2U);
}

TEST(Nic, NamesTheNodeWithoutItsCredits) {
    bench b(with_vcs(2), with_packets(4));
    b.watch.holds = true;
    b.send(1);
    b.run(30);
    EXPECT_EQ(b.net.view().leftovers(), "nic 0 vc 1: credits not back");
    b.give(1);
    b.run(60);
    EXPECT_EQ(b.net.view().leftovers(), "");
}

/// Of each node, the routes that its packets drew.
std::vector<std::vector<std::uint64_t>> drawn(std::uint64_t seed) {
    struct route_log final : observer {
        std::vector<std::vector<std::uint64_t>> of;
        void packet_injected(std::uint32_t node, const packet& p, cycle_t) override {
            of[node].push_back(p.route.state);
        }
        void packet_consumed(std::uint32_t, const packet&, cycle_t) override {}
        void message_consumed(const message_record&, cycle_t) override {}
    };
    fabric_setting s;
    s.network = "mesh dims=3,2";
    s.routing = "o1turn";
    s.router.vcs = 2;
    s.seed = seed;
    test_fabric f(s);
    route_log log;
    log.of.resize(6);
    f.net.stepper().set_observer(&log);
    std::vector<sare::message> all;
    for (std::uint32_t k = 0; k < 64; ++k)
        for (std::uint32_t n = 0; n < 6; ++n) all.push_back({n, (n + 4) % 6, 1, 0, 0, 0});
    scripted_traffic traffic(all);
    f.net.stepper().set_workload(&traffic);
    f.run(0, 10'000);
    return log.of;
}

TEST(Nic, DrawsRoutesOfItsOwn) {
    const auto first = drawn(1), again = drawn(1), other = drawn(2);
    EXPECT_EQ(first, again);
    for (std::uint32_t n = 0; n < 6; ++n) {
        ASSERT_EQ(first[n].size(), 64U);
        EXPECT_NE(first[n], std::vector<std::uint64_t>(64, first[n][0]));
        EXPECT_NE(first[n], other[n]);
        for (std::uint32_t m = 0; m < n; ++m) EXPECT_NE(first[n], first[m]) << n << " and " << m;
    }
}

/// The other NIC goes on injecting.
TEST(Nic, IsTakenOverOnce) {
    const auto map = network("mesh dims=2");
    const auto way = routing("dor", *map, 2);
    fabric net(2, 1, 1);
    net.builder().set_routing(*map, *way);
    for (std::uint32_t r = 0; r < 2; ++r)
        net.builder().add_router(std::make_shared<vc_model>(with_vcs(2)), map->ports(router_id(r)));
    for (std::uint32_t n = 0; n < 2; ++n) net.builder().add_nic(with_packets(4));
    net.builder().take_over_nic(0);
    net.builder().take_over_nic(0);
    connect(net, *map);
    net.builder().finish();
    scripted_traffic traffic({{1, 1, 3, 0, 0, 0}});
    net.stepper().set_workload(&traffic);
    for (cycle_t t = 0; t < 9; ++t) net.stepper().step(t);
    EXPECT_EQ(net.view().flits_injected(), 3U);
}

/// NICs whose work is done outside are asked for packets, and told of flits that leave and arrive.
TEST(Nic, HandsItsPacketsOut) {
    fabric_setting s;
    s.network = "mesh dims=2,2";
    const auto map = network(s.network);
    const auto way = routing("o1turn", *map, 2);
    fabric net(2, 1, 1);
    net.builder().set_routing(*map, *way);
    for (std::uint32_t r = 0; r < 4; ++r)
        net.builder().add_router(std::make_shared<vc_model>(with_vcs(2)), 5);
    for (std::uint32_t n = 0; n < 4; ++n) {
        net.builder().add_nic(with_packets(4));
        net.builder().take_over_nic(n);
    }
    connect(net, *map);
    net.builder().finish();
    told_workload traffic;
    constexpr std::uint32_t messages = 40;
    for (std::uint32_t k = 0; k < messages; ++k) traffic.script.push_back({0, 3, 6, 0, 0, 0});
    net.stepper().set_workload(&traffic);
    cycle_t t = 0;
    while (t < 9) net.stepper().step(t++);
    EXPECT_EQ(net.view().flits_injected(), 0U);  // it does not do that itself
    std::set<std::uint64_t> states;
    const auto hand_over = [&](std::uint32_t flits) {
        const waiting_packet w = *net.nics().next_packet(0, 0), again = *net.nics().next_packet(0, 0);
        EXPECT_EQ(w.flits, flits);
        EXPECT_EQ(w.route.destination, 3U);
        EXPECT_EQ(w.route.state, again.route.state);
        states.insert(w.route.state);
        const cycle_t first = t;
        for (std::uint32_t k = 0; k < flits; ++k, ++t) {
            const std::uint32_t id = net.nics().flit_leaves(0, 0, t);
            const packet& p = net.view().packets()[id];
            EXPECT_EQ(p.flits, flits);
            EXPECT_EQ(p.route.state, w.route.state);
            EXPECT_EQ(p.injected, first);
            const std::uint32_t end = (k == 0 ? flit::head : 0) | (k + 1 == flits ? flit::tail : 0);
            net.nics().flit_arrives(3, flit::from_word(flit::make_word(id, k, 1, end)), t);
        }
    };
    for (std::uint32_t k = 0; k < messages; ++k) {
        const cycle_t first = t;
        hand_over(4);
        EXPECT_EQ(net.view().messages_started(), k + 1);
        hand_over(2);
        net.stepper().step(t++);
        ASSERT_EQ(traffic.delivered_messages.size(), k + 1);
        EXPECT_EQ(traffic.delivered_messages.back().injected, first);
    }
    EXPECT_EQ(net.nics().next_packet(0, 0), nullptr);
    EXPECT_EQ(net.view().packets_injected(), 2U * messages);
    EXPECT_EQ(net.view().flits_injected(), 6U * messages);
    EXPECT_EQ(net.view().flits_consumed(), 6U * messages);
    EXPECT_EQ(net.view().packets_inside(), 0U);
    EXPECT_EQ(states.size(), 2U);
}

/// Where there are many nodes, those of a cycle are run when all are known.
TEST(Nic, IsTheSameAmongManyNodes) {
    packet_log logs[2];
    for (const bool fast : {false, true}) {
        fabric_setting s;
        s.network = "mesh dims=24,24";
        s.traffic = "bernoulli load=0.05 stop_cycle=150";
        s.length = "bimodal first=1 second=7 probability=0.5";
        s.router.vcs = 2;
        s.nic.max_packet_flits = 4;
        s.compact_allowed = fast;
        test_fabric f(s);
        const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
        f.net.stepper().set_observer(&logs[fast]);
        f.net.stepper().set_workload(traffic.get());
        f.run(0, 10'000);
        EXPECT_EQ(f.net.view().leftovers(), "");
        EXPECT_GT(logs[fast].lines.size(), 10'000U);
    }
    EXPECT_TRUE(logs[0].lines == logs[1].lines);
}

}  // namespace
}  // namespace sare::test::nics_test
