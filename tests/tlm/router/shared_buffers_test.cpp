// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_script.h"
#include "tests/support/test_fabric.h"
#include "tlm/routing/deadlock/deadlock.h"

#include <gtest/gtest.h>

/// Buffers that the VCs of a port share.
namespace sare::test::shared_buffers_test {
namespace {

fabric_setting shared(std::uint32_t vcs, std::uint32_t depth, std::uint32_t reserved) {
    fabric_setting s;
    s.router.vcs = vcs;
    s.router.depth = depth;
    s.router.buffers = buffer_policy::shared;
    s.router.reserved = reserved;
    return s;
}

/// Number of flits of a long message that have arrived after `cycles`, over a line of two routers.
std::uint64_t arrived(fabric_setting s, std::uint32_t latency, cycle_t cycles) {
    s.network = "mesh dims=2,1 link_latency=" + std::to_string(latency);
    s.nic.max_packet_flits = 65535;
    test_fabric f(s);
    sare::message m;
    m.destination = 1;
    m.flits = 60000;
    scripted_traffic traffic({m});
    f.net.stepper().set_workload(&traffic);
    f.run(0, cycles);
    return f.net.view().flits_consumed();
}

/// One packet has one VC: with buffers of its own a flit in each round trip for each of its places, with a
/// shared one as many as the reserved places and the pool.
TEST(SharedBuffers, LetOneVcHaveThePool) {
    constexpr std::uint32_t latency = 40;
    constexpr cycle_t cycles = 8000;
    fabric_setting alone;
    alone.router.vcs = 4;
    alone.router.depth = 5;
    const auto flits = static_cast<double>(arrived(alone, latency, cycles));
    const double round_trip = 5 * cycles / flits;
    EXPECT_NEAR(round_trip, 2 * latency, 6);
    for (const std::uint32_t reserved : {0U, 1U, 3U}) {
        const double places = reserved + 4 * (5.0 - reserved);
        EXPECT_NEAR(static_cast<double>(arrived(shared(4, 5, reserved), latency, cycles)),
                    places * cycles / round_trip, 3 * places)
            << reserved;
    }
}

/// Flits consumed by each cycle of a run, and the least credits of a VC of a router or NIC in any of them.
struct observed {
    std::vector<std::uint64_t> flits;
    std::uint32_t least = ~0U;
};

observed observe(fabric_setting s) {
    s.traffic = "bernoulli load=0.3";
    s.length = "bimodal first=1 second=5";
    test_fabric f(s);
    const network_view& net = f.net.view();
    const auto traffic = traffic_of(s.traffic, f.map().nodes(), s.length);
    f.net.stepper().set_workload(traffic.get());
    observed all;
    for (cycle_t t = 0; t < 600; ++t) {
        f.net.stepper().step(t);
        all.flits.push_back(net.flits_consumed());
        for (std::uint32_t v = 0; v < net.vcs(); ++v) {
            for (std::uint32_t n = 0; n < net.nodes(); ++n)
                all.least = std::min<std::uint32_t>(all.least, net.nic(n).vc_credits[v]);
            for (std::uint32_t r = 0; r < net.routers(); ++r)
                for (std::uint32_t p = 0; p < net.ports(r); ++p)
                    if (f.map().peer(router_id(r), port_id(p)).what == port_peer::kind::router)
                        all.least = std::min<std::uint32_t>(all.least, net.out(r, p, v).credits);
        }
    }
    return all;
}

/// As many places of its own as a VC ever holds, and nobody takes one of the pool; one less, and some VC
/// does. Either way nothing waits that would not wait with buffers of their own.
TEST(SharedBuffers, EqualPrivateOnesWhileThePoolIsNotNeeded) {
    fabric_setting alone = shared(4, 40, 0);
    alone.router.buffers = buffer_policy::per_vc;
    const observed ample = observe(alone);
    const std::uint32_t most = 40 - ample.least;
    ASSERT_GT(most, 2U);
    ASSERT_LT(most, 40U);
    constexpr std::uint32_t each = 3, pool = 4 * each;
    const observed unused = observe(shared(4, most + each, most));
    const observed used = observe(shared(4, most - 1 + each, most - 1));
    EXPECT_EQ(unused.least, pool);
    EXPECT_EQ(used.least, pool - 1);
    EXPECT_EQ(unused.flits, ample.flits);
    EXPECT_EQ(used.flits, ample.flits);
    EXPECT_GT(ample.flits.back(), 1000U);
}

/// Never more flits in a port than it has places, never more of a VC than reserved places and pool;
/// everything arrives, and all places are back in the end.
TEST(SharedBuffers, HoldNoMoreThanTheirPlaces) {
    rng random(7, stream::test, 1);
    std::uint32_t fullest = 0;
    for (int n = 0; n < 40; ++n) {
        fabric_setting s = shared(1 + random.below(4), 1 + random.below(6), 0);
        s.router.reserved = std::min(1 + random.below(3), s.router.depth);
        s.network = random.bernoulli(0.5) ? "mesh dims=3,3" : "mesh dims=4,2 link_latency=3";
        s.router.va_delay = random.below(3);
        s.router.sa_delay = random.below(3);
        s.router.speculative = random.bernoulli(0.3);
        s.router.credit_batch = random.bernoulli(0.3) ? 3 : 1;
        s.router.input_speedup = random.bernoulli(0.3) ? 2 : 1;
        s.length = "bimodal first=1 second=7";
        test_fabric f(s);
        const network_view& net = f.net.view();
        const auto traffic = traffic_of("burst messages=20 bursts=1", f.map().nodes(), s.length);
        f.net.stepper().set_workload(traffic.get());
        cycle_t t = 0;
        for (; t < 4000; t = f.net.stepper().next_work(t)) {
            f.net.stepper().step(t);
            for (std::uint32_t r = 0; r < net.routers(); ++r)
                for (std::uint32_t p = 0; p < net.ports(r); ++p) {
                    std::uint32_t sum = 0;
                    for (std::uint32_t v = 0; v < net.vcs(); ++v) {
                        const std::uint32_t flits = net.in(r, p, v).count;
                        ASSERT_LE(flits, s.router.most_flits());
                        fullest = std::max(fullest, flits > s.router.depth ? flits : 0);
                        sum += flits;
                    }
                    ASSERT_LE(sum, s.router.vcs * s.router.depth) << "router " << r << ", port " << p;
                }
        }
        EXPECT_EQ(net.leftovers(), "") << n;
        EXPECT_EQ(net.flits_consumed(), net.flits_injected()) << n;
        EXPECT_GT(net.flits_consumed(), 0U);
    }
    EXPECT_GT(fullest, 0U);  // some VC had more than its share
}

/// Places that each VC has for itself keep VCs apart; without any, the dateline of a ring proves nothing.
TEST(SharedBuffers, AreFreeOfDeadlockByTheirReservedPlaces) {
    for (const std::uint32_t reserved : {0U, 1U}) {
        const vc_model model(shared(2, 4, reserved).router);
        EXPECT_EQ(model.terms().keeps_vcs_apart(64), reserved == 1);
    }
}

TEST(SharedBuffers, RefuseWhatDoesNotGoWithThem) {
    const auto error = [](const std::function<void(router_params&)>& change) {
        router_params p = shared(4, 8, 1).router;
        change(p);
        try {
            vc_model model(p);
        } catch (const config::error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_EQ(error([](router_params&) {}), "");
    EXPECT_NE(error([](router_params& p) { p.reserved = 9; }).find("it must be from 0 to router.depth, 8"),
              std::string::npos);
    EXPECT_NE(error([](router_params& p) { p.switching = switching_mode::cut_through; }).find("not wormhole"),
              std::string::npos);
    EXPECT_NE(error([](router_params& p) { p.reallocation = reallocation_rule::atomic; }).find("atomic"),
              std::string::npos);
}

}  // namespace
}  // namespace sare::test::shared_buffers_test
