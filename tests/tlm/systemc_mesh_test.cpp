// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/systemc_support.h"
#include "tests/tlm/topology_support.h"
#include "tlm/network/network.h"

#include <gtest/gtest.h>

/// Three ways to the same network: by hand, by the composer with all sockets, by the composer with wires
/// alone.
namespace sare::test {
namespace {

experiment mesh_experiment(std::uint64_t seed) {
    experiment e;
    e.seed = seed;
    e.network = section("mesh dims=4,4 link_latency=2", "topology");
    e.routing = section("dor", "function");
    e.traffic = section("bernoulli", "workload");
    return e;
}

TEST(SystemcMesh, HandBuiltBoundAndLeanAreTheSamePacketForPacket) {
    const experiment e = mesh_experiment(77);
    hand_mesh by_hand("hand", 4, 4, e.router, 1, 2, e.seed);
    sare::network bound("bound", e, 1), lean("lean", e, 1, 0);
    ASSERT_TRUE(bound.bound());
    ASSERT_FALSE(lean.bound());
    const std::vector<cycle_engine*> engines{&by_hand.engine, &bound.engine(), &lean.engine()};
    packet_log logs[3];
    std::unique_ptr<workload> traffic[3];
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (int k = 0; k < 3; ++k) {
        engines[k]->net().set_observer(&logs[k]);
        traffic[k] =
            make_workload("bernoulli", 16, {{"load", "0.3"}, {"length", "5"}, {"stop_cycle", "2000"}});
        engines[k]->set_workload(*traffic[k]);
    }
    engines[0]->run_until(5000);
    ASSERT_GT(logs[0].lines.size(), 3000U);
    EXPECT_EQ(logs[0].lines, logs[1].lines);
    EXPECT_EQ(logs[0].lines, logs[2].lines);
    for (auto* engine : engines) EXPECT_EQ(engine->net().leftovers(), "");
}

struct broken final : workload {
    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return 7; }
    void tick(cycle_t) override { throw config::error("the trace is torn"); }
    generated_counts generated(cycle_t) override { return {}; }
};

/// What throws within a cycle comes out of run_until() as what it was, and the engine stands still.
TEST(SystemcMesh, FailureWithinACycle) {
    broken traffic;
    hand_mesh net("m", 2, 2, {});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(traffic);
    EXPECT_EQ(message([&] { net.engine.run_until(100); }), "the trace is torn");
}

TEST(SystemcMesh, FailureInAPlainScStartNamesTheEngine) {
    broken traffic;
    hand_mesh net("m", 2, 2, {});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(traffic);
    EXPECT_EQ(report_of([] { sc_core::sc_start(100, sc_core::SC_NS); }),
              "m_engine, cycle 7: the trace is torn");
}

}  // namespace
}  // namespace sare::test
