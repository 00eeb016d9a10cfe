// SPDX-License-Identifier: Apache-2.0
#include "cosim/bench/plugin_bench.h"
#include "cosim/bench/probes.h"
#include "tlm/config/yaml.h"

#include <gtest/gtest.h>
#include <algorithm>

#include <regex>

/// Routers that are not ours alone at their pins: good ones pass, and eight kinds of mistakes are found,
/// named and shrunk.
namespace sare::cosim::plugin_bench_test {
namespace {

plugin_case case_of(const std::string& library, std::uint32_t router = 5, std::uint64_t seed = 1) {
    plugin_case c = case_of_file(library, {});
    c.router = router;
    c.seed = seed;
    return c;
}

plugin_outcome tested(const plugin_case& c, cycle_t cycles = 3000, bool probes = true) {
    return plugin_test(c, cycles, probes, "", {});
}

// ---- good ones --------------------------------------------------------------------------------------------

TEST(PluginBench, RaisesNoFalseAlarm) {
    for (const char* library : {FOREIGN_ROUTER, VC_ROUTER, SV_ROUTER}) {
        const bool of_line = std::string(library) == SV_ROUTER;
        const plugin_outcome o = tested(case_of(library, of_line ? 1 : 5));
        EXPECT_EQ(o.probe + o.found.text, "") << library;
        EXPECT_GT(o.found.packets, 500u);
        for (std::uint32_t seed = 2; seed < 12; ++seed) {
            // The library of vc_router is made for some routers.
            const std::uint32_t routers[] = {0, 5, 6, 15};
            const std::uint32_t router = std::string(library) == VC_ROUTER ? routers[seed % 4]
                                         : of_line                         ? seed % 4
                                                                           : seed;
            EXPECT_EQ(tested(case_of(library, router, seed), 2000, false).found.text, "") << library << seed;
        }
    }
}

TEST(PluginBench, SendsOnlyWhatTheNetworkBrings) {
    const plugin_place corner(experiment::read(case_of(FOREIGN_ROUTER).experiment, ""), 0);
    EXPECT_FALSE(corner.flows().empty());
    for (const packet_flow& f : corner.flows()) {
        EXPECT_TRUE(f.in == 0 || f.in == 2 || f.in == 4) << "a corner of the mesh has links in + x and + y";
        EXPECT_NE(f.in == 2 && f.out == 0, true) << "dor turns from y to x nowhere";
        EXPECT_TRUE(f.in == 4 || f.in != f.out);
    }
}

TEST(PluginBench, SendsNothingBackWhereTheRouterTurnsNothingBack) {
    const auto turns_back = [](const char* library) {
        const auto at = make_place(case_of(library, 1));
        return std::any_of(at->flows().begin(), at->flows().end(),
                           [](const packet_flow& f) { return f.in == f.out; });
    };
    EXPECT_TRUE(turns_back(FOREIGN_ROUTER)) << "a node sends to itself";
    EXPECT_FALSE(turns_back(SV_ROUTER));
}

/// Longest packet, in flits, of all probes and of random traffic.
std::size_t longest_packet(const plugin_case& c) {
    const auto at = make_place(c);
    std::size_t most = 0;
    const auto see = [&most](const auto& packets) {
        for (const auto& p : packets) most = std::max(most, p.at.size());
    };
    for (const probe& p : probes_of(*at)) see(p.events.packets);
    case_recorder random;
    plugin_run how;
    how.sees = &random;
    plugin_case other = c;
    other.cycles = 3000;
    EXPECT_EQ(run_random(*at, other, how).text, "");
    see(random.packets);
    return most;
}

TEST(PluginBench, SendsNoLongerPacketsThanTheNetwork) {
    plugin_case c = case_of(SV_ROUTER, 1);
    EXPECT_EQ(longest_packet(c), 15u) << "the length field of sv_router has 4 bits";
    for (const char* longest : {"1", "2", "5"}) {
        c.experiment.set_path("nic.max_packet_flits", config::value::scalar(longest));
        EXPECT_EQ(longest_packet(c), std::stoul(longest));
    }
}

/// A packet that keeps its VC waits for that one, however long another one is free.
TEST(PluginBench, LetsPacketsWaitForTheVcTheyKeep) {
    plugin_case c = case_of(SV_ROUTER, 1);
    c.packets = {{1, 0, 3, 0, {1, 2, 4, 5}}, {2, 0, 3, 0, {6}}};
    c.cycles = 1500;
    EXPECT_EQ(plugin_difference(text(c)), "");
}

/// A router may err before a packet comes.
TEST(PluginBench, ReadsACaseWithoutPackets) {
    plugin_case c = case_of(FOREIGN_ROUTER);
    c.cycles = 20;
    EXPECT_EQ(plugin_difference(text(c)), "");
}

TEST(PluginBench, StoresCases) {
    plugin_case c = case_of(FOREIGN_ROUTER);
    c.packets = {{4, 0, 9, 0, {3, 5}}};
    c.credits = {{2, 0, 8}};
    c.cycles = 40;
    c.start = plugin_start::mid_traffic;
    const plugin_case again = read_plugin_case(config::parse_document(text(c), "case"));
    EXPECT_EQ(text(again), text(c));
    EXPECT_EQ(plugin_difference(text(c)), "");
    c.packets[0].destination = 16;
    EXPECT_THROW(read_plugin_case(config::parse_document(text(c), "case")), config::error);
}

// ---- broken ones ------------------------------------------------------------------------------------------

struct mistake {
    const char* library;
    const char* line;  ///< regular expression of the message, after probe and cycle
    std::size_t most;  ///< most packets of the smallest case
};

class broken : public testing::TestWithParam<mistake> {};

TEST_P(broken, IsFoundNamedAndShrunk) {
    const plugin_outcome o = tested(case_of(GetParam().library));
    EXPECT_TRUE(std::regex_search(o.found.text, std::regex(GetParam().line))) << o.probe << o.found.text;
    const auto s = shrink(o.events, 20);
    ASSERT_TRUE(s) << text(o.events);
    EXPECT_TRUE(std::regex_search(s->problem, std::regex(GetParam().line))) << s->problem;
    EXPECT_LE(s->smallest.packets.size(), GetParam().most) << text(s->smallest);
    EXPECT_EQ(plugin_difference(text(s->smallest)), s->problem);
}

#define FOREIGN(name) BROKEN "/broken/lib" name ".so"
#define VC(name) BROKEN "/broken_vc/libvc_" name ".so"

const mistake all_mistakes[] = {
    // Credits that leak, that are not used, and that are not there.
    {VC("forgets_credits"),
     "cycle [0-9]+: output [0-4], VC 1: 4 credits, [1-4] not used since cycle [0-9]+(, while [0-9]+ other "
     "flits left)?; at input .* waits",
     2},
    {VC("uses_three_credits"), "output [0-4], VC [0-3]: 4 credits, 1 not used since cycle ", 2},
    {VC("believes_in_five"), "is sent without a credit", 2},
    {VC("keeps_credits"), "VC 2: . credits do not come back", 3},
    {VC("changes_vc"), "leaves on another VC than its packet's head", 4},
    {FOREIGN("loses_when_nearly_full"), "lost, or overtaken|which no flit has|is misrouted|not marked so", 4},
    {FOREIGN("corrupts_data"), "data 0x.* comes out, which no flit has; flit .* has 0x", 3},
    {FOREIGN("loses_a_place"), "is refused a flit with 3 in the router; declared is a depth of 4", 3},
    {FOREIGN("takes_one_more"), "takes 5 flits that cannot go on; declared is a depth of 4", 4},
    {FOREIGN("misroutes_to_one"), "to 9, flit 0 of .*: is misrouted: port 2 is its way", 1},
    {FOREIGN("starves"), "is starved: [0-9]+ other flits have left by output [0-4] since cycle ", 120},
    {FOREIGN("resets_no_pointer"), "reset leaves something to chance", 1},
    {FOREIGN("is_slow"), "took 3 cycles through the empty router; declared are 2 to 2", 1},
    {FOREIGN("rests"), "is late, with nothing in its way", 1},
};

std::string name_of(const testing::TestParamInfo<mistake>& one) {
    const std::string file = one.param.library;
    const std::size_t begin = file.rfind("/lib") + 4;
    return file.substr(begin, file.size() - begin - 3);
}

INSTANTIATE_TEST_SUITE_P(plugin_bench, broken, testing::ValuesIn(all_mistakes), name_of);

}  // namespace
}  // namespace sare::cosim::plugin_bench_test
