// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing/routing_support.h"

#include <gtest/gtest.h>

namespace sare::routing_test {
namespace {

using test::candidates_at;
using test::header;
using test::network;
using test::routing;

struct a_case {
    const char* function;
    const char* network;
    std::uint32_t vcs;
    bool minimal = true;
};
void PrintTo(const a_case& c, std::ostream* out) {
    *out << c.function << " on " << c.network << " with " << c.vcs << " VCs";
}

const a_case cases[] = {
    {"circulant_minimal", "midimew n=40", 2},
    {"circulant_minimal dateline=basic", "midimew n=61 concentration=2", 2},
    {"circulant_minimal random_ties=false", "circulant n=24 steps=3,4,10", 3},
    {"circulant_minimal dateline=improved", "circulant n=16 steps=1,8,3", 2},
    {"circulant_minimal", "circulant n=16 steps=1,15,4 unidirectional=true", 2},
    {"dor", "hypercube n=5", 1},
    {"duato", "hypercube n=4 concentration=2", 2},
    {"negative_first", "hypercube n=5", 1},
    {"negative_first", "mesh dims=5,4 concentration=2", 2},
    {"negative_first", "mesh dims=4,3,3", 1},
    {"north_last", "hypercube n=4", 1},
    {"north_last", "mesh dims=5,6", 1},
    {"north_last", "mesh dims=3,4,3", 2},
    {"o1turn", "hypercube n=2", 2},
    {"shortest_path", "butterfly k=2 n=3", 1},
    {"shortest_path", "clos m=3 n=2 r=3", 1},
    {"shortest_path", "hypercube n=4", 1},
    {"shortest_path", "midimew n=25", 4},
    {"shortest_path", "ring n=9 unidirectional=true concentration=2", 5},
    {"shortest_path", "torus dims=5,6", 3},
    {"shortest_path", "triangular_torus w=5 h=4", 4},
    {"shortest_path", "star n=4", 3},
    {"shortest_path", "crossbar n=9", 1},
    {"triangular_minimal", "triangular_torus w=8 h=8", 2},
    {"triangular_minimal dateline=basic", "triangular_torus w=7 h=4 concentration=2", 3},
    {"triangular_minimal random_ties=false dateline=improved", "triangular_torus w=6 h=5", 2},
    {"triangular_minimal", "triangular_torus w=2 h=3", 2},
    {"triangular_minimal", "triangular_torus w=5 h=4 unidirectional=true", 2},
    {"up_down", "hypercube n=4", 1, false},
    {"up_down adaptive=true", "midimew n=18", 1, false},
    {"up_down", "triangular_torus w=4 h=5", 1, false},
    {"up_down_escape", "triangular_torus w=4 h=5", 2, false},
    {"up_down_escape", "midimew n=18", 3, false},
    {"valiant", "hypercube n=4", 2, false},
    {"dal", "hyperx dims=4,3 concentration=2", 3, false},
    {"destination_tag", "butterfly k=4 n=3", 1},
    {"destination_tag", "clos m=5 n=3 r=4", 2},
    {"destination_tag", "omega k=3 n=3", 3},
    {"dor", "mesh dims=4,4", 1},
    {"dor", "mesh dims=5,3,2 concentration=3", 3},
    {"dor", "mesh dims=2,1,2,1,2,1,2,1,2,1,2,1,1,1,1,1,1,1,1,2", 1},
    {"dor", "mesh dims=7 concentration=59", 16},
    {"dor", "torus dims=4,4", 2},
    {"dor ties=negative dateline=basic", "torus dims=6,3,4", 4},
    {"dor dateline=improved", "torus dims=6,3,2", 3},
    {"dor dateline=none", "torus dims=5,4", 1},
    {"dor", "torus dims=4,5 wrap=true,false concentration=2", 2},
    {"dor", "torus dims=2,2,2,2,2,2,2,2", 2},
    {"dor", "torus dims=4,3 unidirectional=true", 2},
    {"dor", "ring n=9", 2},
    {"dor", "ring n=2", 2},
    {"dor", "ring n=1", 2},
    {"dor", "ring n=7 unidirectional=true concentration=5", 2},
    {"dragonfly_minimal", "dragonfly p=2 a=4 h=2 g=9", 2, false},
    {"dragonfly_minimal", "dragonfly p=2 a=3 h=3 g=5", 3, false},
    {"dragonfly_valiant", "dragonfly p=2 a=4 h=2 g=9", 3, false},
    {"dragonfly_plus_valiant", "dragonfly_plus p=1 l=2 s=3 h=3 g=4", 2, false},
    {"express_dor", "express_mesh dims=9,4 express=3 concentration=2", 1},
    {"par", "dragonfly p=1 a=3 h=3 g=5", 4, false},
    {"duato", "mesh dims=4,5", 2},
    {"duato", "mesh dims=3,2,3", 4},
    {"duato", "torus dims=4,4", 3},
    {"duato ties=negative", "torus dims=5,6 concentration=2", 4},
    {"duato", "torus dims=4,2,3 wrap=true,true,false", 4},
    {"duato", "torus dims=5,4 unidirectional=true", 4},
    {"duato", "ring n=8", 3},
    {"west_first", "mesh dims=5,6", 1},
    {"odd_even", "mesh dims=6,5", 1},
    {"odd_even", "mesh dims=7,7 concentration=2", 2},
    {"hyperx_minimal", "hyperx dims=4,3,2 concentration=2", 2},
    {"hyperx_minimal", "hyperx dims=1,6 concentration=3", 1},
    {"hyperx_valiant", "hyperx dims=4,3 concentration=2", 3, false},
    {"min_adaptive", "hyperx dims=4,3,2 concentration=2", 3},
    {"min_adaptive", "hyperx dims=1 concentration=4", 1},
    {"o1turn", "mesh dims=5,4", 2},
    {"o1turn dateline=improved", "torus dims=6,4", 5},
    {"o1turn dateline=basic", "torus dims=5,4 concentration=2", 4},
    {"o1turn", "torus dims=5,4 unidirectional=true", 4},
    {"valiant", "mesh dims=4,4", 2, false},
    {"valiant dateline=basic", "torus dims=4,4,3", 4, false},
    {"valiant dateline=improved ties=positive", "torus dims=6,4 concentration=2", 7, false},
    {"valiant", "ring n=6 unidirectional=true", 4, false},
    {"ugal_g", "dragonfly p=2 a=4 h=2 g=9", 4, false},
    {"ugal_l", "dragonfly p=1 a=3 h=3 g=5", 3, false},
    {"slim_fly_minimal", "slim_fly q=5 concentration=2", 2},
    {"slim_fly_minimal", "slim_fly q=7 concentration=1", 3},
    {"slim_fly_valiant", "slim_fly q=4 concentration=2", 5, false},
    {"up_down", "mesh dims=4,4", 2, false},
    {"up_down adaptive=true root=5", "torus dims=4,4", 2, false},
    {"up_down", "star n=6 concentration=2", 1},
    {"table", "torus dims=4,5", 1},
    {"table", "ring n=7 unidirectional=true concentration=2", 1},
    {"table", "star n=4", 3},
    {"twisted_minimal", "twisted_torus dims=16,8 twist=0,0;8,0", 2},
    {"twisted_minimal dateline=none random_ties=false", "twisted_torus dims=8,4 twist=0,0;4,0", 3},
    {"twisted_minimal dateline=basic", "twisted_torus dims=5,4 twist=0,0;3,0 concentration=2", 3},
    {"twisted_minimal dateline=improved", "twisted_torus dims=4,4 twist=0,1;0,0", 4},
    {"twisted_minimal", "twisted_torus dims=4,6,3 twist=0,0,0;2,0,0;1,0,0", 2},
    {"twisted_minimal", "twisted_torus dims=9,1 twist=0,0;4,0", 2},
    {"twisted_minimal", "twisted_torus dims=6,4 twist=0,0;3,0 unidirectional=true", 2},
    {"twisted_minimal", "twisted_torus dims=4,5,2", 2},
    {"tree_static", "kary_ntree k=4 n=3", 1},
    {"tree_static", "kary_ntree k=3 n=1", 2},
    {"tree_static by=destination", "thin_tree k=4 k_up=3 n=3", 3},
    {"tree_static spread_vcs=true", "thin_tree k=5 k_up=2 n=3", 4},
    {"tree_static keep_vc=false", "kary_ntree k=2 n=6", 2},
    {"tree_static", "xgft m=2,2,2,2 w=1,5,5,5", 2},
    {"tree_adaptive", "kary_ntree k=4 n=3", 2},
    {"tree_adaptive keep_vc=true", "thin_tree k=4 k_up=3 n=3", 2},
    {"tree_adaptive", "kary_ntree k=2 n=6", 1},
    {"tree_adaptive", "thin_tree k=8 k_up=1 n=2", 1},
    {"tree_adaptive", "thin_tree k=32 k_up=32 n=2", 1},
    {"tree_adaptive", "xgft m=4,3,2 w=1,2,3", 1},
    {"tree_adaptive", "tree degree=3 depth=4", 2},
    {"tree_static", "xgft m=2,5,3,2 w=1,3,1,4", 1},
    {"tree_static by=destination", "xgft m=3,1,4,1 w=1,2,1,5", 1},
    {"tree_static spread_vcs=true", "xgft m=2,2,2,2 w=1,2,3,2", 3},
    {"tree_static", "tree degree=5 depth=1", 2},
};

class every_function : public testing::TestWithParam<a_case> {};
INSTANTIATE_TEST_SUITE_P(, every_function, testing::ValuesIn(cases));

/// What a table by router, state and destination would say: the answer to a header that has nothing else, and
/// the state that begin() gave it.
void expect_tabular(const routing_function& function, std::uint32_t r, const route_header& made,
                    const route_header& h) {
    route_header bare, same = h;
    bare.destination = h.destination;
    bare.state = made.state;
    route_set from_table, out;
    function.route(r, 0, 0, bare, from_table);
    function.route(r, 1, 1, same, out);
    EXPECT_LT(made.state, function.tabular_states());
    ASSERT_EQ(from_table.size, out.size);
    for (std::uint32_t i = 0; i < out.size; ++i) {
        EXPECT_EQ(from_table.candidates[i].port, out.candidates[i].port);
        EXPECT_EQ(from_table.candidates[i].vcs, out.candidates[i].vcs);
        EXPECT_EQ(from_table.candidates[i].escape, out.candidates[i].escape);
    }
}

TEST_P(every_function, DeliversEveryPair) {
    const a_case& with = GetParam();
    const auto net = network(with.network);
    const auto function = routing(with.function, *net, with.vcs);
    const auto distance = test::distances(*net);
    rng random(1, stream::test, 0);
    std::vector<route_header> known;
    for (std::uint32_t s = 0; s < net->nodes(); ++s)
        for (std::uint32_t d = 0; d < net->nodes(); ++d)
            for (int repeat = 0; repeat < 2; ++repeat) {
                route_header h;
                h.source = s;
                h.destination = d;
                known.clear();
                function->every_header(h, known);
                ASSERT_FALSE(known.empty());
                function->begin(h, random);
                const route_header made = h;
                if (with.minimal) {
                    bool among = false;
                    for (const auto& k : known)
                        among = among || (k.state == h.state && k.phase == h.phase && k.via == h.via);
                    EXPECT_TRUE(among) << "begin() made a header that every_header() does not know";
                }
                std::uint32_t r = net->router_of(node_id(s)).value, in = net->port_of(node_id(s)).value,
                              vc = 0;
                const std::uint32_t home = net->ejection_of(node_id(d)).router.value;
                const std::uint32_t expected = with.minimal ? distance[r][home]
                                               : function->name() == "valiant"
                                                   ? distance[r][h.via] + distance[h.via][home]
                                                   : 100;
                std::uint32_t hops = 0, repeats = 0;
                route_candidate before{};
                for (;; ++hops) {
                    ASSERT_LE(hops, expected) << s << " to " << d;
                    if (function->tabular_states() != 0) expect_tabular(*function, r, made, h);
                    route_set out;
                    function->route(r, in, vc, h, out);
                    ASSERT_GE(out.size, 1U);
                    ASSERT_LE(out.size, function->max_candidates());
                    if (repeats != 0) {
                        --repeats;
                        ASSERT_EQ(out.size, 1U);
                        ASSERT_EQ(out.candidates[0].port, before.port);
                        ASSERT_EQ(out.candidates[0].vcs, before.vcs);
                    } else if (out.size == 1) {
                        repeats = out.repeats;
                        before = out.candidates[0];
                    }
                    for (std::uint32_t i = 0; i < out.size; ++i) {
                        ASSERT_NE(out.candidates[i].vcs, 0);
                        ASSERT_EQ(out.candidates[i].vcs >> with.vcs, 0);
                    }
                    const auto& c = out.candidates[random.below(out.size)];
                    const auto to = net->peer(router_id(r), port_id(c.port));
                    if (to.what == port_peer::kind::node) {
                        ASSERT_EQ(to.id, d);
                        ASSERT_EQ(out.size, 1U);
                        ASSERT_EQ(c.vcs, (1U << with.vcs) - 1);
                        break;
                    }
                    ASSERT_EQ(to.what, port_peer::kind::router);
                    r = to.id;
                    in = to.port;
                    vc = static_cast<std::uint32_t>(__builtin_ctz(c.vcs));
                }
                EXPECT_TRUE(expected == 100 || hops == expected) << s << " to " << d;
            }
}

TEST(routing, SaysHowLongARouteStaysTheSame) {
    const auto net = network("torus dims=9,9");
    const auto repeats = [&](const char* function, std::uint32_t s, std::uint32_t d) {
        const auto f = routing(function, *net, 4);
        route_header h = header(*f, s, d);
        route_set out;
        f->route(net->router_of(node_id(s)).value, 0, 0, h, out);
        return out.repeats;
    };
    EXPECT_EQ(repeats("dor dateline=basic", 0, 4), 3U);  // routers 1, 2 and 3; at 4 to the node
    EXPECT_EQ(repeats("dor dateline=basic", 7, 1), 2U);  // 8 and 0
    EXPECT_EQ(repeats("dor dateline=trc", 6, 1), 1U);    // 7; 8 is at the wrap link
    EXPECT_EQ(repeats("dor dateline=trc", 8, 1), 1U);    // 0
    EXPECT_EQ(repeats("dor dateline=trc", 2, 7), 1U);    // 1; 0 is at the wrap link
    EXPECT_EQ(repeats("dor dateline=trc", 0, 18), 1U);   // along the other dimension
}

TEST(dateline, UsesClassesAsSpecified) {
    const auto net = network("ring n=8");
    const auto trc = routing("dor dateline=trc", *net, 5);  // lower class: 3 of 5 VCs
    const auto basic = routing("dor dateline=basic", *net, 5);
    const auto improved = routing("dor dateline=improved", *net, 5);
    const auto none = routing("dor dateline=none", *net, 5);
    const auto at = [&](const auto& f, std::uint32_t s, std::uint32_t d, std::uint32_t r) {
        return candidates_at(*f, r, header(*f, s, d));
    };
    // 6 to 1, + round the wrap link
    EXPECT_EQ(at(trc, 6, 1, 6), "0:111");
    EXPECT_EQ(at(trc, 6, 1, 7), "0:11000");
    EXPECT_EQ(at(trc, 6, 1, 0), "0:11000");
    for (const std::uint32_t r : {6, 7, 0}) {
        EXPECT_EQ(at(basic, 6, 1, r), "0:11000");
        EXPECT_EQ(at(improved, 6, 1, r), "0:11000!");
        EXPECT_EQ(at(none, 6, 1, r), "0:11111");
    }
    // 1 to 6, - round the wrap link
    EXPECT_EQ(at(trc, 1, 6, 1), "1:111");
    EXPECT_EQ(at(trc, 1, 6, 0), "1:11000");
    EXPECT_EQ(at(trc, 1, 6, 7), "1:11000");
    EXPECT_EQ(at(basic, 1, 6, 1), "1:11000");
    // 2 to 4, not round
    EXPECT_EQ(at(trc, 2, 4, 2), "0:111");
    EXPECT_EQ(at(basic, 2, 4, 3), "0:111");
    EXPECT_EQ(at(improved, 2, 4, 3), "0:11000 0:111!");
    // 4 to 2, not round
    EXPECT_EQ(at(trc, 4, 2, 3), "1:111");
    EXPECT_EQ(at(improved, 4, 2, 3), "1:11000 1:111!");
    // starting on the wrap link
    EXPECT_EQ(at(trc, 7, 0, 7), "0:11000");
    EXPECT_EQ(at(trc, 0, 7, 0), "1:11000");
    EXPECT_FALSE(trc->needs_escape());
    EXPECT_TRUE(improved->needs_escape());
}

TEST(dateline, UsesAllVcsWithoutWrapLinks) {
    const auto net = network("torus dims=4,4 wrap=false,true");
    const auto f = routing("dor dateline=basic", *net, 2);
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 2)), "0:11");
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 4)), "2:1");
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 12)), "3:10");
    const auto mesh = network("mesh dims=4,4");
    EXPECT_FALSE(routing("dor dateline=improved", *mesh, 1)->needs_escape());
}

TEST(dor, BreaksTiesAsItsParameterSays) {
    const auto net = network("ring n=6");
    EXPECT_EQ(candidates_at(*routing("dor ties=positive", *net, 2), 1,
                            header(*routing("dor ties=positive", *net, 2), 1, 4)),
              "0:1");
    EXPECT_EQ(candidates_at(*routing("dor ties=negative", *net, 2), 1,
                            header(*routing("dor ties=negative", *net, 2), 1, 4)),
              "1:1");
    const auto f = routing("dor ties=random", *net, 2);
    EXPECT_FALSE(f->deterministic());
    EXPECT_TRUE(routing("dor ties=positive", *net, 2)->deterministic());
    EXPECT_TRUE(routing("dor ties=random", *network("ring n=7"), 2)->deterministic());
    rng random(1, stream::test, 0);
    int negative = 0;
    for (int i = 0; i < 1000; ++i) {
        route_header h;
        h.source = 1;
        h.destination = 4;
        f->begin(h, random);
        negative += candidates_at(*f, 1, h) == "1:1";
    }
    EXPECT_NEAR(negative, 500, 60);
}

TEST(dor, TakesTheLowestDimensionFirst) {
    const auto net = network("mesh dims=4,4,4");
    const auto f = routing("dor", *net, 1);
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 63)), "0:1");
    EXPECT_EQ(candidates_at(*f, 3, header(*f, 0, 63)), "2:1");
    EXPECT_EQ(candidates_at(*f, 15, header(*f, 0, 63)), "4:1");
    EXPECT_EQ(candidates_at(*f, 63, header(*f, 63, 0)), "1:1");
}

TEST(dor, IsTabularOnlyWhereTheSourceDoesNotMatter) {
    EXPECT_TRUE(routing("dor", *network("mesh dims=4,4"), 1)->tabular());
    EXPECT_FALSE(routing("dor", *network("torus dims=4,4"), 2)->tabular());
    EXPECT_FALSE(routing("up_down", *network("mesh dims=4,4"), 2)->tabular());
    EXPECT_TRUE(routing("table", *network("mesh dims=4,4"), 2)->tabular());
}

TEST(dor, IsTabularByTheDirectionsRoundRings) {
    EXPECT_EQ(routing("dor", *network("mesh dims=4,4"), 1)->tabular_states(), 1U);
    EXPECT_EQ(routing("dor", *network("torus dims=4,4"), 2)->tabular_states(), 16U);
    EXPECT_EQ(routing("o1turn", *network("torus dims=4,4"), 4)->tabular_states(), 32U);
    EXPECT_EQ(routing("up_down", *network("mesh dims=4,4"), 2)->tabular_states(), 0U);
}

TEST(duato, OffersAdaptiveVcsFirstAndEscapeLast) {
    const auto mesh = network("mesh dims=4,4");
    const auto m = routing("duato", *mesh, 3);
    EXPECT_EQ(candidates_at(*m, 0, header(*m, 0, 15)), "0:110 2:110 0:1!");
    EXPECT_EQ(candidates_at(*m, 3, header(*m, 0, 15)), "2:110 2:1!");
    EXPECT_EQ(candidates_at(*m, 15, header(*m, 0, 15)), "4:111");
    const auto torus = network("torus dims=8,8");
    const auto t = routing("duato ties=positive", *torus, 4);
    EXPECT_EQ(candidates_at(*t, 0, header(*t, 0, 9)), "0:1100 2:1100 0:10 0:1!");  // +1, +1
    EXPECT_EQ(candidates_at(*t, 6, header(*t, 6, 9)), "0:1100 2:1100 0:10!");      // has to cross
    EXPECT_EQ(candidates_at(*t, 8, header(*t, 6, 9)), "0:1100 0:10 0:1!");         // has crossed
    EXPECT_EQ(candidates_at(*t, 1, header(*t, 1, 5)), "0:1100 1:1100 0:10 0:1!");  // a tie: both ways
    const auto n = routing("duato ties=negative", *torus, 4);
    EXPECT_EQ(candidates_at(*n, 1, header(*n, 1, 5)), "0:1100 1:1100 1:10!");
}

TEST(o1turn, UsesAClassForEachOrder) {
    const auto net = network("mesh dims=4,4");
    const auto f = routing("o1turn", *net, 3);
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 15, 0)), "0:11");
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 15, 1)), "2:100");
    EXPECT_EQ(candidates_at(*f, 12, header(*f, 0, 15, 1)), "0:100");
    const auto ring = network("torus dims=4,4");
    const auto t = routing("o1turn", *ring, 4);
    EXPECT_EQ(candidates_at(*t, 3, header(*t, 3, 4, 0)), "0:10");
    EXPECT_EQ(candidates_at(*t, 3, header(*t, 3, 4, 1)), "2:100");
    EXPECT_EQ(candidates_at(*t, 7, header(*t, 3, 4, 1)), "0:1000");
    rng random(1, stream::test, 0);
    int second = 0;
    for (int i = 0; i < 1000; ++i) {
        route_header h;
        h.source = 0;
        h.destination = 15;
        f->begin(h, random);
        second += candidates_at(*f, 0, h) == "2:100";
    }
    EXPECT_NEAR(second, 500, 60);
}

TEST(valiant, UsesAClassForEachPhaseAndAnyRouterBetween) {
    const auto net = network("mesh dims=4,4");
    const auto f = routing("valiant", *net, 3);
    rng random(1, stream::test, 0);
    std::set<std::uint32_t> vias;
    route_header h;
    for (int i = 0; i < 1000; ++i) {
        h.source = 0;
        h.destination = 15;
        f->begin(h, random);
        vias.insert(h.via);
    }
    EXPECT_EQ(vias.size(), 16U);
    h.via = 3;
    EXPECT_EQ(candidates_at(*f, 0, h), "0:11");
    EXPECT_EQ(candidates_at(*f, 3, h), "2:100");
    h.via = 0;
    EXPECT_EQ(candidates_at(*f, 0, h), "0:100");  // phase 1 from the start
}

/// Calls f(router, input port, output port, header) for every hop that any packet may take.
template <class F>
void every_turn(const topology& net, const routing_function& function, F f) {
    for (std::uint32_t s = 0; s < net.nodes(); ++s)
        for (std::uint32_t d = 0; d < net.nodes(); ++d) {
            std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
            std::vector<std::pair<std::uint32_t, std::uint32_t>> open{
                {net.router_of(node_id(s)).value, net.port_of(node_id(s)).value}};
            while (!open.empty()) {
                const auto [r, in] = open.back();
                open.pop_back();
                if (!seen.insert({r, in}).second) continue;
                auto h = header(function, s, d);
                route_set out;
                function.route(r, in, 0, h, out);
                for (std::uint32_t i = 0; i < out.size; ++i) {
                    const auto to = net.peer(router_id(r), port_id(out.candidates[i].port));
                    if (to.what != port_peer::kind::router) continue;
                    f(r, in, out.candidates[i].port);
                    open.emplace_back(to.id, to.port);
                }
            }
        }
}

TEST(turn_models, NeverTurnWestInWestFirst) {
    const auto net = network("mesh dims=6,5");
    int turns = 0;
    every_turn(*net, *routing("west_first", *net, 1),
               [&](std::uint32_t, std::uint32_t in, std::uint32_t out) {
                   if (in >= 4) return;
                   turns += (in < 2) != (out < 2);
                   EXPECT_TRUE(out != 1 || in == 0)
                       << "going west, so far not west";  // travelling west: in by the + port
               });
    EXPECT_GT(turns, 0);
}

TEST(turn_models, TurnByParityInOddEven) {
    const auto net = network("mesh dims=6,6");
    std::set<std::pair<bool, std::pair<std::uint32_t, std::uint32_t>>> seen;
    every_turn(*net, *routing("odd_even", *net, 1),
               [&](std::uint32_t r, std::uint32_t in, std::uint32_t out) {
                   if (in >= 4) return;
                   const bool odd = r % 6 % 2 != 0;
                   seen.insert({odd, {in, out}});
                   EXPECT_TRUE(in != 1 || out < 2 || odd) << "east to north or south in an even column";
                   EXPECT_TRUE(in < 2 || out != 1 || !odd) << "north or south to west in an odd column";
               });
    EXPECT_TRUE(seen.count({true, {1, 2}}) && seen.count({true, {1, 3}}));
    EXPECT_TRUE(seen.count({false, {2, 1}}) && seen.count({false, {3, 1}}));
}

TEST(turn_models, OfferAllLegalPortsInOddEven) {
    const auto net = network("mesh dims=6,6");
    const auto f = routing("odd_even", *net, 1);
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 21)), "0:1 2:1");  // even column, but the source's
    EXPECT_EQ(candidates_at(*f, 2, header(*f, 0, 21)), "0:1");      // even column
    EXPECT_EQ(candidates_at(*f, 1, header(*f, 0, 20)), "2:1");      // last chance before an even column
    EXPECT_EQ(candidates_at(*f, 4, header(*f, 4, 12)), "1:1 2:1");
    EXPECT_EQ(candidates_at(*f, 3, header(*f, 4, 12)), "1:1");
}

TEST(up_down, NeverGoesUpAfterDownOnRandomGraphs) {
    rng random(3, stream::test, 0);
    for (int i = 0; i < 40; ++i) {
        const auto net = test::random_graph(random);
        const std::uint32_t root = random.below(net->routers());
        const auto level = test::distances(*net)[root];
        const auto up = [&](std::uint32_t a, std::uint32_t b) {
            return level[b] < level[a] || (level[b] == level[a] && b < a);
        };
        for (const char* adaptive : {"true", "false"}) {
            const auto f = routing("up_down root=" + std::to_string(root) + " adaptive=" + adaptive, *net, 1);
            every_turn(*net, *f, [&](std::uint32_t r, std::uint32_t in, std::uint32_t out) {
                const auto from = net->source(router_id(r), port_id(in));
                const auto to = net->peer(router_id(r), port_id(out));
                if (from.what != port_peer::kind::router) return;
                EXPECT_FALSE(!up(from.id, r) && up(r, to.id));
            });
        }
    }
}

TEST(up_down, TakesTheRootOfLeastEccentricity) {
    // A ring of 4 with a leaf at router 2, the root: from 1 to 3 not through 0, which is farthest down.
    std::istringstream text(
        "sare-graph 1\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 0\nlink 2 4\nnode 0 1\nnode 1 3\n");
    const auto net = read_graph(text, "ring", {});
    const auto next = [&](const std::string& line) {
        const auto f = routing(line, *net, 1);
        route_set out;
        auto h = header(*f, 0, 1);
        f->route(1, net->port_of(node_id(0)).value, 0, h, out);
        EXPECT_EQ(out.size, 1U);
        return net->peer(router_id(1), port_id(out.candidates[0].port)).id;
    };
    EXPECT_EQ(next("up_down"), 2U);
    EXPECT_EQ(next("up_down root=2"), 2U);
    EXPECT_EQ(next("up_down root=0"), 0U);
}

}  // namespace
}  // namespace sare::routing_test
