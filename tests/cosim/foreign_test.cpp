// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/pin_adapter.h"
#include "cosim/router/plugin.h"
#include "tests/cosim/foreign_mesh.h"
#include "tests/cosim/odd_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

/// A router that is not ours among ours, and copies of it that are broken.
namespace sare::cosim::foreign_test {
namespace {

using namespace test;

foreign_setting original() {
    foreign_setting s;
    s.library = FOREIGN_ROUTER;
    return s;
}

TEST(ForeignRouter, DeliversEverythingAmongOurRouters) {
    EXPECT_EQ(in_own_process(original()), "");
}

TEST(ForeignRouter, DeliversEverythingAtLowLoad) {
    foreign_setting s = original();
    s.load = 0.01;
    s.messages = 2000;
    EXPECT_EQ(in_own_process(s), "");
}

TEST(ForeignRouter, DeliversEverythingWhenAllRoutersAreForeign) {
    foreign_setting s = original();
    s.replace = "all";
    EXPECT_EQ(in_own_process(s), "");
    s.depth = 1;
    EXPECT_EQ(in_own_process(s), "");
}

TEST(ForeignRouter, WritesWavesIfItsLibraryCan) {
    foreign_setting s = original();
    s.waves = testing::TempDir() + "foreign.fst";
    EXPECT_NE(in_own_process(s).find("this library writes no waves; build it with WAVES"), std::string::npos);
    s.library = BROKEN "/libwith_waves.so";
    EXPECT_EQ(in_own_process(s), "");
    EXPECT_GT(std::filesystem::file_size(s.waves), 1000u);
    std::filesystem::remove(s.waves);
}

TEST(ForeignRouter, IsComparedWithAnOlderOne) {
    foreign_setting s = original();
    s.old_library = s.library;
    s.messages = 1000;
    EXPECT_EQ(in_own_process(s), "");
    s.library = BROKEN "/libis_slow.so";
    const std::string slow = in_own_process(s);
    EXPECT_TRUE(
        std::regex_search(slow, std::regex("^cycle [0-9]+, mixed\\.r[0-9]+, port [0-4]: valid is 0x1 in the "
                                           "old RTL and 0x0 in the new \\(VC 0, packet ")))
        << slow;
    s.library = BROKEN "/libcorrupts_data.so";
    const std::string wrong = in_own_process(s);
    EXPECT_TRUE(
        std::regex_search(wrong, std::regex("mixed\\.r[0-9]+: the new RTL alone: port [0-4] VC 0: data ")))
        << wrong;
    s.old_library = "/none.so";
    EXPECT_EQ(in_own_process(s), "error: test.yaml:1:1: cosim.rtl: the old one: /none.so: no such file");
}

/// Who has the next turn is left to chance by its reset, which no rule of the scoreboard forbids.
TEST(ForeignRouter, MustNotDependOnItsInitialState) {
    foreign_setting s = original();
    s.two_states = true;
    s.messages = 1000;
    EXPECT_EQ(in_own_process(s), "");
    s.library = BROKEN "/libresets_no_turn.so";
    const std::string line = in_own_process(s);
    EXPECT_NE(line.find(" from another: reset leaves something to chance"), std::string::npos) << line;
}

// ---- broken ones ------------------------------------------------------------------------------------------

struct broken_foreign_router {
    const char* name;
    const char* line;  ///< regular expression of what the scoreboard says
};

class broken : public testing::TestWithParam<broken_foreign_router> {};

TEST_P(broken, IsCaught) {
    foreign_setting s = original();
    s.library = std::string(BROKEN) + "/lib" + GetParam().name + ".so";
    s.load = 0.25;
    const std::string line = in_own_process(s);
    const std::regex expected("error: Error: /sare/cosim: mixed\\.r[0-9]+, cycle [0-9]+: port [0-4] VC 0: " +
                              std::string(GetParam().line) + "\nIn file(.|\n)*");
    EXPECT_TRUE(std::regex_match(line, expected)) << line;
}

const broken_foreign_router all_broken[] = {
    {"drops_when_stopped", "packet .*: comes out where flit .* should: lost, or overtaken"},
    {"sends_twice", "a flit comes out whose packet is not in the router: made up, or sent twice"},
    {"ignores_ready", "packet .*: comes out where flit .* should: lost, or overtaken"},
    {"is_always_ready", "takes 5 flits that cannot go on; declared is a depth of 4"},
    {"swaps_ports", "packet .*: is misrouted: port . is its way"},
    {"reorders", "packet .*: comes out where flit .* should: lost, or overtaken"},
    {"corrupts_data", "data 0x.* comes out, which no flit has; flit . of packet .* has 0x.*"},
    {"is_slow", "packet .* took 3 cycles through the empty router; declared are 2 to 2"},
    {"loses_a_place", "is refused a flit with 3 in the router; declared is a depth of 4"},
    {"rests",
     "packet .*: is late, with nothing in its way: the flit before left in cycle .*; declared are 1 .*"},
    {"never_lets_go", "packet .*: is misrouted: port . is its way"},
    {"gets_stuck",
     "packet .*: came in and could have left in [0-9]+ cycles: lost, or stuck; it came in cycle .*"},
    {"mixes_packets", "packet .*: cuts into packet .* on its VC"},
    {"makes_up_flits", "data 0x[0-9a-f]+ comes out, which no flit has"},
    {"forgets_the_head", "packet .*: is a head and not marked so"},
};

INSTANTIATE_TEST_SUITE_P(foreign_router, broken, testing::ValuesIn(all_broken),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(ForeignRouter, ReportsInstanceAndLabelOfAnAssertion) {
    foreign_setting s = original();
    s.library = BROKEN "/libasserts.so";
    const std::string line = in_own_process(s);
    const std::regex expected(
        "error: Error: /sare/cosim: mixed\\.r[0-9]+, cycle [0-9]+: [^\n]*/foreign_router.v:[0-9]+: Assertion "
        "failed in foreign_router\\.out\\[[0-4]\\]\\.no_third: 'assert' failed.\nIn file(.|\n)*");
    EXPECT_TRUE(std::regex_match(line, expected)) << line;
}

TEST(ForeignRouter, KeepsTheAssertionsOfItsFacts) {
    foreign_setting s = original();
    s.messages = 1000;
    s.library = RULES "/librules_good.so";
    EXPECT_EQ(in_own_process(s), "");
    s.library = RULES "/librules_drops_when_stopped.so";
    const std::string line = in_own_process(s);
    EXPECT_NE(line.find(".ready.offer_stays"), std::string::npos) << line;
}

TEST(ForeignRouter, TwoKindsInOneNetworkAreEachCheckedByTheirFacts) {
    foreign_setting s = original();
    s.replace = "0-14";
    s.kinds = {{"0-7", FOREIGN_ROUTER}, {"8-14", BROKEN "/libtold_router0.so"}};
    EXPECT_EQ(in_own_process(s), "");
    s.kinds[1].second = BROKEN "/libis_slow.so";
    const std::string slow = in_own_process(s);
    EXPECT_TRUE(std::regex_search(slow, std::regex("mixed\\.r(8|9|1[0-4]), cycle "))) << slow;
    s.kinds[1].first = "7-14";
    EXPECT_EQ(in_own_process(s), "error: test.yaml:1:1: cosim.rtl has router 7 twice");
}

// ---- looking ahead ----------------------------------------------------------------------------------------

foreign_setting told(const char* lookahead) {
    foreign_setting s = original();
    s.library = std::string(BROKEN "/libtold_router") + lookahead + ".so";
    return s;
}

TEST(ForeignRouter, LooksAheadAsRoutingDoes) {
    EXPECT_EQ(in_own_process(told("0")), "");
    EXPECT_EQ(in_own_process(told("1")), "");
}

TEST(ForeignRouter, IsCaughtLookingAheadToAWrongPort) {
    const std::string line = in_own_process(told("2"));
    EXPECT_TRUE(std::regex_search(line, std::regex("flit 0 of .*: looks ahead to port . at router .*, where "
                                                   "port . is its way")))
        << line;
}

// ---- routing that looks at the input port -----------------------------------------------------------------

foreign_setting up_and_down(const std::string& library) {
    foreign_setting s = original();
    s.library = library;
    s.network = "graph file=" + odd_graph(testing::TempDir() + "odd_graph.txt");
    s.routing = "up_down";
    s.nodes = 12;
    s.replace = "0, 3, 4, 8";
    s.load = 0.1;
    return s;
}

TEST(ForeignRouter, GetsTheRouteForItsInputPort) {
    foreign_setting s = up_and_down(BROKEN "/libtold_router0.so");
    EXPECT_EQ(in_own_process(s), "");
    s.replace = "all";
    EXPECT_EQ(in_own_process(s), "");
}

TEST(ForeignRouter, RefusesRoutesThatOneTableCannotHold) {
    foreign_setting s = up_and_down(FOREIGN_ROUTER);
    EXPECT_EQ(
        refusal(s),
        "foreign_router goes by a table of one port a destination; router 4 sends packets to node 8 on by "
        "port 2 or 1, as they come in by port 0 or 3");
    s.replace = "0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11";  // there it does not matter
    EXPECT_EQ(in_own_process(s), "");
}

TEST(ForeignRouter, HasATableForEachInput) {
    const foreign_setting s = up_and_down(FOREIGN_ROUTER);
    const experiment e = as_experiment(s);
    const auto map = topology_registry::instance().make(e.network);
    const auto routing = routing_registry::instance().make(e.routing, sare::routing_context{map.get(), 1});
    const network_routing_context at(*map, *routing, 4, std::make_shared<arrivals>(*map, *routing));
    const pins::router_info info = info_of(e, router_plan(e, *map), "r4", at, *routing);
    EXPECT_TRUE(info.port_to.empty());
    EXPECT_EQ(info.port_from[0][8], 2u);
    EXPECT_EQ(info.port_from[3][8], 1u);
    std::size_t none = 0;
    for (const auto& table : info.port_from) none += std::count(table.begin(), table.end(), pins::unsaid);
    EXPECT_GT(none, 0u);
}

// ---- the page ---------------------------------------------------------------------------------------------

std::string text_of(const std::string& file) {
    std::ifstream in(SARE_SOURCE_DIR + std::string("/") + file);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ForeignRouter, HasItsAdapterLinkedFromItsPage) {
    const std::string adapter = text_of("tb/examples/foreign_router/foreign_adapter.cpp");
    ASSERT_GT(adapter.size(), 2000u);
    EXPECT_NE(text_of("docs/cosim-router.md").find("(../tb/examples/foreign_router/foreign_adapter.cpp)"),
              std::string::npos);
    EXPECT_LT(std::count(adapter.begin(), adapter.end(), '\n'), 120);
}

// ---- what cannot be ---------------------------------------------------------------------------------------

TEST(ForeignRouter, RefusesUnusableLibraries) {
    foreign_setting s = original();
    s.library = "/nowhere/libmine.so";
    EXPECT_EQ(refusal(s), "/nowhere/libmine.so: no such file");
    s.library = SARE_SOURCE_DIR "/README.md";
    EXPECT_EQ(refusal(s), "cannot be loaded: " SARE_SOURCE_DIR "/README.md: invalid ELF header");
    s.library = BROKEN "/libno_router.so";
    EXPECT_EQ(refusal(s), BROKEN "/libno_router.so: no router with a pin adapter (SARE_PIN_ADAPTER)");
    s.library = BROKEN "/libold_abi.so";
    EXPECT_EQ(refusal(s),
              BROKEN "/libold_abi.so: made for version 99 of cosim/pins/pin_adapter.h; this is version " +
                  std::to_string(pins::abi_version) + ": build it anew");
}

TEST(ForeignRouter, RefusesNetworksItIsNotMadeFor) {
    foreign_setting s = original();
    s.vcs = 2;
    EXPECT_EQ(refusal(s), "router 0 has router.vcs: 2; foreign_router is made for 1");
    s.vcs = 1;
    s.network = "mesh dims=9,9";
    EXPECT_EQ(refusal(s), "router 0 has nodes in its network: 81; foreign_router is made for 64");
    s.network = "mesh dims=2,2,4";
    EXPECT_EQ(refusal(s), "router 0 has ports: 7; foreign_router is made for 5");
    s.network = "torus dims=4,4";
    s.routing = "dor dateline=none";
    EXPECT_EQ(refusal(s),
              "foreign_router goes by a table of one port a destination, which this routing function in "
              "this network is not");
    s.network = "mesh dims=4,4";
    s.routing = "dor";
    s.shadow = "1";
    EXPECT_EQ(in_own_process(s),
              "error: test.yaml:1:1: 'shadow' compares with sare_router, pin for pin; for a router "
              "of your own write 'replace'");
}

}  // namespace
}  // namespace sare::cosim::foreign_test
