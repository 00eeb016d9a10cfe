// SPDX-License-Identifier: Apache-2.0
#include "tests/support/seed.h"
#include "tests/support/sources_add_up.h"
#include "tests/support/test_fabric.h"
#include "tests/support/told_traffic.h"

#include <gtest/gtest.h>

#include <algorithm>

/// Reset of one router or one NIC in mid-run.
namespace sare::test::block_reset_test {
namespace {

fabric_setting random_setting(rng& random) {
    static const std::vector<std::pair<const char*, const char*>> networks{
        {"mesh dims=4,3", "dor"},
        {"torus dims=4,4 link_latency=2", "dor"},
        {"torus dims=4,4", "duato"},
        {"mesh dims=3,3 link_latency=3", "odd_even"},
        {"ring n=6 concentration=2 link_cycles_per_flit=2", "dor"},
        {"mesh dims=4,4 link_idle=3 link_wake=5", "o1turn"}};
    fabric_setting s;
    const auto& [network, routing] = networks[random.below(static_cast<std::uint32_t>(networks.size()))];
    s.network = network;
    s.routing = routing;
    s.seed = random.next();
    s.compact_allowed = false;
    s.classes = 1 + random.below(2);
    s.router.vcs = 4 * s.classes;
    s.router.depth = 4 + random.below(4);
    s.router.rc_delay = random.below(3);
    s.router.va_delay = random.below(3);
    s.router.sa_delay = random.below(3);
    s.router.st_delay = random.below(3);
    s.router.credit_delay = random.below(3);
    s.router.pipelined = random.bernoulli(0.8);
    s.router.speculative = random.bernoulli(0.3);
    if (random.bernoulli(0.3)) s.router.credit_batch = 1 + random.below(3);
    const bool duato = s.routing == "duato";
    if (duato || random.bernoulli(0.4)) s.router.reallocation = reallocation_rule::atomic;
    s.router.switching = random.bernoulli(0.5)   ? switching_mode::wormhole
                         : random.bernoulli(0.5) ? switching_mode::cut_through
                                                 : switching_mode::store_and_forward;
    s.nic.max_packet_flits = 1 + random.below(4);
    return s;
}

/// Flits in buffers and on links; no buffer and no credits beyond its depth.
std::string look(const fabric& net) {
    for (std::uint32_t r = 0; r < net.view().routers(); ++r)
        for (std::uint32_t p = 0; p < net.view().ports(r); ++p)
            for (std::uint32_t v = 0; v < net.view().vcs(); ++v) {
                const port_peer to = net.view().map()->peer(router_id(r), port_id(p));
                if (to.what == port_peer::kind::none) continue;
                const std::uint32_t beyond =
                    to.what == port_peer::kind::router ? net.view().in(to.id, to.port, v).count : 0u;
                if (net.view().out(r, p, v).credits + beyond > net.view().depth_beyond(r, p))
                    return "router " + std::to_string(r) + " has credits that nothing gave";
            }
    return net.view().packets_inside() == net.view().packets().in_use() ? "" : "packets are miscounted";
}

bool is_empty(const fabric& net, std::uint32_t r) {
    for (std::uint32_t p = 0; p < net.view().ports(r); ++p)
        for (std::uint32_t v = 0; v < net.view().vcs(); ++v)
            if (net.view().in(r, p, v).count != 0 || net.view().out(r, p, v).owner != out_vc::no_owner)
                return false;
    return true;
}

struct history {
    std::vector<std::pair<cycle_t, std::uint64_t>> told;
    std::vector<std::vector<std::uint64_t>> log;  ///< what became of packets, in order of time and node
};

/// Routers and NICs are reset at random; in the end everything is where it belongs, and every message has
/// been delivered or told to be lost.
history run_with_resets(const fabric_setting& s, std::uint64_t seed, std::uint64_t shuffle) {
    test_fabric f(s);
    if (shuffle != 0) f.net.stepper().shuffle_evaluation(shuffle);
    EXPECT_EQ(f.net.reset().obstacle_to_blocks(), "");
    rng random(seed, stream::test, 8);
    told_messages traffic(seed, 600, 0.1, 9);
    packet_log log;
    f.net.stepper().set_observer(&log);
    f.net.stepper().set_workload(&traffic);
    cycle_t next_reset = 40;
    for (cycle_t t = 0; t < 200'000; t = std::min(f.net.stepper().next_work(t), next_reset)) {
        if (t == next_reset) {
            next_reset = t < 800 ? t + 1 + random.below(60) : workload::never;
            if (random.bernoulli(0.6)) {
                const std::uint32_t r = random.below(f.net.view().routers());
                f.net.reset().router(r, t);
                EXPECT_TRUE(is_empty(f.net, r));
            } else {
                f.net.reset().nic(random.below(f.net.view().nodes()), t);
            }
        }
        f.net.stepper().step(t);
        if (const std::string wrong = look(f.net); !wrong.empty()) {
            ADD_FAILURE() << wrong << " after cycle " << t;
            break;
        }
    }
    EXPECT_EQ(f.net.view().leftovers(), "");
    EXPECT_EQ(f.net.view().flits_inside(), 0U);
    EXPECT_EQ(f.net.view().packets_inside(), 0U);
    EXPECT_EQ(traffic.unaccounted(), 0U);
    expect_sources_add_up(f.net.view(), traffic.made);
    EXPECT_EQ(f.net.view().changes().lost_messages, traffic.lost());
    EXPECT_GT(traffic.lost(), 0U);
    EXPECT_LT(traffic.lost(), traffic.deliveries.size());
    history all{traffic.told, {}};
    for (auto line = log.lines.begin(); line != log.lines.end(); line += 8)
        all.log.emplace_back(line, line + 8);
    std::sort(all.log.begin(), all.log.end());
    return all;
}

TEST(BlockReset, LosesOnlyWhatItReports) {
    rng random(test_seed(21), stream::test, 30);
    for (int n = 0; n < 60; ++n) {
        const fabric_setting s = random_setting(random);
        const std::uint64_t seed = random.next();
        SCOPED_TRACE(s.network + ", " + s.routing + ", case " + std::to_string(n));
        const history once = run_with_resets(s, seed, 0), shuffled = run_with_resets(s, seed, 3);
        EXPECT_EQ(once.told, shuffled.told);
        EXPECT_EQ(once.log, shuffled.log);
        if (HasFailure()) return;
    }
}

/// A packet that has wholly left a router and its links is not touched, one that has not is lost, to the
/// cycle: along a row of five routers, over which its tail comes by in known cycles.
TEST(BlockReset, KnowsToTheCycleWhatIsInTheRouter) {
    fabric_setting s;
    s.network = "mesh dims=5,1";
    s.compact_allowed = false;
    s.router.vcs = 2;
    const router_params& p = s.router;
    const cycle_t hop = p.effective_rc_delay() + p.va_delay + p.sa_delay + p.st_delay + 1;
    constexpr std::uint32_t flits = 6;
    // The head is read by router 0 in this cycle, by router r r hops later; the tail follows flits - 1
    // behind.
    const cycle_t first = s.nic.delay + 1;
    for (cycle_t at = 1; at < first + 5 * hop + flits + 4; ++at) {
        test_fabric f(s);
        sare::message m;
        m.destination = 4;
        m.flits = flits;
        scripted_traffic traffic({m});
        f.net.stepper().set_workload(&traffic);
        f.run(0, at);
        f.net.reset().router(2, at);
        f.run(at, 10'000);
        EXPECT_EQ(f.net.view().leftovers(), "");
        // On the link to router 2 from when router 1 grants it; read by router 3 in the last cycle that
        // counts.
        const cycle_t comes = first + 2 * hop - (p.sa_delay + p.st_delay + 1) + 1,
                      goes = first + 3 * hop + flits - 1;
        const bool lost = at >= comes && at <= goes;
        EXPECT_EQ(f.net.view().changes().dropped.packets, lost ? 1U : 0U) << "reset before cycle " << at;
        EXPECT_EQ(f.net.view().packets_consumed(), lost ? 0U : 1U) << "reset before cycle " << at;
    }
}

/// A NIC loses its source queue.
TEST(BlockReset, LosesWhatWaitsInANic) {
    fabric_setting s;
    s.compact_allowed = false;
    test_fabric f(s);
    told_messages traffic(3, 2, 1, 1);  // two of each node, in cycles 0 and 1
    f.net.stepper().set_workload(&traffic);
    f.run(0, 1);
    f.net.reset().nic(5, 1);
    f.run(1, 10'000);
    EXPECT_EQ(f.net.view().leftovers(), "");
    EXPECT_EQ(traffic.told.size(), 1U);  // that of cycle 0, on its way to the router
    EXPECT_EQ(traffic.drops.at(5), 1U);
    EXPECT_EQ(traffic.unaccounted(), 0U);
}

}  // namespace
}  // namespace sare::test::block_reset_test
