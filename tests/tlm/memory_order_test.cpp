// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/memory_support.h"

#include <gtest/gtest.h>

/// Accesses of an initiator stay in order, and queues within their bounds.
namespace sare::test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// A 3x3 mesh, an initiator at node 0 and a memory of 4 KiB at node 8.
struct pair_of_nodes {
    explicit pair_of_nodes(double memory_ns)
        : net("net", 3, 3, router_params{}, 2),
          map(net.engine, {{0, 0x1000, 8}}),
          near("near", net.nics[0], map),
          far("far", net.nics[8], map),
          cpu("cpu"),
          ram("ram", 0x1000, always(memory_ns)) {
        cpu.socket.bind(near.initiators);
        far.memory.bind(ram.socket);
    }
    void run_with_load(const std::string& load, const sc_time& time) {
        traffic = make_workload("bernoulli", 9, {{"load", load}, {"length", "5"}});
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        net.engine.set_workload(*traffic);
        sc_core::sc_start(time);
    }

    hand_mesh net;
    memory_map map;
    memory_bridge near, far;
    phase_initiator<> cpu;
    blocking_memory_model<> ram;
    std::unique_ptr<workload> traffic;
};

/// Writes of 256 bytes, 4 bytes, and a read of 4, all at one address and on their way together: the short
/// one overtakes the long one in the network.
TEST(MemoryOrder, AReadSeesTheLastWriteOfItsInitiator) {
    pair_of_nodes b(4);
    unsigned missed = 0, read = 0;
    b.cpu.on_response = [&](transaction& t) {
        ASSERT_TRUE(t.is_response_ok());
        if (!t.is_read()) return;
        ++read;
        missed += t.data[0] != static_cast<unsigned char>(t.number);
    };
    b.cpu.body = [&](phase_initiator<>& self) {
        for (unsigned k = 0; k < 2000; ++k) {
            self.begin(self.pool.take(true, 0x40, 256, static_cast<unsigned char>(k + 100)));
            self.begin(self.pool.take(true, 0x40, 4, static_cast<unsigned char>(k)));
            transaction& t = self.pool.take(false, 0x40, 4);
            t.number = k;
            self.begin(t);
            self.finish();
        }
    };
    b.run_with_load("0.3", sc_time(1000000, SC_NS));
    EXPECT_EQ(read, 2000U);
    EXPECT_EQ(missed, 0U);
}

/// 3,000 requests to a memory that takes 100 ns for each: END_REQ comes when there is room.
TEST(MemoryOrder, ASlowMemoryHoldsItsInitiatorBack) {
    pair_of_nodes b(100);
    b.cpu.body = [&](phase_initiator<>& self) {
        for (unsigned k = 0; k < 3000; ++k) self.begin(self.pool.take(true, 0, 8));
        self.finish();
    };
    sc_core::sc_start(400, sc_core::SC_US);
    const auto& ended = b.cpu.requests_ended;
    ASSERT_EQ(ended.size(), 3000U);
    EXPECT_LT(std::count(ended.begin(), ended.end(), sc_core::SC_ZERO_TIME), 20);
    EXPECT_GT(ended.back(), sc_time(290000, SC_NS));
    EXPECT_EQ(b.cpu.outstanding, 0U);
    EXPECT_EQ(b.net.engine.net().leftovers(), "");
}

}  // namespace
}  // namespace sare::test
