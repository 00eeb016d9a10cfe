// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tests/support/local_world.h"
#include "tests/tlm/memory/memory_support.h"
#include "tlm/fabric/parts/partition_map.h"
#include "tlm/network/network.h"

#include <gtest/gtest.h>

#include <sstream>

/// What is used wrongly is said: a line of its own, with an id of its own.
namespace sare::test::systemc_misuse_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// Those of the warnings that have been given, a line each.
std::string& warnings() {
    static std::string all;
    return all;
}
void keep_warnings() {
    sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& r, const sc_core::sc_actions& a) {
        if (r.get_severity() == sc_core::SC_WARNING)
            warnings() += std::string(r.get_msg_type()) + ": " + r.get_msg() + "\n";
        else
            sc_core::sc_report_handler::default_handler(r, a);
    });
}

// ---- messages --------------------------------------------------------------------------------------------

struct sending : testing::Test {
    hand_mesh net{"net", 2, 2, {}, 2};
    std::string error(std::uint32_t source, std::uint32_t destination, std::uint32_t flits = 1,
                      std::uint32_t message_class = 0, std::uint64_t tag = 0) {
        sare::message m;
        m.source = source;
        m.destination = destination;
        m.flits = flits;
        m.message_class = message_class;
        m.tag = tag;
        return error_of([&] { net.engine.send(m); });
    }
};

TEST_F(sending, IsRefusedForImpossibleMessages) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(error(4, 0), "/sare/send: net_engine: a message from node 4, and there are 4");
    EXPECT_EQ(error(0, ~0U), "/sare/send: net_engine: a message to node 4294967295, and there are 4");
    EXPECT_EQ(error(0, 1, 0), "/sare/send: net_engine: a message of no flits; it has one at least");
    EXPECT_EQ(error(0, 1, 1, 2), "/sare/send: net_engine: a message of message class 2, and there are 2");
    EXPECT_EQ(
        error(0, 1, 1, 0, cycle_engine::bridge_tag),
        "/sare/send: net_engine: a message with the highest bit of its tag, which is the memory bridge's");
    EXPECT_EQ(error(0, 3, 1, 1), "");
    script traffic;
    net.engine.set_workload(traffic);
    net.engine.run_until(100);
    EXPECT_EQ(traffic.received.size(), 1U);
    EXPECT_EQ(net.engine.net().view().leftovers(), "");
}

TEST_F(sending, IsRefusedAfterTheEnd) {
    const auto traffic = make_workload("burst", 4, {{"messages", "3"}});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(*traffic, true);
    net.engine.run_until(1000);
    ASSERT_TRUE(net.engine.finished());
    EXPECT_EQ(error(0, 1), "/sare/finished: net_engine: a message from node 0 after cycle " +
                               std::to_string(net.engine.finished_at()) +
                               ", in which its traffic had finished (stop_when_finished); the engine runs no "
                               "further");
}

// ---- clocks and traffic ----------------------------------------------------------------------------------

TEST(SystemcMisuse, RefusesAPeriodThatIsNoTime) {
    EXPECT_EQ(error_of([] { cycle_engine("engine", 2, 1, 1, sc_time(0.4, sc_core::SC_PS)); }),
              "/sare/period: engine: the period of its clock is no time; SystemC counts in steps of 1 ps");
}

TEST(SystemcMisuse, WarnsOfTrafficThatComesTooLate) {
    hand_mesh net("net", 2, 2, {});
    const auto traffic = make_workload("bernoulli", 4, {{"load", "0.5"}, {"stop_cycle", "900"}});
    keep_warnings();
    sc_core::sc_start(1, sc_core::SC_US);
    net.engine.set_workload(*traffic);
    EXPECT_EQ(
        warnings(),
        "/sare/traffic: net_engine: the traffic that is set in cycle 1000 has nothing to send from then "
        "on\n");
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_EQ(net.engine.net().view().flits_injected(), 0U);
}

TEST(SystemcMisuse, AcceptsTrafficThatComesInTime) {
    hand_mesh net("net", 2, 2, {});
    const auto traffic = make_workload("bernoulli", 4, {{"load", "0.5"}, {"stop_cycle", "1900"}});
    keep_warnings();
    sc_core::sc_start(1, sc_core::SC_US);
    net.engine.set_workload(*traffic);
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_EQ(warnings(), "");
    EXPECT_GT(net.engine.net().view().flits_injected(), 1000U);
}

TEST(SystemcMisuse, RefusesASecondWorkload) {
    hand_mesh net("net", 2, 2, {});
    script first, second;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(first);
    EXPECT_EQ(error_of([&] { net.engine.set_workload(second); }),
              "/sare/traffic: net_engine has its traffic: set_workload() is for once");
}

// ---- configuration ---------------------------------------------------------------------------------------

TEST(SystemcMisuse, RefusesFlitsOfDifferentSizes) {
    cycle_engine engine("engine", 2);
    nic_params wide;
    wide.flit_bytes = 32;
    nic first("first", engine), second("second", engine);
    EXPECT_EQ(
        error_of([&] { nic third("third", engine, wide); }),
        "/sare/flit_bytes: third has 32 bytes in a flit, and first has 16; all NICs of an engine have the "
        "same flit_bytes");
}

TEST(SystemcMisuse, RefusesImpossibleParameters) {
    EXPECT_EQ(error_of([] {
                  make_topology("messh", {{"dims", "2,2"}});
              }),
              "/sare/config: configuration: unknown topology 'messh'; did you mean 'mesh'?");
    const auto map = make_topology("mesh", {{"dims", "2,2"}});
    EXPECT_EQ(error_of([&] { make_routing("dorr", *map, 2); }),
              "/sare/config: configuration: unknown routing function 'dorr'; did you mean 'dor'?");
    EXPECT_EQ(error_of([] {
                  make_workload("bernoulli", 4, {{"load", "-1"}});
              }).substr(0, 13),
              "/sare/config:");
    EXPECT_EQ(error_of([] { cycle_engine("engine", 3, 2); }),
              "/sare/config: engine: router.vcs is 3; it must be a multiple of the 2 message classes of the "
              "workload");
    cycle_engine engine("few", 2);
    router_params other;
    other.vcs = 4;
    EXPECT_EQ(error_of([&] { router("r", engine, other, 3); }),
              "/sare/config: r: all routers of a network must have the same number of vcs");
}

TEST(SystemcMisuse, RefusesAnExperimentThatDoesNotFitTogether) {
    const experiment e = experiment::read(
        config::value::map({{"network", config::value::map({{"topology", config::value::scalar("ring")},
                                                            {"n", config::value::scalar("4")}})},
                            {"router", config::value::map({{"vcs", config::value::scalar("3")}})}}),
        "");
    EXPECT_EQ(
        error_of([&] { sare::network("net", e, 2); }),
        "/sare/config: configuration: router.vcs is 3; it must be a multiple of the 2 message classes of "
        "this traffic");
}

TEST(SystemcMisuse, RefusesMistakesAtTheEndOfElaboration) {
    router_params params;
    params.switching = switching_mode::cut_through;
    params.depth = 4;
    hand_mesh net("net", 2, 1, params);
    EXPECT_EQ(error_of([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }).substr(0, 13), "/sare/config:");
}

// ---- memories --------------------------------------------------------------------------------------------

TEST(MemoryMisuse, RefusesImpossibleRanges) {
    hand_mesh net("net", 2, 1, {});
    const auto error = [&](const std::vector<address_range>& ranges) {
        return error_of([&] { memory_map(net.engine, ranges); });
    };
    const std::string of_map = "/sare/config: the memory map of net_engine: ";
    EXPECT_EQ(error({{0x100, 0x100, 0}, {0x1ff, 1, 1}}),
              of_map + "range 0x100 to 0x1ff of node 0 and range 0x1ff to 0x1ff of node 1 overlap");
    EXPECT_EQ(error({{0x100, 0x100, 0}, {0x1000, 0x100, 0}}),
              of_map +
                  "range 0x100 to 0x1ff of node 0 and range 0x1000 to 0x10ff of node 0 overlap in "
                  "their memory; give them different offsets");
    EXPECT_EQ(error({{0x100, 0x100, 0, 0, 1}, {0x1000, 0x100, 0, 0xff, 1}}),
              of_map +
                  "range 0x100 to 0x1ff of node 0, memory 1 and range 0x1000 to 0x10ff of node 0, "
                  "memory 1 from 0xff on overlap in their memory; give them different offsets");
    EXPECT_EQ(error({{0x100, 0, 0}}), of_map + "the address range at 0x100 is empty");
    EXPECT_EQ(error({{~0ULL, 2, 0}}),
              of_map + "range 0xffffffffffffffff to 0x0 of node 0 goes beyond the last address");
    EXPECT_EQ(error({{~0ULL, 1, 0}, {0x100, 0x100, 0, 1}, {0x1000, 0x100, 0, 0x101}, {0x2000, 0x100, 1}}),
              "");
}

TEST(MemoryMisuse, RefusesTwoMapsOfAnEngine) {
    hand_mesh net("net", 2, 1, {});
    memory_map first(net.engine, {{0, 0x100, 0}});
    EXPECT_EQ(
        error_of([&] {
            memory_map(net.engine, {{0, 0x100, 1}});
        }),
        "/sare/memory: net_engine has a memory map, or a CHI transport; one engine has one map, with the "
        "ranges of all nodes, and the transport is made with it");
}

TEST(MemoryMisuse, RefusesAMapOfANetworkInSeveralProcesses) {
    const std::string refused =
        "_engine: several processes run its network, which can have no memory map or CHI transport; run it "
        "in one process";
    meeting_place all(2);
    local_world first(all, 0);
    hand_mesh a("a", 2, 1, {}), b("b", 2, 1, {});
    a.engine.set_world(first, {{0, 1}, {0, 1}});
    EXPECT_EQ(error_of([&] { memory_map(a.engine, {{0, 0x100, 1}}); }), "/sare/memory: a" + refused);
    memory_map map(b.engine, {{0, 0x100, 1}});
    EXPECT_EQ(error_of([&] { b.engine.set_world(first, {{0, 1}, {0, 1}}); }), "/sare/memory: b" + refused);
}

TEST(MemoryMisuse, RefusesABridgeBetweenTwoEngines) {
    hand_mesh a("a", 2, 1, {}), b("b", 2, 1, {});
    memory_map map(a.engine, {{0, 0x100, 0}});
    EXPECT_EQ(error_of([&] { memory_bridge("bridge", b.nics[0], map); }),
              "/sare/memory: bridge: its NIC is of b_engine, and its map of a_engine");
}

TEST(MemoryMisuse, RefusesABridgeWithParametersOutOfRange) {
    hand_mesh net("net", 2, 1, {});
    memory_map map(net.engine, {{0, 0x100, 0}});
    memory_bridge_params p;
    p.at_once = 0;
    EXPECT_EQ(error_of([&] { memory_bridge("bridge", net.nics[0], map, p); }),
              "/sare/config: bridge: 'at_once' is 0; it must be from 1 to 1024");
}

TEST(MemoryMisuse, WarnsOfRangesWithoutAMemory) {
    hand_mesh net("net", 2, 1, {});
    memory_map map(net.engine, {{0, 0x100, 0}, {0x100, 0x100, 0, 0, 1}});
    memory_bridge bridge("bridge", net.nics[0], map);
    blocking_memory_model<> ram("ram", 0x100, always(1));
    bridge.memory.bind(ram.socket);
    keep_warnings();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(warnings(),
              "/sare/memory: net_engine: range 0x100 to 0x1ff of node 0, memory 1, where no such memory is "
              "bound; accesses to it end with TLM_ADDRESS_ERROR_RESPONSE\n");
}

TEST(MemoryMisuse, RefusesRangesOfNoNode) {
    hand_mesh net("net", 2, 1, {});
    memory_map map(net.engine, {{0, 0x100, 2}});
    memory_bridge bridge("bridge", net.nics[0], map);
    EXPECT_EQ(error_of([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }),
              "/sare/memory: net_engine: range 0x0 to 0xff of node 2, and there are 2 nodes");
}

/// Two nodes, an initiator at one and a memory at the other.
struct two_nodes {
    explicit two_nodes(double memory_ns) : ram("ram", 0x100, always(memory_ns)) {
        cpu.socket.bind(near.initiators);
        far.memory.bind(ram.socket);
    }
    void blocking(phase_initiator<>& self, bool write, unsigned char value = 0) {
        transaction& t = self.pool.take(write, 0, 8, value);
        sc_time delay = sc_core::SC_ZERO_TIME;
        self.socket->b_transport(t, delay);
        EXPECT_TRUE(t.is_response_ok());
        last = t.data[0];
        t.release();
    }
    hand_mesh net{"net", 2, 1, {}, 2};
    memory_map map{net.engine, {{0, 0x100, 1}}};
    memory_bridge near{"near", net.nics[0], map}, far{"far", net.nics[1], map};
    phase_initiator<> cpu{"cpu"};
    blocking_memory_model<> ram;
    unsigned char last = 0;
};

/// While it waits for its response: in the network both ways, and in the memory.
TEST(MemoryMisuse, WarnsOfAProcessKilledWithinItsAccess) {
    two_nodes b(100);
    keep_warnings();
    b.cpu.body = [&](phase_initiator<>& self) {
        for (const double after : {0.0, 1.0, 50.0, 125.0}) {
            auto victim = sc_core::sc_spawn([&] { b.blocking(self, true, 42); });
            sc_core::wait(after, SC_NS);
            victim.kill();
        }
        b.blocking(self, false);
    };
    sc_core::sc_start();
    EXPECT_EQ(b.last, 42);
    EXPECT_EQ(b.ram.calls, 5U);
    const std::string line =
        "/sare/killed: near, initiator 0: a process was killed within its write of 8 bytes at 0x0; the "
        "access "
        "goes on, and its response goes nowhere\n";
    EXPECT_EQ(warnings(), line + line + line + line);
    EXPECT_EQ(b.net.engine.net().view().leftovers(), "");
}

/// What it has under way is in processes of SystemC's.
TEST(MemoryMisuse, RefusesACheckpointWithinAnAccess) {
    two_nodes b(100);
    b.cpu.body = [&](phase_initiator<>& self) { b.blocking(self, true, 42); };
    std::ostringstream to;
    const auto save = [&] { b.net.engine.save(to); };
    sc_core::sc_start(50, SC_NS);
    EXPECT_EQ(error_of(save),
              "/sare/checkpoint: net_engine: accesses of the memory map are under way, which cannot be "
              "written; wait for their end");
    EXPECT_EQ(to.str(), "");
    sc_core::sc_start(500, SC_NS);
    EXPECT_EQ(error_of(save), "");
    EXPECT_NE(to.str(), "");
}

/// One that waits for room has nothing on its way.
TEST(MemoryMisuse, DropsAccessesOfProcessesKilledBeforeSending) {
    two_nodes b(100);
    keep_warnings();
    b.cpu.body = [&](phase_initiator<>& self) {
        std::vector<sc_core::sc_process_handle> all;
        for (int k = 0; k < 20; ++k) all.push_back(sc_core::sc_spawn([&] { b.blocking(self, true, 1); }));
        sc_core::wait(50, SC_NS);
        for (auto& p : all) p.kill();
        b.blocking(self, false);
    };
    sc_core::sc_start();
    EXPECT_EQ(b.ram.calls, 8U + 1U);  // the window
    EXPECT_EQ(b.net.engine.net().view().leftovers(), "");
}

TEST(MemoryMisuse, RefusesPhasesOutOfPlace) {
    two_nodes b(100);
    std::string second, unasked;
    b.cpu.body = [&](phase_initiator<>& self) {
        for (int k = 0; k < 8; ++k) self.begin(self.pool.take(true, 0, 8));
        const auto call = [&](tlm::tlm_phase phase) {
            sc_time delay = sc_core::SC_ZERO_TIME;
            return error_of([&] { self.socket->nb_transport_fw(self.pool.take(true, 0, 8), phase, delay); });
        };
        unasked = call(tlm::END_RESP);
        call(tlm::BEGIN_REQ);  // there is no room
        second = call(tlm::BEGIN_REQ);
    };
    sc_core::sc_start(100, SC_NS);
    const std::string rest = " of a write of 8 bytes at 0x0, which does not come next in the base protocol";
    EXPECT_EQ(unasked, "/sare/protocol: near, initiator 0: END_RESP" + rest);
    EXPECT_EQ(second, "/sare/protocol: near, initiator 0: BEGIN_REQ" + rest);
}

/// The engine stops after the last access that is on its way, and says so to those that come later.
TEST(MemoryMisuse, RefusesAnAccessAfterTheEnd) {
    two_nodes b(500);
    const auto traffic = make_workload("burst", 2, {{"messages", "3"}});
    std::string late;
    b.cpu.body = [&](phase_initiator<>& self) {
        b.blocking(self, true);
        sc_core::wait(1, sc_core::SC_US);
        transaction& t = self.pool.take(true, 0x10, 4);
        sc_time delay = sc_core::SC_ZERO_TIME;
        late = error_of([&] { self.socket->b_transport(t, delay); });
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    b.net.engine.set_workload(*traffic, true);
    sc_core::sc_start(5, sc_core::SC_US);
    EXPECT_TRUE(b.net.engine.finished());
    EXPECT_GT(b.net.engine.finished_at(), 500U);
    EXPECT_EQ(late,
              "/sare/finished: near, initiator 0: a write of 4 bytes at 0x10 after cycle " +
                  std::to_string(b.net.engine.finished_at()) +
                  ", in which the traffic had finished (stop_when_finished); the engine runs no further");
}

/// Where reports do not throw, what is wrong is left undone, and answered.
TEST(MemoryMisuse, IsAnsweredWhereReportsDoNotThrow) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
    two_nodes b(5);
    memory_map second(b.net.engine, {{0, 0x100, 0}});
    memory_bridge lost("lost", b.net.nics[0], second);
    phase_initiator<> other("other");
    other.socket.bind(lost.initiators);
    const auto traffic = make_workload("burst", 2, {{"messages", "3"}});
    std::vector<tlm::tlm_response_status> statuses;
    const auto blocking = [&](phase_initiator<>& self) {
        transaction& t = self.pool.take(true, 0x10, 4);
        sc_time delay = sc_core::SC_ZERO_TIME;
        self.socket->b_transport(t, delay);
        statuses.push_back(t.get_response_status());
        t.release();
    };
    b.cpu.body = [&](phase_initiator<>& self) {
        blocking(self);
        blocking(other);
        sc_core::wait(1, sc_core::SC_US);
        blocking(self);
        transaction& t = self.pool.take(true, 0x10, 4);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay = sc_core::SC_ZERO_TIME;
        EXPECT_EQ(self.socket->nb_transport_fw(t, phase, delay), tlm::TLM_COMPLETED);
        statuses.push_back(t.get_response_status());
        t.release();
        EXPECT_EQ(self.pool.in_use(), 0U);
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    b.net.engine.set_workload(*traffic, true);
    sc_core::sc_start(5, sc_core::SC_US);
    EXPECT_EQ(statuses, (std::vector<tlm::tlm_response_status>{
                            tlm::TLM_OK_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                            tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE}));
    sare::message m;
    m.destination = 7;
    b.net.engine.send(m);
    EXPECT_TRUE(b.net.engine.net().view().empty());
}

/// Where TLM drives the network, an experiment needs no traffic.
TEST(MemoryMisuse, AcceptsAnExperimentWithoutTraffic) {
    const experiment e = experiment::read(
        config::value::map({{"network", config::value::map({{"topology", config::value::scalar("ring")},
                                                            {"n", config::value::scalar("4")}})}}),
        "");
    sare::network net("net", e, 2);
    memory_map map(net.engine(), {{0, 0x100, 3}});
    memory_bridge near("near", net.nic_module(0), map), far("far", net.nic_module(3), map);
    blocking_memory_model<> ram("ram", 0x100, always(10));
    phase_initiator<> cpu("cpu");
    cpu.socket.bind(near.initiators);
    far.memory.bind(ram.socket);
    cpu.body = [](phase_initiator<>& self) {
        self.begin(self.pool.take(true, 0x80, 8, 5));
        self.finish();
    };
    sc_core::sc_start();
    EXPECT_EQ(ram.bytes[0x87], 5);
    EXPECT_EQ(e.resolved().find("traffic"), nullptr);
}

}  // namespace
}  // namespace sare::test::systemc_misuse_test
