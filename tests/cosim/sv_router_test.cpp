// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/foreign_mesh.h"

#include <gtest/gtest.h>

/// A router whose ports are SystemVerilog interfaces, whose ready depends on the VC that is offered, and
/// whose packets say how long they are: its adapter is quoted in docs/cosim-router.md.
namespace sare::cosim::sv_router_test {
namespace {

using namespace test;

foreign_setting line_of_routers(const std::string& replace, std::uint32_t depth, double load) {
    foreign_setting s;
    s.library = SV_ROUTER;
    s.network = "mesh dims=16";
    s.replace = replace;
    s.vcs = 2;
    s.depth = depth;
    s.load = load;
    s.messages = 2000;
    s.longest = 15;
    s.watched = 0.5;
    s.to_itself = false;
    return s;
}

TEST(SvRouter, DeliversEverything) {
    EXPECT_EQ(in_own_process(line_of_routers("all", 4, 0.2)), "");
    EXPECT_EQ(in_own_process(line_of_routers("all", 1, 0.2)), "");
    EXPECT_EQ(in_own_process(line_of_routers("3-6, 9", 2, 0.2)), "");
    EXPECT_EQ(in_own_process(line_of_routers("all", 4, 0.01)), "");
}

TEST(SvRouter, SaysWhoSendsToItself) {
    foreign_setting s = line_of_routers("all", 4, 0.2);
    s.to_itself = true;
    EXPECT_NE(in_own_process(s).find("packet 9 from node 1 to 1, flit 0 of 5: would leave by the port"),
              std::string::npos);
}

TEST(SvRouter, RefusesLongerPacketsThanItsLengthCanSay) {
    foreign_setting s = line_of_routers("all", 4, 0.2);
    s.longest = 16;
    EXPECT_EQ(refusal(s), "router 0 has nic.max_packet_flits: 16; sv_router is made for 15");
}

}  // namespace
}  // namespace sare::cosim::sv_router_test
