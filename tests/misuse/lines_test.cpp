// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tests/tlm/amba/axi_support.h"
#include "tlm/network/network.h"

#include <gtest/gtest.h>

/// What the line says of a number that cannot be, and that all else goes on.
namespace sare::test::lines_test {
namespace {

using sc_core::sc_time;

experiment mesh_of_4x4() {
    using config::value;
    const auto dims = value::list({value::scalar("4"), value::scalar("4")});
    return experiment::read(
        value::map({{"network", value::map({{"topology", value::scalar("mesh")}, {"dims", dims}})}}), "");
}

/// An initiator at one node and a memory at the other, of a network with two message classes.
struct two_nodes {
    two_nodes() {
        cpu.socket.bind(near.initiators);
        far.memory.bind(ram.socket);
    }
    /// A write, with message classes of its own if they are said.
    tlm::tlm_response_status access(std::uint32_t request = 0,
                                    std::uint32_t response = access_options::last) {
        transaction& t = cpu.pool.take(true, 0x40, 8);
        auto* options = new access_options;
        options->request_class = request;
        options->response_class = response;
        t.set_auto_extension(options);
        sc_time delay = sc_core::SC_ZERO_TIME;
        said = error_of([&] { cpu.socket->b_transport(t, delay); });
        const tlm::tlm_response_status status = t.get_response_status();
        t.release();
        return status;
    }
    hand_mesh net{"net", 2, 1, {}, 2};
    memory_map map{net.engine, {{0, 0x100, 1}}};
    memory_bridge near{"near", net.nics[0], map}, far{"far", net.nics[1], map};
    phase_initiator<> cpu{"cpu"};
    blocking_memory_model<> ram{"ram", 0x100, always(5)};
    std::string said;
};

TEST(MisuseLines, NameTheMissingClassOfAnAccess) {
    two_nodes b;
    unsigned checked = 0;
    b.cpu.body = [&](phase_initiator<>&) {
        for (const access_mode mode : {access_mode::exact, access_mode::estimate, access_mode::functional}) {
            b.near.set_mode(mode);
            EXPECT_EQ(b.access(9), tlm::TLM_GENERIC_ERROR_RESPONSE);
            EXPECT_EQ(
                b.said,
                "/sare/memory: near, initiator 0: a write of 8 bytes at 0x40 asks for message class 9 for "
                "its request, and the network has 2");
            EXPECT_EQ(b.access(0, 7), tlm::TLM_GENERIC_ERROR_RESPONSE);
            EXPECT_EQ(
                b.said,
                "/sare/memory: near, initiator 0: a write of 8 bytes at 0x40 asks for message class 7 for "
                "its response, and the network has 2");
            EXPECT_EQ(b.access(1, 0), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(b.said, "");
            ++checked;
        }
    };
    sc_core::sc_start();
    EXPECT_EQ(checked, 3U);
    EXPECT_EQ(b.ram.calls, 3U);
    EXPECT_EQ(b.net.engine.net().view().leftovers(), "");
}

/// By phases it is over at once; what comes next is carried.
TEST(MisuseLines, EndAnAccessByPhasesInAMissingClassAtOnce) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
    two_nodes b;
    bool came = false;
    b.cpu.on_response = [&](transaction& t) { came = t.is_response_ok(); };
    b.cpu.body = [&](phase_initiator<>& self) {
        transaction& t = self.pool.take(true, 0, 8);
        auto* options = new access_options;
        options->request_class = 9;
        t.set_auto_extension(options);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay(2, sc_core::SC_NS);
        EXPECT_EQ(self.socket->nb_transport_fw(t, phase, delay), tlm::TLM_COMPLETED);
        EXPECT_EQ(t.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
        t.release();
        self.begin(self.pool.take(true, 0, 8));
        self.finish();
    };
    sc_core::sc_start();
    EXPECT_TRUE(came);
    EXPECT_EQ(b.cpu.pool.in_use(), 0U);
}

TEST(MisuseLines, NameTrafficOfMoreClassesThanTheNetwork) {
    hand_mesh net("net", 2, 2, {});
    const auto traffic = make_workload("request_reply", 4, {{"load", "0.1"}});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(error_of([&] { net.engine.set_workload(*traffic); }),
              "/sare/traffic: net_engine: the traffic needs 2 message classes, and the network has 1, as its "
              "engine was made");
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_EQ(net.engine.net().view().flits_injected(), 0U);
}

/// A workload of one's own that sends what cannot be stops the engine in that cycle, by name.
TEST(MisuseLines, NameAWorkloadThatSendsToNobody) {
    hand_mesh net("net", 2, 2, {});
    script traffic;
    traffic.add(5, 0, 4, 1);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(traffic);
    EXPECT_EQ(error_of([&] { sc_core::sc_start(1, sc_core::SC_US); }),
              "/sare/engine: net_engine, cycle 5: a message to node 4, and there are 4");
}

TEST(MisuseLines, NameModulesThatDoNotExist) {
    network net("net", mesh_of_4x4(), 1);
    EXPECT_EQ(error_of([&] { net.nic_module(16); }),
              "/sare/elaboration: net: there is no NIC module 16; there are 16, 0 and up");
    EXPECT_EQ(error_of([&] { net.router_module(~0U); }),
              "/sare/elaboration: net: there is no router module 4294967295; there are 16, 0 and up");
    EXPECT_EQ(net.nic_module(15).node(), 15U);
}

TEST(MisuseLines, NameANetworkWithoutMessageClasses) {
    EXPECT_EQ(error_of([] { cycle_engine("engine", 2, 0); }),
              "/sare/config: engine: a network has 1 to 16 message classes, not 0");
    EXPECT_EQ(error_of([] { cycle_engine("engine", 0); }),
              "/sare/config: engine: router.vcs is 0; it must be from 1 to 64");
    EXPECT_EQ(error_of([] { network("net", mesh_of_4x4(), 0); }),
              "/sare/config: configuration: a network has 1 message class at least, not 0");
}

TEST(MisuseLines, NameParametersOutOfRange) {
    cycle_engine engine("engine", 4);
    router_params shallow;
    shallow.depth = 0;
    EXPECT_EQ(error_of([&] { router("r", engine, shallow, 5); }),
              "/sare/config: r: 'depth' is 0; it must be from 1 to 4096");
    nic_params no_bytes;
    no_bytes.flit_bytes = 0;
    EXPECT_EQ(error_of([&] { nic("n", engine, no_bytes); }),
              "/sare/config: n: 'flit_bytes' is 0; it must be from 1 to 4096");
    link_attributes instant;
    instant.latency = 0;
    EXPECT_EQ(error_of([&] { link("l", engine, instant); }),
              "/sare/config: l: latency is 0; it must be from 1 to 65535");
}

TEST(MisuseLines, SayWhyABurstFailed) {
    static std::vector<std::string> warnings;
    sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& r, const sc_core::sc_actions& a) {
        if (r.get_severity() == sc_core::SC_WARNING)
            warnings.push_back(std::string(r.get_msg_type()) + ": " + r.get_msg());
        else
            sc_core::sc_report_handler::default_handler(r, a);
    });
    axi_pair<64, phase_subordinate<64>> s;
    axi::bridge<64> unchecked("unchecked", s.net.nics[2], s.map);
    phase_manager<64> raw("raw");
    raw.socket.bind(unchecked.managers);
    raw.body = [&](phase_manager<64>& cpu, bool writes) {
        if (writes) return;
        transaction& t = cpu.pool.take(false, 0x10000, 1);
        make_burst(t, axi::burst::incr, 3, 1, 70'000);
        sc_time delay = sc_core::SC_ZERO_TIME;
        cpu.socket->b_transport(t, delay);
        EXPECT_EQ(t.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
        t.release();
    };
    sc_core::sc_start();
    EXPECT_EQ(warnings,
              (std::vector<std::string>{
                  "/sare/burst: unchecked, manager 0: a read of 8 bytes at 0x10000 ends with "
                  "TLM_BURST_ERROR_RESPONSE: its ID is 70000, and those of a manager are below 65536"}));
}

}  // namespace
}  // namespace sare::test::lines_test
