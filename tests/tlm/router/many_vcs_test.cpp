// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_script.h"
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

/// Ports of up to 64 VCs.
namespace sare::test::many_vcs_test {
namespace {

/// Random parameters of a router. A wavefront in VA is left out: the order of its diagonals depends on the
/// number of VCs.
fabric_setting draw(rng& random) {
    constexpr const char* networks[] = {"mesh dims=3,3", "torus dims=4,2", "torus dims=3,3 link_latency=3"};
    constexpr const char* allocators[] = {"input_first", "output_first", "wavefront"};
    constexpr const char* arbiters[] = {"round_robin", "matrix", "age", "longest"};
    fabric_setting s;
    s.network = networks[random.below(3)];
    s.routing = random.bernoulli(0.5) ? "dor" : "duato";
    router_params& p = s.router;
    p.depth = 4 + random.below(4);
    p.va_delay = random.below(3);
    p.sa_delay = random.below(3);
    p.va_allocator = config::value::scalar(allocators[random.below(2)]);
    p.sa_allocator = config::value::scalar(allocators[random.below(3)]);
    p.va_arbiter = config::value::scalar(arbiters[random.below(4)]);
    p.sa_arbiter = config::value::scalar(arbiters[random.below(4)]);
    p.speculative = random.bernoulli(0.3);
    p.iterations = 1 + random.below(2);
    p.output_speedup = 1 + random.below(2);
    p.credit_batch = random.bernoulli(0.3) ? 3 : 1;
    p.switching = random.bernoulli(0.5) ? switching_mode::wormhole : switching_mode::cut_through;
    if (s.routing == "duato" && p.switching == switching_mode::wormhole)
        p.reallocation = reallocation_rule::atomic;
    s.nic.max_packet_flits = 4;
    return s;
}

/// What becomes of the packets of one message class, the last one.
std::vector<std::uint64_t> log_of(const fabric_setting& s, std::uint64_t seed) {
    test_fabric f(s);
    packet_log log;
    f.net.stepper().add_observer(log);
    rng random(seed, stream::test, 2);
    std::vector<sare::message> script = random_script(random, f.map().nodes(), 7, 150, 0.15);
    for (sare::message& m : script) m.message_class = s.classes - 1;
    scripted_traffic traffic(script);
    f.net.stepper().set_workload(&traffic);
    f.run(0, 20000);
    EXPECT_EQ(f.net.view().leftovers(), "");
    EXPECT_EQ(f.net.view().flits_consumed(), f.net.view().flits_injected());
    return log.lines;
}

/// A class that has the highest VCs of a port, while the others send nothing, is as alone.
TEST(ManyVcs, ServeTheHighestClassAsAPortOfItsOwn) {
    rng random(3, stream::test, 1);
    for (int n = 0; n < 40; ++n) {
        fabric_setting alone = draw(random);
        alone.router.vcs = 4;
        fabric_setting many = alone;
        many.classes = 5 + random.below(12);
        many.router.vcs = 4 * many.classes;
        const std::vector<std::uint64_t> expected = log_of(alone, static_cast<std::uint64_t>(n));
        EXPECT_FALSE(expected.empty());
        EXPECT_EQ(log_of(many, static_cast<std::uint64_t>(n)), expected)
            << "case " << n << ": " << many.classes << " classes";
    }
}

/// All VCs at work: nothing is lost, and no place of a buffer stays taken.
TEST(ManyVcs, CarryAllClassesAtOnce) {
    rng random(4, stream::test, 1);
    for (int n = 0; n < 30; ++n) {
        fabric_setting s = draw(random);
        s.classes = 1 + random.below(16);
        s.router.vcs = s.classes * (17 / s.classes + random.below(64 / s.classes - 17 / s.classes) + 1);
        if (random.bernoulli(0.3)) {
            s.router.switching = switching_mode::wormhole;
            s.router.reallocation = reallocation_rule::tail;
            s.router.output_speedup = 1;
            s.routing = "dor";
            s.router.buffers = buffer_policy::shared;
        }
        if (s.router.vcs / s.classes < 3) s.routing = "dor";
        ASSERT_GT(s.router.vcs, 16U);
        ASSERT_LE(s.router.vcs, 64U);
        test_fabric f(s);
        scripted_traffic traffic(random_script(random, f.map().nodes(), 7, 60, 0.5, s.classes));
        f.net.stepper().set_workload(&traffic);
        f.run(0, 20000);
        EXPECT_EQ(f.net.view().leftovers(), "") << n << ", VCs: " << s.router.vcs;
        EXPECT_EQ(f.net.view().flits_consumed(), traffic.generated(0).flits) << n;
    }
}

/// One packet a VC: as many packets as VCs are under way on a link, so that a long link is full.
TEST(ManyVcs, FillALongLink) {
    constexpr cycle_t cycles = 6000;
    for (const std::uint32_t vcs : {16U, 32U, 33U, 64U}) {
        fabric_setting s;
        s.network = "mesh dims=2,1 link_latency=100";
        s.router.vcs = vcs;
        s.router.depth = 1;
        s.nic.max_packet_flits = 1;
        std::vector<sare::message> script(cycles);
        for (cycle_t t = 0; t < cycles; ++t) {
            script[t].destination = 1;
            script[t].generated = t;
        }
        test_fabric f(s);
        scripted_traffic traffic(script);
        f.net.stepper().set_workload(&traffic);
        f.run(0, cycles);
        const double round_trip = 2 * 100;
        EXPECT_NEAR(static_cast<double>(f.net.view().flits_consumed()), cycles * vcs / round_trip,
                    0.05 * cycles * vcs / round_trip)
            << vcs;
    }
}

}  // namespace
}  // namespace sare::test::many_vcs_test
