// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/memory/memory_support.h"
#include "tests/tlm/router/protocol_checker.h"

#include <gtest/gtest.h>

/// Accesses of an initiator stay in order, and queues within their bounds.
namespace sare::test::memory_order_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

memory_bridge_params with_order(access_order order) {
    memory_bridge_params p;
    p.order = order;
    p.at_once = 4;
    return p;
}

/// A 3x3 mesh, an initiator at node 0 and a memory of 4 KiB at node 8.
struct pair_of_nodes {
    explicit pair_of_nodes(double memory_ns, const memory_bridge_params& params = {}, std::uint32_t vcs = 4)
        : net("net", 3, 3, with_vcs(vcs), 2),
          map(net.engine, {{0, 0x1000, 8}}),
          near("near", net.nics[0], map, params),
          far("far", net.nics[8], map, params),
          cpu("cpu"),
          ram("ram", 0x1000, always(memory_ns)) {
        checkers.between<32>(cpu.socket, near.initiators);
        checkers.between<32>(far.memory, ram.socket);
    }
    void run_with_load(const std::string& load, const sc_time& time) {
        traffic = make_workload("bernoulli", 9, {{"load", load}, {"length", "5"}});
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        net.engine.set_workload(*traffic);
        sc_core::sc_start(time);
        checkers.look();
    }

    hand_mesh net;
    memory_map map;
    memory_bridge near, far;
    phase_initiator<> cpu;
    blocking_memory_model<> ram;
    protocol_checkers checkers;
    std::unique_ptr<workload> traffic;
};

/// Writes of 256 bytes, 4 bytes, and a read of 4, all at one address and on their way together: where a class
/// has two VCs, the short one overtakes the long one in the network. Of 2,000 reads, those that have not seen
/// the last write.
unsigned missed_reads(access_order order, std::uint32_t vcs) {
    pair_of_nodes b(4, with_order(order), vcs);
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
    return missed;
}

TEST(MemoryOrder, ShowsAReadTheLastWriteByReordering) {
    EXPECT_EQ(missed_reads(access_order::reorder, 4), 0U);
}
TEST(MemoryOrder, ShowsAReadTheLastWriteByWaiting) {
    EXPECT_EQ(missed_reads(access_order::wait, 4), 0U);
}
TEST(MemoryOrder, ShowsAReadTheLastWriteInAnOrderedNetwork) {
    EXPECT_EQ(missed_reads(access_order::network, 2), 0U);
}
TEST(MemoryOrder, ReportsANetworkThatDoesNotKeepOrder) {
    EXPECT_EQ(
        report_of([] { missed_reads(access_order::network, 4); }),
        "near, initiator 0: the request of a write of 4 bytes at 0x40 has overtaken another one; 'order: "
        "network' needs a network that keeps them in order, with one VC a class and one way for all; "
        "reorder and wait do not");
}

/// 3,000 requests to a memory that takes 100 ns for each: END_REQ comes when there is room.
TEST(MemoryOrder, HoldsAnInitiatorBackForASlowMemory) {
    pair_of_nodes b(100);
    b.cpu.body = [&](phase_initiator<>& self) {
        for (unsigned k = 0; k < 3000; ++k) self.begin(self.pool.take(true, 0, 8));
        self.finish();
    };
    sc_core::sc_start(400, sc_core::SC_US);
    b.checkers.look();
    const auto& ended = b.cpu.requests_ended;
    ASSERT_EQ(ended.size(), 3000U);
    EXPECT_LT(std::count(ended.begin(), ended.end(), sc_core::SC_ZERO_TIME), 20);
    EXPECT_GT(ended.back(), sc_time(290000, SC_NS));
    EXPECT_EQ(b.cpu.outstanding, 0U);
    EXPECT_EQ(b.net.engine.net().view().leftovers(), "");
}

/// Initiators at four nodes write and read one word. What a read gives is what a write wrote that had begun,
/// and that no other write had wholly replaced before the read began.
TEST(MemoryOrder, ShowsAReadOfSharedBytesAPossibleWrite) {
    struct span {
        std::uint32_t value;
        sc_time begin, end;
    };
    pair_of_nodes b(20, with_order(access_order::reorder));
    std::deque<memory_bridge> bridges;
    std::deque<phase_initiator<>> cpus;
    std::vector<span> writes{{0, {}, {}}}, reads;
    std::uint32_t next = 1;
    const auto hammer = [&](phase_initiator<>& self) {
        rng random(5, stream::test, next);
        for (int k = 0; k < 400; ++k) {
            const bool write = random.bernoulli(0.3);
            transaction& t = self.pool.take(write, 0x40, 4);
            span s{write ? next++ : 0, sc_core::sc_time_stamp(), {}};
            if (write) std::memcpy(t.data.data(), &s.value, 4);
            sc_time delay = sc_core::SC_ZERO_TIME;
            self.socket->b_transport(t, delay);
            s.end = sc_core::sc_time_stamp();
            std::memcpy(&s.value, t.data.data(), 4);
            (write ? writes : reads).push_back(s);
            t.release();
        }
    };
    b.cpu.body = hammer;
    for (const std::uint32_t node : {2U, 4U, 6U}) {
        const std::string number = std::to_string(node);
        bridges.emplace_back(("bridge" + number).c_str(), b.net.nics[node], b.map);
        cpus.emplace_back(("cpu" + number).c_str());
        cpus.back().body = hammer;
        b.checkers.between<32>(cpus.back().socket, bridges.back().initiators);
    }
    b.run_with_load("0.6", sc_time(1000000, SC_NS));
    ASSERT_EQ(writes.size() + reads.size(), 1601U);
    unsigned wrong = 0;
    for (const span& r : reads) {
        const auto w =
            std::find_if(writes.begin(), writes.end(), [&](const span& s) { return s.value == r.value; });
        ASSERT_NE(w, writes.end());
        wrong += w->begin > r.end || std::any_of(writes.begin(), writes.end(), [&](const span& other) {
                     return other.begin > w->end && other.end < r.begin;
                 });
    }
    EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace sare::test::memory_order_test
