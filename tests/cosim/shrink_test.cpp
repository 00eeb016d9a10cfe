// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/shrink/shrink.h"
#include "cosim/functional/steer.h"
#include "cosim/random/router_bench.h"
#include "cosim/random/shrink/ddmin.h"
#include "cosim/random/shrink/edits.h"
#include "tlm/config/yaml.h"
#include "tlm/topology/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

/// A failing random router is shrunk, and what it is shrunk to can be kept; functional coverage steers.
namespace sare::cosim::shrink_test {
namespace {

std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(SmallestPart, LeavesOutAllThatIsNotNeeded) {
    std::vector<int> all(100);
    for (int k = 0; k < 100; ++k) all[k] = k;
    int runs = 0;
    const auto part = smallest_part(all, [&](const std::vector<int>& some) {
        ++runs;
        const auto has = [&](int k) { return std::find(some.begin(), some.end(), k) != some.end(); };
        return has(3) && has(77) && has(78);
    });
    EXPECT_EQ(part, (std::vector<int>{3, 77, 78}));
    EXPECT_LT(runs, 80);
}

TEST(PinCase, IsReadAsItIsWritten) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const random_case drawn = draw_case(seed, 16);
        pin_case c;
        c.setting = drawn.setting;
        c.place = drawn.at;
        c.packets = {{1, 0, 0, 2, {3, 4}}, {0, 0, 1, 0, {7}}};
        c.credits = {{0, 0, 5}, {0, 0, 9}};
        const std::string yaml = text(c);
        EXPECT_EQ(text(read_pin_case(config::parse_document(yaml, "case"))), yaml);
    }
}

TEST(PinCase, ReportsEachMistakeInOneLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"{router: {ports: 3, vcs: 1}, dims: [4], packets: [[3, 0, 0, 0, 1]]}",
         "case:1:11: pin_case.packets: [3, 0, 0, 0, 1] must begin with one of 3 ports and 1 VCs, and have a "
         "cycle"},
        {"{router: {ports: 3, vcs: 1}, dims: [4], packets: [[2, 0, 4, 0, 1]]}",
         "case:1:11: pin_case.packets: destination 4 of 4 nodes"},
        {"{router: {ports: 3, vcs: 1}, dims: [4], place: 4}",
         "case:1:11: pin_case.router.ports or pin_case.place does not fit pin_case.dims"},
        {"{router: {ports: 2, vcs: 1, routing: table, nodes: 2}, here: [0, 2]}",
         "case:1:11: pin_case.here and next must have 2 ports below 2"},
        {"{router: {ports: 2, vcs: 1, routing: table, nodes: 2}}",
         "case:1:11: pin_case.here and next must have 2 ports below 2"},
        {"{router: {depth: 1}}", "case:1:11: pin_case.router: router.depth must be from 2 to 64"},
    };
    for (const auto& [text, message] : cases) try {
            read_pin_case(config::parse_document(std::string("pin_case: ") + text, "case"));
            ADD_FAILURE() << text;
        } catch (const config::error& wrong) {
            EXPECT_STREQ(wrong.what(), message);
        }
}

/// What a simplification makes is a router again, with events that fit it.
TEST(PinCase, StaysLegalAfterEachEdit) {
    for (std::uint64_t seed = 1; seed <= 15; ++seed) {
        const random_case drawn = draw_case(seed, by_cost);
        for (const auto& edits : {simplifying_edits({{}, drawn.setting, drawn.at}), halving_edits()})
            for (const edit& e : edits) {
                pin_case c{
                    {{{1, 0, 0, 1, {3}}, {0, 0, 1, 0, {7, 8, 9}}}, {{1, 0, 5}}}, drawn.setting, drawn.at};
                e(c);
                fit_events(c);
                if (!c.setting.problem().empty()) continue;  // is not tried
                EXPECT_NO_THROW(read_pin_case(config::parse_document(text(c), "case"))) << seed << text(c);
            }
    }
}

/// shrunk_example_test.cpp is such a test, and part of this program.
TEST(PinCase, WritesATestThatStandsAlone) {
    const std::string file = text_of(SARE_SOURCE_DIR "/tests/cosim/shrunk_example_test.cpp");
    const auto begin = file.find("pin_case:"), end = file.find(")\"", begin);
    const pin_case c = read_pin_case(config::parse_document(file.substr(begin, end - begin), "case"));
    EXPECT_EQ(test_text(c, "random_2",
                        "random 2, shrunk: cycle 16, router, port 0: credit_o is 0x0 in the model "
                        "and 0x1 in the RTL"),
              file);
}

/// Two routers that have nothing to do with a mutant of credits: what is left of one is small.
TEST(Shrink, FindsTheSameSmallestCaseEachTime) {
    const std::string rtl = testing::TempDir() + "sare_shrink_rtl";
    std::filesystem::remove_all(rtl);
    std::filesystem::copy(SARE_SOURCE_DIR "/rtl", rtl, std::filesystem::copy_options::recursive);
    const std::string from = "credits_q <= Width'(Depth)", to = "credits_q <= Width'(Depth - 1)";
    std::string source = text_of(rtl + "/sare_credit_counter.sv");
    source.replace(source.find(from), from.size(), to);
    std::ofstream(rtl + "/sare_credit_counter.sv") << source;
    random_run what;
    what.seed = 2;
    what.cycles = 5000;
    what.most_vcs = 8;
    what.sources = rtl;
    const auto first = shrink(what, 100), again = shrink(what, 100);
    ASSERT_TRUE(first && again);
    EXPECT_TRUE(first->complete);
    EXPECT_LE(first->cycles, 20u) << text(first->smallest);
    EXPECT_LE(first->smallest.packets.size(), 3u);
    EXPECT_EQ(first->smallest.setting.ports, 2u);
    EXPECT_EQ(text(first->smallest), text(again->smallest));
    what.sources = "";
    EXPECT_FALSE(shrink(what, 100)) << "nothing is wrong";
}

TEST(Cover, IsMergedAndNamesItsHoles) {
    cover_table a;
    const auto point = a.add("point", {{"x", {"0", "1"}}, {"y", {"no", "yes"}}},
                             [](const cover_table::place& at) { return at[0] == 0 || at[1] == 0; });
    cover_table b = a;
    a.hit(point, {0, 1});
    a.hit(point, {1, 1});
    b.hit(point, {1, 0});
    EXPECT_EQ(a.possible(), 3u);
    EXPECT_EQ(a.covered(), 1u);
    EXPECT_EQ(a.holes(), "point: x 0, y no\npoint: x 1, y no\n");
    a.add_text(b.text(false), "file");
    a.merge(b);
    EXPECT_EQ(a.impossible_hits(), 1u);
    EXPECT_EQ(a.text(), "point\tx 0, y no\t0\npoint\tx 0, y yes\t1\npoint\tx 1, y no\t2\n");
    EXPECT_THROW(a.add_text("point 1\n", "file"), std::runtime_error);
}

/// The model alone, under the random traffic of its seed.
void cover(std::uint64_t seed, bool drains, cycle_t cycles, router_points& points) {
    const random_case c = draw_case(seed, 16);
    router_cover cover(c.setting, *c.around, points);
    router_bench bench(c.setting, *c.around, seed);
    bench.fill_and_drain(drains);
    model_block model(c.setting, *c.around, bench.packets());
    std::vector<port_out> out(c.setting.ports);
    for (cycle_t t = 1; t <= cycles; ++t) {
        const auto& in = bench.inputs();
        model.cycle(t, in, out);
        cover.note(t, in, out, bench.packets());
        bench.outputs(out);
    }
}

/// What a router is hits pairs of parameters before it runs. The chosen ones hit more and cost less: ports
/// times VCs is what a router's building grows with. Fails if holes do not matter to the choice, or the cost.
TEST(Cover, SteersDraws) {
    router_points any, chosen;
    std::uint32_t any_cost = 0, cost = 0;
    const auto draw = [](std::uint64_t seed, router_points& points) {
        const random_case c = draw_case(seed, 16);
        router_cover(c.setting, *c.around, points);
        return c.setting.ports * c.setting.model.vcs;
    };
    for (std::uint64_t first = 1; first < 1 + 20 * 64; first += 64) {
        any_cost += draw(first, any);
        cost += draw(steered_seed(first, 64, 16, {}, chosen), chosen);
    }
    EXPECT_GT(chosen.table.covered(), any.table.covered() * 106 / 100);
    EXPECT_LT(cost, any_cost * 80 / 100);
}

/// Deep buffers are filled and drained; those that VCs share are full before one VC is.
TEST(Cover, GrowsWithTrafficThatDrainsDeepBuffers) {
    std::uint64_t seed = 1;
    const auto is_it = [](const router_setting& s) {
        return s.model.depth >= 31 && s.model.pool() == 0 && s.out_pool.empty();
    };
    while (!is_it(draw_setting(seed, 16))) ++seed;
    router_points any, drained;
    cover(seed, false, 4000, any);
    cover(seed, true, 4000, drained);
    EXPECT_GT(drained.table.covered(), any.table.covered());
}

/// What is said to be impossible is not hit.
TEST(Cover, HasNoHitsOnImpossiblePlaces) {
    router_points points;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) cover(seed, seed % 2 == 0, 300, points);
    EXPECT_EQ(points.table.impossible_hits(), 0u);
    EXPECT_GT(points.table.covered(), points.table.possible() / 3);
}

/// Places beyond a port that one packet fills, and a turn on a VC that is in the middle of its class's: what
/// traits do not tell routers apart by.
TEST(Cover, FindsMorePossibleHolesInLargerRouters) {
    router_points points;
    router_setting two, four;
    two.model.vcs = two.classes = 2;
    four.model.vcs = 4;
    four.classes = 2;
    EXPECT_GT(points.holes_of(four).possible, points.holes_of(two).possible);
    router_setting ring = four;
    ring.sizes = {4};
    EXPECT_GT(points.holes_of(four).possible, points.holes_of(ring).possible);
    router_setting deeper = four;
    deeper.out_depth.assign(5, deeper.model.depth);
    deeper.out_depth[3] = 255;
    EXPECT_GT(points.holes_of(deeper).possible, points.holes_of(four).possible);
}

TEST(Cover, SeesOnePacketFillADeepBuffer) {
    std::uint64_t seed = 1;
    const auto is_it = [](const router_setting& s) {
        const auto deepest = std::max_element(s.out_depth.begin(), s.out_depth.end());
        return deepest != s.out_depth.end() && *deepest == 255 && s.atomic() && !s.cut_through();
    };
    while (!is_it(draw_setting(seed, 16))) ++seed;
    router_points points;
    cover(seed, true, 6000, points);
    const std::string text = points.table.text(false);
    EXPECT_NE(text.find("none is left, places 65 and more, switching wormhole, reallocation atomic"),
              std::string::npos);
}

}  // namespace
}  // namespace sare::cosim::shrink_test
