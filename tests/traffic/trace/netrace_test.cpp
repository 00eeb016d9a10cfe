// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/any_order.h"
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

namespace sare::testing_support::netrace_test {
namespace {

/// As netrace writes it, with a note and a region.
std::string header(unsigned nodes, std::uint64_t packets, unsigned notes = 5, unsigned regions = 1) {
    return "UTJH" + little(0x3f800000, 4) + std::string("test") + std::string(26, '\0') + little(nodes, 1) +
           std::string(1, '\0') + little(1000, 8) + little(packets, 8) + little(notes, 4) +
           little(regions, 4) + std::string(8, '\0') + std::string("note\0", 5) + little(0, 8) +
           little(1000, 8) + little(packets, 8);
}
std::string packet(std::uint64_t cycle, unsigned id, unsigned type, unsigned from, unsigned to,
                   const std::vector<unsigned>& dependents = {}) {
    std::string text = little(cycle, 8) + little(id, 4) + little(0x1000, 4) + little(type, 1) +
                       little(from, 1) + little(to, 1) + little(0x02, 1) + little(dependents.size(), 1);
    for (const auto d : dependents) text += little(d, 4);
    return text;
}
/// A read of node 0 that node 2 answers, and an invalidation that waits for nothing.
const std::string three = packet(10, 0, 1, 0, 2, {1}) + packet(30, 1, 2, 2, 0) + packet(500, 2, 27, 1, 3);

TEST(netrace, ReadsPacketsAsSendsAndReceives) {
    trace_files files;
    const auto reader = open_trace(files.write("t", header(4, 3) + three));
    EXPECT_EQ(reader->tasks(), 4u);
    std::vector<event> all;
    for (event e; reader->next(2, e);) all.push_back(e);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0].what, op::sleep);
    EXPECT_DOUBLE_EQ(all[0].seconds, 10e-9);
    EXPECT_EQ(all[1].what, op::recv);
    EXPECT_EQ(all[1].peer, 0u);
    EXPECT_EQ(all[1].bytes, 8u);
    EXPECT_EQ(all[1].request, 1u);
    EXPECT_EQ(all[2].what, op::sleep);
    EXPECT_DOUBLE_EQ(all[2].seconds, 20e-9);
    EXPECT_EQ(all[3].what, op::send);
    EXPECT_EQ(all[3].peer, 0u);
    EXPECT_EQ(all[3].bytes, 72u);
    EXPECT_EQ(all[3].tag, 1);
    ASSERT_EQ(all[3].needs.size(), 1u);
    EXPECT_EQ(all[3].needs[0].request, 1u);
    EXPECT_FALSE(all[3].needs[0].begun);
    EXPECT_EQ(check_trace(*open_trace(files.path("t"))), std::vector<std::string>{});
}

/// Cycles of the messages, of 8 bytes a flit, that arrive `latency` cycles after their last.
cycle_t makespan(const std::string& packets, unsigned count, cycle_t latency, const char* cpu_factor = "1") {
    const trace_files files;
    return replay_cycles(files.write("t", header(4, count) + packets), 4, cpu_factor, latency);
}

TEST(netrace, SendsAPacketAtItsCycleAndAfterItsNeeds) {
    const std::string read = packet(10, 0, 1, 0, 2, {1}) + packet(30, 1, 2, 2, 0);
    // Sent at 10, there within 20 cycles: the answer, nine flits, goes at 30.
    EXPECT_EQ(makespan(read, 2, 5), 30u + 8 + 5);
    // There at 10 + 100: the answer goes then.
    EXPECT_EQ(makespan(read, 2, 100), 10u + 100 + 8 + 100);
    // Without the dependency it goes at 30.
    EXPECT_EQ(makespan(packet(10, 0, 1, 0, 2) + packet(30, 1, 2, 2, 0), 2, 100), 30u + 8 + 100);
    // The network alone.
    EXPECT_EQ(makespan(read, 2, 100, "0"), 100u + 8 + 100);
}

/// A node that has nothing to do does not have the trace read to its end before others begin.
TEST(netrace, LetsAnIdleNodeFollowTheClock) {
    std::string many = header(3, 10000);
    for (unsigned i = 0; i < 10000; ++i) many += packet(i, i, 1, 0, 1);
    trace_files files;
    const auto reader = open_trace(files.write("t", many));
    event e;
    ASSERT_TRUE(reader->next(2, e));
    EXPECT_EQ(e.what, op::sleep);
    EXPECT_DOUBLE_EQ(e.seconds, 4095e-9);
    ASSERT_TRUE(reader->next(2, e));
    EXPECT_DOUBLE_EQ(e.seconds, 4096e-9);
    EXPECT_FALSE(reader->next(2, e));
}

/// Nodes 2 and 3 have a packet now and then, node 4 has none.
TEST(netrace, DoesNotDependOnTheOrderOfNodes) {
    std::string many = header(5, 30000);
    for (unsigned i = 0; i < 30000; ++i)
        many += packet(3 * i, i, 1, i % 7000 == 6000 ? 2 : 0, i % 11000 == 9000 ? 3 : 1);
    trace_files files;
    expect_the_same_in_any_order(files.write("t", many));
}

TEST(netrace, SaysOnceThatArrivalsElsewhereAreLeftOut) {
    trace_files files;
    const auto reader = open_trace(files.write(
        "t", header(4, 3) + packet(1, 0, 1, 0, 2, {1, 2}) + packet(2, 1, 2, 1, 0) + packet(3, 2, 2, 3, 0)));
    describe_trace(*reader);
    EXPECT_EQ(
        reader->warnings(),
        std::vector<std::string>{
            "packet 1 waits for packet 0, which arrives at another node: such dependencies are left out"});
}

TEST(netrace, NamesThePacketOfAnError) {
    EXPECT_EQ(error_reading("UTJH"), ": the header is cut short");
    EXPECT_EQ(error_reading("UTJH" + std::string(100, '\1')), ": only version 1.0 of netrace is known");
    EXPECT_EQ(error_reading(header(0, 0)), ": the header claims no nodes");
    EXPECT_EQ(error_reading(header(4, 0, 0x7fffffff)),
              ": the header claims notes of 2147483647 bytes; less than 8192 are possible");
    EXPECT_EQ(error_reading(header(4, 0, 5, 0x7fffffff)),
              ": the header claims 2147483647 regions; 100 are possible");
    EXPECT_EQ(error_reading(header(4, 0, 8191)), ": the header is cut short");
    EXPECT_EQ(error_reading(header(4, 4) + three), ": the header claims 4 packets; there are 3");
    EXPECT_EQ(error_reading(header(4, 2) + three), ": the header claims 2 packets; there are more");
    EXPECT_EQ(error_reading(header(4, 3) + three.substr(0, three.size() - 1)),
              ": the header claims 3 packets; there are 2 and a part of one");
    EXPECT_EQ(error_reading(header(4, 1) + packet(1, 0, 1, 0, 1, {1}).substr(0, 22)),
              ": packet 0: the trace ends within its dependents");
    EXPECT_EQ(error_reading(header(4, 1) + packet(1, 7, 0, 0, 1)),
              ": packet 7: there is no packet of type 0");
    EXPECT_EQ(error_reading(header(4, 1) + packet(1, 7, 31, 0, 1)),
              ": packet 7: there is no packet of type 31");
    EXPECT_EQ(error_reading(header(4, 1) + packet(1, 7, 1, 4, 1)),
              ": packet 7: node 4 is out of range; nodes are 0 to 3");
    EXPECT_EQ(error_reading(header(4, 1) + packet(1, 7, 1, 1, 255)),
              ": packet 7: node 255 is out of range; nodes are 0 to 3");
    EXPECT_EQ(error_reading(header(4, 2) + packet(1, 7, 1, 1, 2) + packet(1, 7, 1, 1, 2)),
              ": packet 7: it comes after packet 7; numbers must rise");
    EXPECT_EQ(error_reading(header(4, 2) + packet(5, 7, 1, 1, 2) + packet(4, 8, 1, 1, 2)),
              ": packet 8: its cycle 4 is before 5, that of the packet before it");
    EXPECT_EQ(error_reading(header(4, 1) + packet(1, 7, 1, 1, 2, {7})),
              ": packet 7: packet 7 is to wait for it, but is not after it");
}

}  // namespace
}  // namespace sare::testing_support::netrace_test
