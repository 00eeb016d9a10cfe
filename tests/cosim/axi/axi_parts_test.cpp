// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/network_parts.h"
#include "tests/support/told_traffic.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/network/network.h"

#include <gtest/gtest.h>

/// AXI nodes of a network, all of the model: what they must have in common, their clock, and the engine's
/// end.
namespace sare::axi::axi_parts_test {
namespace {

/// Manager 0 and subordinate 3 of a 2x2 mesh, as a test changes them.
struct small_net {
    const experiment described = experiment::read(
        config::parse_document(
            "network: {topology: mesh, dims: [2, 2]}\nrouter: {vcs: 2}\ncosim: {flit_width: 64}\n", "small"),
        "");
    manager_params manager;
    subordinate_params subordinate;
    network_parts parts{described};
    std::unique_ptr<network> net;
    sc_core::sc_signal<forward_pins> to_bridge, to_memory;
    sc_core::sc_signal<backward_pins> from_bridge, from_memory;

    small_net() { manager.map = {{0, 0xffff, 3}}; }
    void add() {
        parts.add_manager(0, manager, bridge_kind::model);
        parts.add_subordinate(3, subordinate, bridge_kind::model);
    }
    void make() { net = std::make_unique<network>("net", described, 2, network::most_bound, parts.maker()); }
    void connect(sc_core::sc_clock& clock) {
        parts.manager(0).clock(clock);
        parts.manager(0).from_manager(to_bridge);
        parts.manager(0).to_manager(from_bridge);
        parts.subordinate(3).clock(clock);
        parts.subordinate(3).to_subordinate(to_memory);
        parts.subordinate(3).from_subordinate(from_memory);
    }
};

std::string error_of(const std::function<void()>& f) {
    try {
        f();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

void expect_refused(small_net& s, const std::string& why) {
    const std::string said = error_of([&] { s.make(); });
    EXPECT_NE(said.find("AXI nodes: " + why), std::string::npos) << said;
}

TEST(axi_parts, RefuseToAddANodeTwice) {
    small_net s;
    s.add();
    for (const std::uint32_t node : {0U, 3U}) {
        const std::string wanted = "node " + std::to_string(node) + " is one already";
        EXPECT_NE(error_of([&] { s.parts.add_manager(node, s.manager); }).find(wanted), std::string::npos);
        EXPECT_NE(error_of([&] { s.parts.add_subordinate(node, s.subordinate); }).find(wanted),
                  std::string::npos);
    }
}

TEST(axi_parts, RefuseMapsToNodesThatAreNoSubordinates) {
    small_net s;
    s.manager.map.push_back({0x10000, 0x1ffff, 2});
    s.add();
    expect_refused(s, "node 0 maps addresses to node 2, which is no subordinate");
}

TEST(axi_parts, RefuseNodesOutsideTheNetwork) {
    small_net s;
    s.add();
    s.parts.add_subordinate(4, s.subordinate, bridge_kind::model);
    expect_refused(s, "node 4, and the network has 4");
}

TEST(axi_parts, RefuseDifferentWidths) {
    small_net s;
    s.subordinate.widths.data_width = 32;
    s.add();
    expect_refused(s, "node 3 has DataWidth 32, and another one 64; all nodes have the same");
}

TEST(axi_parts, RefuseBuffersTooSmallForABurst) {
    small_net s;
    s.manager.max_beats = 64;
    s.manager.read_beats = 64;
    s.add();
    expect_refused(s, "node 0 has write_beats 32; a burst of max_beats 64 wants as many at least");
}

/// At half the engine's rate flits of every other cycle would be lost.
TEST(axi_parts, RefuseClocksWithoutAnEdgeEachCycle) {
    small_net s;
    s.add();
    s.make();
    const sc_core::sc_time period = s.net->engine().period();
    sc_core::sc_clock clock("clock", 2 * period, 0.5, period / 2);
    s.connect(clock);
    const std::string said = error_of([&] { sc_core::sc_start(10 * period); });
    EXPECT_NE(said.find("its clock has edges in cycles 0 and 2; one a cycle is wanted"), std::string::npos)
        << said;
}

/// What a manager wants of a network that runs no further is said, for AXI has no word for it.
TEST(axi_parts, RefuseTransactionsAfterTheEngineEnds) {
    small_net s;
    s.add();
    s.make();
    const sc_core::sc_time period = s.net->engine().period();
    sc_core::sc_clock clock("clock", period, 0.5, period / 2);
    s.connect(clock);
    test::told_messages traffic(1, 5, 0, 1);  // none, until cycle 5
    s.net->engine().set_workload(traffic, true);
    sc_core::sc_start(20 * period);
    EXPECT_TRUE(s.net->engine().finished());
    forward_pins read;
    read.ar_valid = true;
    read.ar.size = 3;
    s.to_bridge.write(read);
    const std::string said = error_of([&] { sc_core::sc_start(20 * period); });
    EXPECT_NE(said.find("a packet for node 3 in cycle "), std::string::npos) << said;
    EXPECT_NE(said.find("the engine runs no further"), std::string::npos) << said;
}

}  // namespace
}  // namespace sare::axi::axi_parts_test
