// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

/// Accepted load against the bound by the busiest channel.
namespace sare::test::throughput_test {
namespace {

/// Channel loads of a permutation or of uniform traffic are flits a cycle on a link for one flit a node and
/// cycle. On a k-ary 2-mesh the busiest links are those across the middle, k each way: of the k²/2 nodes on
/// one side each sends to the k²/2 on the other with probability (k²/2) / (k² - 1), as no node sends to
/// itself. So a link carries (k²/2)² / (k² - 1) / k of it, and the network at most 4 (k² - 1) / k³: 4 / k but
/// for the messages to oneself.
constexpr double k = 8;
constexpr double uniform_bound = 4 * (k * k - 1) / (k * k * k);

double accepted(const fabric_setting& s, cycle_t warm_up = 2000, cycle_t cycles = 4000) {
    test_fabric f(s);
    const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
    f.net.stepper().set_workload(traffic.get());
    f.run(0, warm_up);
    const std::uint64_t before = f.net.view().flits_consumed();
    f.run(warm_up, warm_up + cycles);
    return static_cast<double>(f.net.view().flits_consumed() - before) /
           static_cast<double>(cycles * f.net.view().nodes());
}

fabric_setting strong_router(std::uint32_t flits, std::uint32_t input_speedup) {
    fabric_setting s;
    s.network = "mesh dims=8,8";
    s.length = "fixed flits=" + std::to_string(flits);
    s.router.vcs = 8;
    s.router.depth = 8;
    s.router.va_allocator = s.router.sa_allocator = config::value::scalar("wavefront");
    s.router.input_speedup = input_speedup;
    return s;
}

class throughput : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t>> {};
INSTANTIATE_TEST_SUITE_P(, throughput,
                         testing::Combine(testing::Values(1U, 4U), testing::Values(2U, 4U, 8U)));

TEST_P(throughput, ReachesTheChannelBoundAndNeverPassesIt) {
    fabric_setting s = strong_router(std::get<0>(GetParam()), std::get<1>(GetParam()));
    double most = 0;
    for (const char* load : {"0.45", "0.6", "1"}) {
        s.traffic = std::string("bernoulli load=") + load;
        const double flits = accepted(s);
        EXPECT_LE(flits, uniform_bound) << "offered " << load;
        most = std::max(most, flits);
    }
    EXPECT_GE(most, 0.93 * uniform_bound);  // asked for: 85%
    RecordProperty("accepted", std::to_string(most / uniform_bound));
}

/// Below saturation all that is offered is accepted.
TEST(Throughput, AcceptsWhatIsOffered) {
    fabric_setting s = strong_router(4, 2);
    for (const double load : {0.1, 0.25, 0.4}) {
        s.traffic = "bernoulli load=" + std::to_string(load);
        EXPECT_NEAR(accepted(s), load, 0.01 * load + 0.002);
    }
}

/// One flow has a link of its own: a flit in every cycle, whatever the allocators.
TEST(Throughput, IsAFlitACycleBetweenNeighbours) {
    for (const char* kind : {"input_first", "output_first", "wavefront"}) {
        fabric_setting s = strong_router(5, 1);
        s.network = "torus dims=4,4";
        s.routing = "dor dateline=basic";
        s.router.va_allocator = s.router.sa_allocator = config::value::scalar(kind);
        s.router.depth = 16;
        s.traffic = "bernoulli load=1 pattern=neighbour";
        EXPECT_GE(accepted(s), 0.97) << kind;
    }
}

/// All send to one node: its link takes a flit a cycle, and is never idle.
TEST(Throughput, IsBoundedByOneEjectionLink) {
    fabric_setting s = strong_router(4, 2);
    s.traffic = "bernoulli load=0.5 pattern=hotspot";
    s.network = "crossbar n=16";
    s.routing = "table";
    config::value pattern = section("hotspot fraction=1", "name");
    test_fabric f(s);
    config::value all = section(s.traffic, "workload");
    all.set("pattern", pattern);
    const auto traffic = workload_registry::instance().make(all, workload_context{"", 16});
    f.net.stepper().set_workload(traffic.get());
    f.run(0, 2000);
    const std::uint64_t before = f.net.view().nic(0).consumed_flits;
    f.run(2000, 4000);
    EXPECT_GE(f.net.view().nic(0).consumed_flits - before, 1990U);
    EXPECT_LE(f.net.view().nic(0).consumed_flits - before, 2000U);
}

/// Allocators by what they are for: a better one is not worse.
TEST(Throughput, GrowsWithBetterAllocators) {
    fabric_setting s = strong_router(1, 1);
    s.traffic = "bernoulli load=0.8";
    const double wavefront = accepted(s);
    s.router.va_allocator = s.router.sa_allocator = config::value::scalar("input_first");
    const double separable = accepted(s);
    s.router.iterations = 3;
    const double iterated = accepted(s);
    EXPECT_GT(wavefront, separable);
    EXPECT_GT(iterated, separable);
    EXPECT_GT(separable, 0.7 * uniform_bound);
}

/// What a routing function leaves open is for the router to choose, at run time: flits go other ways than by
/// dimension order, which is what the first candidate always is.
TEST(Throughput, UsesMoreLinksWithAdaptiveRouting) {
    for (const char* routing : {"west_first", "duato"}) {
        std::vector<std::uint32_t> sent[2];
        for (int run = 0; run < 2; ++run) {
            fabric_setting s;
            s.network = "mesh dims=8,8";
            s.routing = run == 0 ? "dor" : routing;
            s.router.reallocation = reallocation_rule::atomic;
            s.traffic = "bernoulli load=0.3 pattern=transpose";
            test_fabric f(s);
            const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
            f.net.stepper().set_workload(traffic.get());
            f.run(0, 2000);
            for (std::uint32_t r = 0; r < f.net.view().routers(); ++r)
                for (std::uint32_t p = 0; p < 4; ++p) {
                    sent[run].push_back(0);
                    for (std::uint32_t v = 0; v < f.net.view().vcs(); ++v)
                        sent[run].back() += f.net.view().flits_sent(r, p, v);
                }
        }
        std::uint32_t others = 0;
        for (std::size_t n = 0; n < sent[0].size(); ++n)
            others += sent[0][n] < 20 && sent[1][n] > 200 ? 1 : 0;
        EXPECT_GT(others, 0U) << routing << " uses no link that dimension order leaves idle";
    }
}

}  // namespace
}  // namespace sare::test::throughput_test
