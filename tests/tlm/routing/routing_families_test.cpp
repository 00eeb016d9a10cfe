// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing/routing_support.h"
#include "tlm/topology/tree/fat_tree.h"

#include <gtest/gtest.h>

#include <map>

/// Routing on twisted tori and on trees.
namespace sare::routing_families_test {
namespace {

using test::candidates_at;
using test::header;
using test::network;
using test::routing;

TEST(twisted_minimal, DrawsAmongShortestRoutesInDimensionOrder) {
    // From (0, 0) of a rectangular one: (4, 0) by four hops along X, either way, or four along Y, either way.
    const auto net = network("twisted_torus dims=8,4 twist=0,0;4,0");
    const auto f = routing("twisted_minimal dateline=none", *net, 1);
    std::set<std::string> ways;
    rng random(1, stream::test, 0);
    for (int i = 0; i < 200; ++i) {
        route_header h;
        h.source = 0;
        h.destination = 4;
        f->begin(h, random);
        ways.insert(candidates_at(*f, 0, h));
    }
    EXPECT_EQ(ways, (std::set<std::string>{"0:1", "1:1", "2:1", "3:1"}));
    EXPECT_FALSE(f->deterministic());
    const auto fixed = routing("twisted_minimal dateline=none random_ties=false", *net, 1);
    EXPECT_TRUE(fixed->deterministic());
    std::vector<route_header> all;
    fixed->every_header(header(*fixed, 0, 4), all);
    EXPECT_EQ(all.size(), 1U);
    // To (6, 3): -1 along Y crosses the wrap link and moves by -4, to (4, 3); so X first, +2.
    EXPECT_EQ(candidates_at(*f, 0, header(*f, 0, 30)), "0:1");
    EXPECT_EQ(candidates_at(*f, 2, header(*f, 0, 30)), "3:1");
}

TEST(twisted_minimal, HasADatelineForEachRing) {
    // The rings along Y have 8 routers: (0, 0-3), then (4, 0-3). Their datelines are before (0, 0).
    const auto net = network("twisted_torus dims=8,4 twist=0,0;4,0");
    const auto f = routing("twisted_minimal random_ties=false", *net, 2);
    const auto way = [&](std::uint32_t s, std::uint32_t d, std::uint32_t r) {
        return candidates_at(*f, r, header(*f, s, d));
    };
    EXPECT_EQ(way(24, 12, 24), "2:1");  // (0, 3) to (4, 1): over the wrap link of Y, not the dateline
    EXPECT_EQ(way(24, 12, 4), "2:1");
    EXPECT_EQ(way(28, 8, 28), "2:10");  // (4, 3) to (0, 1): on the dateline, and after it
    EXPECT_EQ(way(28, 8, 0), "2:10");
    EXPECT_EQ(way(8, 28, 8), "3:1");  // and back
    EXPECT_EQ(way(8, 28, 0), "3:10");
}

TEST(tree, GoesUpByDigitsAndDown) {
    const auto net = network("thin_tree k=4 k_up=3 n=3");  // 16 switches of level 0, 12 of level 1
    const auto s = routing("tree_static", *net, 2);
    // Node 27 = (1, 2, 3): up by 27 mod 3, then by 27 / 4 mod 3, both 0; 26: by 2, 0; 7: by 1, 1.
    EXPECT_EQ(candidates_at(*s, 6, header(*s, 27, 63)), "4:11");
    EXPECT_EQ(candidates_at(*s, 6, header(*s, 26, 63)), "6:11");
    EXPECT_EQ(candidates_at(*s, 1, header(*s, 7, 63)), "5:11");
    EXPECT_EQ(candidates_at(*s, 16 + 1, header(*s, 7, 63)), "5:1");
    const auto d = routing("tree_static by=destination", *net, 2);
    EXPECT_EQ(candidates_at(*d, 6, header(*d, 26, 7)), "5:11");
    EXPECT_EQ(candidates_at(*d, 16 + 3 + 1, header(*d, 26, 7)), "5:1");
    // Down: the top switch's port 1 to nodes 16-31, then port 2 to 24-27, then port 3.
    EXPECT_EQ(candidates_at(*s, 28, header(*s, 0, 27)), "1:1");
    EXPECT_EQ(candidates_at(*s, 19, header(*s, 0, 27)), "2:1");
    EXPECT_EQ(candidates_at(*s, 6, header(*s, 0, 27)), "3:11");
    const auto a = routing("tree_adaptive", *net, 2);
    EXPECT_EQ(candidates_at(*a, 6, header(*a, 26, 7)), "4:11 5:11 6:11");
    EXPECT_EQ(candidates_at(*a, 19, header(*a, 26, 7)), "4:11 5:11 6:11");
    EXPECT_EQ(candidates_at(*a, 19, header(*a, 26, 16)), "0:11");
}

TEST(tree, KeepsTheVcFromTheFirstRouterOn) {
    const auto net = network("kary_ntree k=2 n=3");  // switches 0-3 have nodes; ports 2 and 3 lead up
    const auto ways = [&](const char* line, std::uint32_t r, std::uint32_t in, std::uint32_t vc) {
        const auto f = routing(line, *net, 3);
        auto h = header(*f, 1, 6);
        h.vc_base = 3;
        route_set out;
        f->route(r, in, 3 + vc, h, out);
        return std::pair<int, int>(out.candidates[0].port, out.candidates[0].vcs);
    };
    using way = std::pair<int, int>;
    for (const char* line : {"tree_static", "tree_adaptive keep_vc=true"}) {
        EXPECT_EQ(ways(line, 0, 1, 2).second, 7);  // from the node
        EXPECT_EQ(ways(line, 4, 0, 2).second, 4);
        EXPECT_EQ(ways(line, 4, 0, 1).second, 2);
        EXPECT_EQ(ways(line, 3, 2, 1), way(0, 7));  // to the node
    }
    EXPECT_EQ(ways("tree_adaptive", 4, 0, 1).second, 7);
    EXPECT_EQ(ways("tree_static keep_vc=false", 4, 0, 1).second, 7);
    EXPECT_EQ(ways("tree_static spread_vcs=true", 0, 1, 0), way(3, 1));
    EXPECT_EQ(ways("tree_static spread_vcs=true", 0, 1, 1), way(2, 2));
    EXPECT_EQ(ways("tree_static spread_vcs=true", 0, 1, 2), way(3, 4));
    EXPECT_EQ(ways("tree_static spread_vcs=true", 4, 0, 1), way(3, 2));
}

TEST(tree, UsesUpPortsAlike) {
    for (const char* line : {"kary_ntree k=4 n=3", "thin_tree k=4 k_up=2 n=3", "thin_tree k=6 k_up=3 n=3",
                             "xgft m=4,4,4 w=1,2,4"}) {
        const auto net = network(line);
        for (const char* function : {"tree_static", "tree_static by=destination"}) {
            const auto f = routing(function, *net, 1);
            std::map<std::pair<std::uint32_t, std::uint32_t>, int> used;  // up ports of switches
            const auto* shape = dynamic_cast<const tree_shape*>(net->shape());
            for (std::uint32_t s = 0; s < net->nodes(); ++s)
                for (std::uint32_t d = 0; d < net->nodes(); ++d) {
                    auto h = header(*f, s, d);
                    std::uint32_t r = net->router_of(node_id(s)).value, in = s % shape->down[0];
                    for (;;) {
                        route_set out;
                        f->route(r, in, 0, h, out);
                        if (out.candidates[0].port < shape->down[0]) break;
                        ++used[{r, out.candidates[0].port}];
                        const auto to = net->peer(router_id(r), port_id(out.candidates[0].port));
                        r = to.id;
                        in = to.port;
                    }
                }
            std::map<std::uint32_t, std::set<int>> loads;  // by level
            const std::uint32_t lowest = net->nodes() / shape->down[0];
            for (const auto& [port, packets] : used) loads[port.first < lowest ? 0 : 1].insert(packets);
            EXPECT_EQ(loads.size(), 2U);
            for (const auto& [level, different] : loads)
                EXPECT_EQ(different.size(), 1U) << function << " on " << line << ", level " << level;
        }
    }
}

/// Dally and Seitz' rule is decided at every router: behind the wrap link a packet is of those that do not
/// cross.
TEST(dateline, EndsBehindTheWrapLinkIfAhead) {
    const auto net = network("ring n=8"), one_way = network("ring n=9 unidirectional=true");
    const auto ahead = routing("dor dateline=ahead", *net, 5),
               improved = routing("dor dateline=improved_ahead", *net, 5),
               round = routing("dor dateline=ahead", *one_way, 2);
    const auto at = [](const auto& f, std::uint32_t s, std::uint32_t d, std::uint32_t r) {
        return candidates_at(*f, r, header(*f, s, d));
    };
    EXPECT_EQ(at(ahead, 6, 1, 7), "0:11000");
    EXPECT_EQ(at(ahead, 6, 1, 0), "0:111");
    EXPECT_EQ(at(ahead, 1, 6, 0), "1:11000");
    EXPECT_EQ(at(ahead, 1, 6, 7), "1:111");
    EXPECT_EQ(at(improved, 6, 1, 7), "0:11000!");
    EXPECT_EQ(at(improved, 6, 1, 0), "0:11000 0:111!");
    EXPECT_EQ(at(round, 4, 3, 4), "0:10");
    EXPECT_EQ(at(round, 4, 3, 1), "0:1");
    // So long a way stays the same: 4 to 8, the wrap link from there; then 0 to 2.
    for (const auto& [from, more] : {std::pair{4U, 4U}, {8U, 0U}, {0U, 2U}}) {
        route_set ways;
        route_header h = header(*round, from, 3);
        round->route(from, 0, 0, h, ways);
        EXPECT_EQ(ways.repeats, more) << from;
    }
}

}  // namespace
}  // namespace sare::routing_families_test
