// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing/idle_view.h"
#include "tests/tlm/routing/routing_support.h"
#include "tlm/routing/routing_support.h"

#include <gtest/gtest.h>

#include <map>

/// Routing on direct networks: what each function gives, that it delivers, and that it is free of deadlock.
namespace sare::routing_direct_test {
namespace {

using test::candidates_at;
using test::check;
using test::header;
using test::message;
using test::network;
using test::routing;
using verdict = deadlock_report::verdict;

struct deadlock_case {
    const char* function;
    const char* network;
    std::uint32_t vcs;
    verdict expected;
    bool atomic = false;
};
void PrintTo(const deadlock_case& c, std::ostream* out) {
    *out << c.function << " on " << c.network << " with " << c.vcs << " VCs";
}

const deadlock_case deadlocks[] = {
    {"circulant_minimal", "midimew n=20", 2, verdict::acyclic},
    {"circulant_minimal", "midimew n=41", 3, verdict::acyclic},
    {"circulant_minimal", "midimew n=64", 2, verdict::acyclic},
    {"circulant_minimal", "circulant n=30 steps=4,13,15", 2, verdict::acyclic},
    {"circulant_minimal", "circulant n=16 steps=1,15,4 unidirectional=true", 2, verdict::acyclic},
    {"circulant_minimal", "midimew n=32 unidirectional=true", 2, verdict::acyclic},
    {"circulant_minimal dateline=basic", "midimew n=41", 2, verdict::acyclic},
    {"circulant_minimal dateline=improved", "midimew n=41", 2, verdict::acyclic, true},
    {"circulant_minimal dateline=improved", "midimew n=41", 2, verdict::unsafe},
    {"circulant_minimal dateline=ahead", "midimew n=20 unidirectional=true", 2, verdict::acyclic},
    {"circulant_minimal dateline=improved_ahead", "midimew n=20 unidirectional=true", 2, verdict::acyclic,
     true},
    {"circulant_minimal dateline=none", "midimew n=41", 2, verdict::cycle},
    {"circulant_minimal dateline=none", "circulant n=12 steps=1", 1, verdict::cycle},
    {"dor", "hypercube n=2", 1, verdict::acyclic},
    {"dor", "hypercube n=4", 1, verdict::acyclic},
    {"dor", "hypercube n=6", 2, verdict::acyclic},
    {"duato", "hypercube n=3", 2, verdict::acyclic, true},
    {"duato", "hypercube n=5", 3, verdict::acyclic, true},
    {"o1turn", "hypercube n=2", 2, verdict::acyclic},
    {"up_down", "hypercube n=4", 1, verdict::acyclic},
    {"valiant", "hypercube n=5", 2, verdict::acyclic},
    {"negative_first", "hypercube n=5", 1, verdict::acyclic},
    {"negative_first", "mesh dims=4,4", 1, verdict::acyclic},
    {"negative_first", "mesh dims=7,5", 2, verdict::acyclic},
    {"negative_first", "mesh dims=3,4,3", 1, verdict::acyclic},
    {"negative_first", "mesh dims=3,2,3,2", 1, verdict::acyclic},
    {"north_last", "hypercube n=5", 1, verdict::acyclic},
    {"north_last", "mesh dims=4,4", 1, verdict::acyclic},
    {"north_last", "mesh dims=7,5", 2, verdict::acyclic},
    {"north_last", "mesh dims=3,4,3", 1, verdict::acyclic},
    {"north_last", "mesh dims=3,2,3,2", 1, verdict::acyclic},
    {"romm", "hypercube n=4", 2, verdict::acyclic},
    {"romm", "mesh dims=4,4", 2, verdict::acyclic},
    {"romm", "mesh dims=4,3,3", 3, verdict::acyclic},
    {"romm", "torus dims=4,4", 4, verdict::acyclic},
    {"romm dateline=basic", "torus dims=5,6", 5, verdict::acyclic},
    {"romm dateline=improved", "torus dims=6,4", 4, verdict::acyclic, true},
    {"romm", "torus dims=4,5 unidirectional=true", 4, verdict::acyclic},
    {"romm dateline=none", "torus dims=6,6", 4, verdict::cycle},
    {"shortest_path", "mesh dims=4,4", 1, verdict::acyclic},
    {"shortest_path", "hypercube n=5", 1, verdict::acyclic},
    {"shortest_path", "ring n=8", 2, verdict::acyclic},
    {"shortest_path", "ring n=8 unidirectional=true", 4, verdict::acyclic},
    {"shortest_path", "torus dims=6,5", 3, verdict::acyclic},
    {"shortest_path", "midimew n=41", 4, verdict::acyclic},
    {"shortest_path", "triangular_torus w=6 h=6", 4, verdict::acyclic},
    {"shortest_path", "kary_ntree k=4 n=2", 1, verdict::acyclic},
    {"smart_dor", "torus dims=4,4", 2, verdict::acyclic},
    {"smart_dor", "torus dims=5,6", 2, verdict::acyclic},
    {"smart_dor", "torus dims=8,8", 4, verdict::acyclic},
    {"smart_dor", "torus dims=3,4,3 concentration=2", 3, verdict::acyclic},
    {"smart_dor dateline=basic", "torus dims=6,5", 2, verdict::acyclic},
    {"smart_dor", "torus dims=5,4 unidirectional=true", 2, verdict::acyclic},
    {"smart_dor", "torus dims=4,6 wrap=false,true", 2, verdict::acyclic},
    {"triangular_minimal", "triangular_torus w=4 h=4", 2, verdict::acyclic},
    {"triangular_minimal", "triangular_torus w=7 h=5", 2, verdict::acyclic},
    {"triangular_minimal", "triangular_torus w=8 h=8", 3, verdict::acyclic},
    {"triangular_minimal", "triangular_torus w=6 h=4 unidirectional=true", 2, verdict::acyclic},
    {"triangular_minimal dateline=basic", "triangular_torus w=6 h=9", 2, verdict::acyclic},
    {"triangular_minimal dateline=improved", "triangular_torus w=6 h=6", 2, verdict::acyclic, true},
    {"triangular_minimal dateline=none", "triangular_torus w=6 h=6", 2, verdict::cycle},
};

class direct_deadlock : public testing::TestWithParam<deadlock_case> {};
INSTANTIATE_TEST_SUITE_P(, direct_deadlock, testing::ValuesIn(deadlocks));

TEST_P(direct_deadlock, HasItsKnownVerdict) {
    const deadlock_case& with = GetParam();
    const auto report = check(with.function, *network(with.network), with.vcs, with.atomic);
    EXPECT_EQ(report.result, with.expected) << report.text;
}

TEST(direct_routing, ReportsErrorsInOneLine) {
    struct {
        const char *function, *network;
        std::uint32_t vcs;
        const char* text;
    } const lines[] = {
        {"circulant_minimal", "ring n=8", 2,
         "test.yaml:1:1: 'function' is circulant_minimal, which needs a circulant or midimew, not a ring"},
        {"circulant_minimal", "triangular_torus", 2,
         "test.yaml:1:1: 'function' is circulant_minimal, which needs a circulant or midimew, not a "
         "triangular_torus"},
        {"circulant_minimal", "midimew n=20", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'circulant_minimal' needs at least 2: "
         "one for each of the two classes of dateline trc"},
        {"circulant_minimal dateline=basic", "midimew n=20 unidirectional=true", 2,
         "test.yaml:2:1: 'dateline' is basic; round one-way links packets may cross the wrap link after any "
         "part of the ring, and only trc, ahead and improved_ahead keep them from deadlock"},
        {"circulant_minimal", "circulant n=65537 steps=1", 2,
         "test.yaml:1:1: 'function' is circulant_minimal; along dimension 0 are rings of 65537 routers, and "
         "it takes at most 65536"},
        {"circulant_minimal",
         "circulant n=60000 steps=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24", 2,
         "test.yaml:1:1: 'function' is circulant_minimal, which knows all shortest ways, and here are more "
         "than 2796202 from a router; shortest_path and up_down take one for each destination"},
        {"circulant_minimal adaptive=true dateline=none",
         "circulant n=80 steps=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,"
         "25,26,27,28,29,30,31,32",
         2,
         "test.yaml:2:1: 'adaptive' is true, which takes at most 31 dimensions or steps; the network has 32"},
        {"triangular_minimal", "midimew n=20", 2,
         "test.yaml:1:1: 'function' is triangular_minimal, which needs a triangular_torus, not a midimew"},
        {"triangular_minimal dateline=basic", "triangular_torus", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'triangular_minimal' needs at least "
         "2: one for each of the two classes of dateline basic"},
        {"negative_first", "torus dims=4,4", 1,
         "test.yaml:1:1: 'function' is negative_first, which needs a mesh; the network has wrap links"},
        {"north_last", "ring n=4", 1,
         "test.yaml:1:1: 'function' is north_last, which needs a mesh; the network has wrap links"},
        {"north_last", "midimew n=20", 1,
         "test.yaml:1:1: 'function' is north_last, which needs a mesh, torus, ring or hypercube, not a "
         "midimew"},
        {"romm", "mesh dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'romm' needs at least 2: one for each "
         "of the two phases"},
        {"romm", "torus dims=4,4", 3,
         "test.yaml:1:1: 'vcs' gives 3 to each port and message class; 'romm' needs at least 4: two dateline "
         "classes for each of the two phases on a network with wrap links"},
        {"smart_dor", "mesh dims=4,4", 2,
         "test.yaml:1:1: 'function' is smart_dor, which needs wrap links: dimension order leaves no VC of a "
         "mesh unused; dor works"},
        {"smart_dor dateline=none", "torus dims=4,4", 2,
         "test.yaml:2:1: 'dateline' is none; smart_dor takes the VCs that trc or basic leave unused"},
        {"smart_dor", "torus dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'smart_dor' needs at least 2: one for "
         "each of the two classes of dateline trc on a network with wrap links"},
        {"smart_dor", "torus dims=2,2,2,2,2,2", 2,
         "test.yaml:1:1: 'function' is smart_dor, which takes at most 5 dimensions where there are wrap "
         "links; the network has 6"},
        {"shortest_path", "ring n=8", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'shortest_path' needs at least 2: one "
         "for each layer of paths that close no cycle"},
        {"shortest_path", "ring n=130 unidirectional=true", 64,
         "test.yaml:1:1: 'function' is shortest_path, whose paths here need more than 64 layers, and each "
         "needs a VC of its own; there are at most 64"},
        {"shortest_path", "mesh dims=80,80", 1,
         "test.yaml:1:1: 'function' is shortest_path, which would hold 6400 x 6400 next ports; at most "
         "16777216"},
    };
    for (const auto& c : lines)
        EXPECT_EQ(message([&] { routing(c.function, *network(c.network), c.vcs); }), c.text) << c.function;
}

/// Ways from all sources to all destinations with headers as begin() draws them: calls f(header, hops).
/// Among several candidates one is drawn.
template <class F>
void every_pair(const topology& net, const routing_function& function, int repeats, F f) {
    rng random(5, stream::test, 0);
    for (std::uint32_t s = 0; s < net.nodes(); ++s)
        for (std::uint32_t d = 0; d < net.nodes(); ++d)
            for (int i = 0; i < repeats; ++i) {
                route_header h;
                h.source = s;
                h.destination = d;
                function.begin(h, random);
                const route_header drawn = h;
                std::uint32_t r = net.router_of(node_id(s)).value, in = net.port_of(node_id(s)).value,
                              hops = 0;
                for (;; ++hops) {
                    ASSERT_LT(hops, 1000U);
                    route_set out;
                    function.route(r, in, 0, h, out);
                    ASSERT_GE(out.size, 1U);
                    ASSERT_LE(out.size, function.max_candidates());
                    const auto to =
                        net.peer(router_id(r), port_id(out.candidates[random.below(out.size)].port));
                    if (to.what == port_peer::kind::node) {
                        ASSERT_EQ(to.id, d);
                        break;
                    }
                    ASSERT_EQ(to.what, port_peer::kind::router);
                    r = to.id;
                    in = to.port;
                }
                f(drawn, hops);
            }
}

TEST(romm, IsMinimalThroughAnyRouterBetween) {
    for (const char* line :
         {"mesh dims=5,4", "mesh dims=3,3,3", "torus dims=4,5", "torus dims=6,6 concentration=2",
          "torus dims=4,3 unidirectional=true", "ring n=8", "hypercube n=4"}) {
        const auto net = network(line);
        const auto distance = test::distances(*net);
        for (const char* function : {"romm", "romm ties=negative", "romm ties=positive"}) {
            const auto f = routing(function, *net, 4);
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> vias;
            every_pair(*net, *f, 4, [&](const route_header& h, std::uint32_t hops) {
                const std::uint32_t s = net->router_of(node_id(h.source)).value,
                                    t = net->router_of(node_id(h.destination)).value;
                EXPECT_EQ(hops, distance[s][t]) << line;
                EXPECT_EQ(distance[s][h.via] + distance[h.via][t], hops);
                vias[{s, t}].insert(h.via);
            });
            std::size_t different = 0;
            for (const auto& [pair, all] : vias) different = std::max(different, all.size());
            EXPECT_GE(different, 3U) << line;
        }
    }
}

TEST(romm, GoesRoundARingAsDrawn) {
    const auto net = network("torus dims=8,4");
    rng random(1, stream::test, 0);
    for (const bool negative : {false, true}) {
        const auto f = routing(negative ? "romm ties=negative" : "romm ties=positive", *net, 4);
        for (int i = 0; i < 100; ++i) {
            route_header h;
            h.source = 1;
            h.destination = 2 * 8 + 5;  // half round both rings
            f->begin(h, random);
            for (std::uint32_t r = 1; r != 2 * 8 + 5;) {
                route_set out;
                f->route(r, 0, 0, h, out);
                ASSERT_EQ(out.candidates[0].port % 2, negative ? 1 : 0);
                r = net->peer(router_id(r), port_id(out.candidates[0].port)).id;
            }
        }
    }
}

TEST(romm, DrawsEveryRouterBetweenAlike) {
    const auto net = network("mesh dims=4,4");
    const auto f = routing("romm", *net, 2);
    rng random(1, stream::test, 0);
    std::map<std::uint32_t, int> vias;
    for (int i = 0; i < 9000; ++i) {
        route_header h;
        h.source = 1;
        h.destination = 11;
        f->begin(h, random);
        ++vias[h.via];
    }
    EXPECT_EQ(vias.size(), 9U);  // 1-3 x 0-2
    for (const auto& [via, count] : vias) EXPECT_NEAR(count, 1000, 150) << via;
}

TEST(smart_dor, GoesAsideOnceAtTheFirstRouter) {
    for (const char* line : {"torus dims=4,5", "torus dims=6,4 concentration=2", "torus dims=3,4,3",
                             "torus dims=4,6 wrap=false,true"}) {
        const auto net = network(line);
        const auto distance = test::distances(*net);
        for (const char* function : {"smart_dor", "smart_dor dateline=basic ties=negative"}) {
            const auto f = routing(function, *net, 3);
            std::uint32_t longer = 0;
            every_pair(*net, *f, 3, [&](const route_header& h, std::uint32_t hops) {
                const std::uint32_t least = distance[net->router_of(node_id(h.source)).value]
                                                    [net->router_of(node_id(h.destination)).value];
                EXPECT_LE(hops, least + 2);
                longer += hops > least;
            });
            EXPECT_GT(longer, 0U) << line;
        }
    }
}

TEST(smart_dor, StaysMinimalOnOneWayLinks) {
    const auto net = network("torus dims=4,5 unidirectional=true");
    const auto distance = test::distances(*net);
    const auto f = routing("smart_dor", *net, 2);
    every_pair(*net, *f, 3, [&](const route_header& h, std::uint32_t hops) {
        EXPECT_EQ(hops, distance[h.source][h.destination]);
    });
}

TEST(smart_dor, TakesWhatDimensionOrderLeaves) {
    const auto net = network("torus dims=8,8");
    const auto f = routing("smart_dor ties=positive", *net, 2);
    const auto ways = [&](std::uint32_t s, std::uint32_t d) {
        auto h = header(*f, s, d);
        route_set out;
        f->route(s, 4, 0, h, out);  // from the node
        std::string text;
        for (std::uint32_t i = 0; i < out.size; ++i)
            text += (i > 0 ? " " : "") + std::to_string(out.candidates[i].port) + ':' +
                    std::to_string(out.candidates[i].vcs);
        return text;
    };
    // Links along Y, in the direction of travel: class 1 is used on 7, 0, 1, 2, and class 0 on all but 7.
    EXPECT_EQ(ways(0, 2), "0:1 3:1");                  // (0, 0): up is link 0, down the wrap link
    EXPECT_EQ(ways(3 * 8, 3 * 8 + 2), "0:1 2:2 3:2");  // (0, 3): up link 3, down link 4
    EXPECT_EQ(ways(4 * 8, 3 * 8 + 2), "0:1 3:2 2:2");  // nearer first
    EXPECT_EQ(ways(7 * 8, 7 * 8 + 2), "0:1 2:1");      // up the wrap link, down link 0
    EXPECT_EQ(ways(3 * 8, 5 * 8), "2:1");              // along the last dimension there is no other
}

using vc_set = std::set<std::pair<std::uint32_t, std::uint32_t>>;  ///< port and VC

/// A router where these are full beyond.
class full_ports final : public test::idle_view {
  public:
    explicit full_ports(vc_set vcs) : m_full(std::move(vcs)) {}
    std::uint32_t free(std::uint32_t port, std::uint32_t vc) const override { return 4 - used(port, vc); }
    std::uint32_t used(std::uint32_t port, std::uint32_t vc) const override {
        return m_full.count({port, vc}) != 0 ? 4 : 0;
    }

  private:
    vc_set m_full;
};

TEST(smart_dor, GoesAsideOnlyFromABusyChannel) {
    const auto net = network("torus dims=8,8");
    const auto f = routing("smart_dor ties=positive", *net, 4);
    const auto way = [&](const vc_set& full, std::uint32_t in) {
        auto h = header(*f, 32, 26);  // (0, 4) to (2, 3); aside by 3, nearer, or 2, on VCs 2 and 3
        h.vc_base = 4;
        route_set out;
        f->route_seeing(32, in, 4, h, full_ports(full), out);
        EXPECT_EQ(out.size, 1U);
        return std::to_string(out.candidates[0].port) + ':' + std::to_string(out.candidates[0].vcs);
    };
    EXPECT_EQ(way({}, 4), "0:3");
    EXPECT_EQ(way({{0, 4}}, 4), "0:3");
    EXPECT_EQ(way({{0, 0}, {0, 1}}, 4), "0:3");  // another class's
    EXPECT_EQ(way({{0, 4}, {0, 5}}, 4), "3:12");
    EXPECT_EQ(way({{0, 4}, {0, 5}}, 1), "0:3");  // not from a link
    EXPECT_EQ(way({{0, 4}, {0, 5}, {3, 6}}, 4), "3:8");
    EXPECT_EQ(way({{0, 4}, {0, 5}, {3, 6}, {3, 7}}, 4), "2:12");
    EXPECT_EQ(way({{0, 4}, {0, 5}, {3, 6}, {3, 7}, {2, 6}, {2, 7}}, 4), "0:3");
}

TEST(triangular_minimal, DrawsAmongAllShortestRoutes) {
    const auto net = network("triangular_torus w=6 h=6");
    const auto f = routing("triangular_minimal dateline=none", *net, 1);
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 2 * 6 + 3)), "0:1");  // (3, 2): east once, then north-east
    EXPECT_EQ(candidates_at(*f, 1, header(*f, 0, 2 * 6 + 3)), "1:1");
    std::set<std::string> ways;
    std::vector<route_header> all;
    route_header plain;
    plain.destination = 3;  // (3, 0): three east, three west; others take four
    f->every_header(plain, all);
    for (const auto& h : all) ways.insert(candidates_at(*f, 0, h));
    EXPECT_EQ(ways, (std::set<std::string>{"0:1", "3:1"}));
    EXPECT_FALSE(f->deterministic());
    EXPECT_TRUE(routing("triangular_minimal random_ties=false", *net, 2)->deterministic());
}

TEST(circulant_minimal, HasADatelineForEachRing) {
    const auto net = network("circulant n=16 steps=1,6");  // rings of step 6: 0 6 12 2 8 14 4 10, and 1 7 ...
    const auto f = routing("circulant_minimal random_ties=false", *net, 2);
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 12)), "2:1");
    EXPECT_EQ(candidates_at(*f, 10, header(*f, 10, 6)), "2:10");  // over the end of the ring, and after it
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 10, 6)), "2:10");
    EXPECT_EQ(candidates_at(*f, 15, header(*f, 15, 1)), "0:10");
}

TEST(turn_models, TakeTheFirstGroupFirst) {
    const auto mesh = network("mesh dims=4,4,4");
    const auto n = routing("negative_first", *mesh, 1);
    const auto at = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x + 4 * y + 16 * z; };
    EXPECT_EQ(candidates_at(*n, at(1, 2, 2), header(*n, at(1, 2, 2), at(3, 0, 0))), "3:1 5:1");
    EXPECT_EQ(candidates_at(*n, at(3, 2, 2), header(*n, at(3, 2, 2), at(1, 0, 3))), "1:1 3:1");
    EXPECT_EQ(candidates_at(*n, at(1, 0, 0), header(*n, at(1, 2, 2), at(3, 2, 0))), "0:1 2:1");
    const auto l = routing("north_last", *mesh, 1);
    EXPECT_EQ(candidates_at(*l, at(1, 1, 2), header(*l, at(1, 1, 2), at(3, 3, 0))), "0:1 5:1");
    EXPECT_EQ(candidates_at(*l, at(3, 1, 1), header(*l, at(1, 1, 1), at(3, 3, 3))), "2:1 4:1");
}

TEST(shortest_path, SharesTheVcsAmongLayers) {
    const auto net = network("ring n=6");
    const auto f = routing("shortest_path", *net, 5);
    EXPECT_EQ(f->tabular_states(), 2U);
    std::set<std::string> masks;
    for (std::uint32_t s = 0; s < 6; ++s) masks.insert(candidates_at(*f, s, header(*f, s, (s + 2) % 6)));
    EXPECT_EQ(masks, (std::set<std::string>{"0:10101", "0:1010"}));
}

TEST(shortest_path, IsFreeOfDeadlockOnRandomGraphs) {
    rng random(3, stream::test, 0);
    for (int i = 0; i < 40; ++i) {
        const auto net = test::random_graph(random);
        const auto report = check("shortest_path", *net, 16, false);
        EXPECT_EQ(report.result, verdict::acyclic) << report.text;
        const auto distance = test::distances(*net);
        every_pair(*net, *routing("shortest_path", *net, 16), 1,
                   [&](const route_header& h, std::uint32_t hops) {
                       EXPECT_EQ(hops, distance[net->router_of(node_id(h.source)).value]
                                               [net->router_of(node_id(h.destination)).value]);
                   });
    }
}

}  // namespace
}  // namespace sare::routing_direct_test
