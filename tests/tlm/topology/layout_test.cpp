// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology/topology_support.h"
#include "tlm/network/results/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

/// Pictures of networks: what every layout keeps to, and how each family looks.
namespace sare::layout_test {
namespace {

using test::network;

const char* const drawn[] = {
    "mesh dims=1",
    "mesh dims=8",
    "mesh dims=5,3",
    "mesh dims=2,3,4",
    "mesh dims=2,2,2,2,2",
    "torus dims=8,8",
    "torus dims=2,2",
    "torus dims=6,1",
    "torus dims=4,4 wrap=true,false",
    "torus dims=4,4,4",
    "torus dims=3,2,3,4",
    "torus dims=2,2,2,2,3",
    "torus dims=5,2,1 unidirectional=true concentration=2",
    "ring n=1",
    "ring n=2",
    "ring n=9 unidirectional=true",
    "hypercube n=1",
    "hypercube n=4",
    "hypercube n=9",
    "twisted_torus dims=16,8 twist=0,0;8,0",
    "twisted_torus dims=9,1 twist=0,0;4,0",
    "twisted_torus dims=4,6,3 twist=0,0,0;2,0,0;1,0,0",
    "circulant n=24 steps=3,4,10",
    "circulant n=8 steps=1,4",
    "midimew n=40",
    "triangular_torus w=8 h=8",
    "triangular_torus w=2 h=7 unidirectional=true",
    "crossbar n=9",
    "star n=1",
    "star n=3",
    "star n=20 concentration=2",
    "kary_ntree k=4 n=3",
    "thin_tree k=8 k_up=3 n=3",
    "xgft m=4,3,2 w=1,2,3",
    "tree degree=3 depth=4",
    "tree degree=5 depth=1",
    "dragonfly p=4 a=8 h=4 g=33",
    "dragonfly p=3 a=1 h=5 g=4",
    "dragonfly p=1 a=5 h=1 g=1",
    "dragonfly p=1 a=2 h=1 g=2",
    "hyperx dims=8 concentration=8",
    "hyperx dims=4,4",
    "hyperx dims=3,1,5,2 concentration=1",
    "dragonfly_plus p=4 l=4 s=4 h=4 g=17",
    "express_mesh dims=9,4 express=3",
    "slim_fly q=5 concentration=4",
    "butterfly k=2 n=4",
    "omega k=4 n=3",
    "clos m=5 n=3 r=4",
};

class every_layout : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, every_layout, testing::ValuesIn(drawn));

double apart(spot a, spot b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

std::vector<spot> spots(const topology& net) {
    std::vector<spot> all;
    for (std::uint32_t r = 0; r < net.routers(); ++r) all.push_back(net.picture()->of(router_id(r)));
    return all;
}

TEST_P(every_layout, KeepsRoutersAtLeastOneApart) {
    const auto net = network(GetParam());
    ASSERT_TRUE(net->picture());
    const auto all = spots(*net);
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) ASSERT_GE(apart(all[a], all[b]), 1 - 1e-9) << a << ' ' << b;
}

/// The boxes of two groups, or the circles about them, have nothing in common.
TEST_P(every_layout, KeepsGroupsDisjoint) {
    struct extent {
        double left = 1e9, right = -1e9, bottom = 1e9, top = -1e9, x = 0, y = 0, radius = 0;
        int count = 0;
    };
    const auto net = network(GetParam());
    const auto all = spots(*net);
    std::map<std::uint32_t, extent> groups;
    for (const spot& s : all) {
        extent& e = groups[s.group];
        e.left = std::min(e.left, s.x), e.right = std::max(e.right, s.x);
        e.bottom = std::min(e.bottom, s.y), e.top = std::max(e.top, s.y);
        e.x += s.x, e.y += s.y, ++e.count;
    }
    for (auto& [g, e] : groups) e.x /= e.count, e.y /= e.count;
    for (const spot& s : all) {
        extent& e = groups[s.group];
        e.radius = std::max(e.radius, std::hypot(s.x - e.x, s.y - e.y));
    }
    std::set<std::string> names;
    for (const auto& [g, a] : groups) {
        EXPECT_EQ(g, names.size());  // from 0 without gaps
        names.insert(net->picture()->group_name(g));
        for (const auto& [h, b] : groups) {
            if (h >= g) continue;
            const bool boxes = a.left > b.right || b.left > a.right || a.bottom > b.top || b.bottom > a.top;
            EXPECT_TRUE(boxes || std::hypot(a.x - b.x, a.y - b.y) > a.radius + b.radius) << g << ' ' << h;
        }
    }
}

/// The two directions of a link are drawn alike.
TEST_P(every_layout, PointsStubsOfALinkAwayFromEachOther) {
    const auto net = network(GetParam());
    const auto picture = net->picture();
    for (std::uint32_t r = 0; r < net->routers(); ++r)
        for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p) {
            const auto there = picture->stub(router_id(r), port_id(p));
            const port_peer to = net->peer(router_id(r), port_id(p));
            if (to.what != port_peer::kind::router) {
                EXPECT_FALSE(there);
                continue;
            }
            EXPECT_TRUE(!there || (*there >= 0 && *there < 360));
            const port_peer back = net->peer(router_id(to.id), port_id(to.port));
            // One way; or the one link of a step that leads back when taken twice.
            if (back.id != r || back.port != p || to.port == p) continue;
            const auto here = picture->stub(router_id(to.id), port_id(to.port));
            ASSERT_EQ(there.has_value(), here.has_value()) << r << '.' << p;
            if (there) {
                EXPECT_NEAR(std::fmod(*there - *here + 720, 360), 180, 1e-6) << r << '.' << p;
            }
        }
}

TEST(layout, LeadsGridLinksToTheNextPlaceOrAStub) {
    for (const char* line : {"mesh dims=5,3", "torus dims=4,4,4", "torus dims=3,2,3,4",
                             "triangular_torus w=5 h=4", "twisted_torus dims=16,8 twist=0,0;8,0"}) {
        const auto net = network(line);
        const auto all = spots(*net);
        std::uint32_t whole = 0;
        for (std::uint32_t r = 0; r < net->routers(); ++r)
            for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p) {
                const port_peer to = net->peer(router_id(r), port_id(p));
                if (to.what != port_peer::kind::router || net->picture()->stub(router_id(r), port_id(p)))
                    continue;
                ++whole;
                EXPECT_NEAR(apart(all[r], all[to.id]), 1, 1e-9) << line << ' ' << r << '.' << p;
                EXPECT_EQ(all[r].group, all[to.id].group);
            }
        EXPECT_GT(whole, net->routers()) << line;
    }
}

TEST(layout, PlacesATorus) {
    const auto net = network("torus dims=4,3,2");
    const auto picture = net->picture();
    const auto all = spots(*net);
    EXPECT_DOUBLE_EQ(all[6].x - all[0].x, 2);
    EXPECT_DOUBLE_EQ(all[6].y - all[0].y, 1);
    EXPECT_EQ(all[17].group, 1U);
    EXPECT_EQ(picture->group_name(1), "c2=1");
    EXPECT_FALSE(picture->stub(router_id(0), port_id(0)));
    EXPECT_NEAR(picture->stub(router_id(3), port_id(0)).value(), 0, 1e-9);    // round the right edge
    EXPECT_NEAR(picture->stub(router_id(0), port_id(3)).value(), 270, 1e-9);  // the lower one
    EXPECT_NEAR(picture->stub(router_id(0), port_id(4)).value(), 45, 1e-9);   // to the next plane
}

TEST(layout, PlacesTreesAndStages) {
    const auto tree = spots(*network("kary_ntree k=4 n=2"));
    EXPECT_DOUBLE_EQ(tree[1].x - tree[0].x, 1);
    EXPECT_DOUBLE_EQ(tree[1].y, tree[0].y);
    EXPECT_GT(tree[4].y, tree[0].y);
    const auto thin = spots(*network("tree degree=3 depth=2"));
    EXPECT_DOUBLE_EQ(thin[3].x, thin[1].x);  // above the middle one
    const auto fly = spots(*network("butterfly k=2 n=3"));
    EXPECT_GT(fly[4].x, fly[0].x);
    EXPECT_DOUBLE_EQ(fly[4].y, fly[0].y);
    EXPECT_DOUBLE_EQ(fly[1].y - fly[0].y, -1);
    EXPECT_EQ(network("butterfly k=2 n=3")->picture()->group_name(2), "stage 2");
}

TEST(layout, PlacesADragonfly) {
    const auto all = spots(*network("dragonfly p=2 a=4 h=2 g=9"));
    for (std::uint32_t r = 0; r < all.size(); ++r) EXPECT_EQ(all[r].group, r / 4);
    EXPECT_NEAR(apart(all[0], all[1]), 1, 1e-9);
    EXPECT_NEAR(apart(all[4], all[5]), 1, 1e-9);
    EXPECT_NEAR(apart(all[0], all[4]), apart(all[4], all[8]), 1e-9);
    EXPECT_NEAR(all[0].x, 0, 1e-9);  // outermost
}

TEST(layout, HasAllLinksWithoutARun) {
    EXPECT_FALSE(picture_of(*network("star n=4")).router_places.empty());
    const run_result result = picture_of(*network("torus dims=4,4 concentration=2"));
    EXPECT_EQ(result.topology, "torus");
    EXPECT_EQ(result.links, 64U);
    EXPECT_EQ(result.link_loads.size(), 64U + 2 * 32);
    const figure_view stubs = result.column_of(scope::link, "stub");
    std::size_t drawn_in_two = 0;
    for (std::size_t row = 0; row < stubs.size(); ++row)
        drawn_in_two += std::isnan(stubs.number(row)) ? 0 : 1;
    EXPECT_EQ(drawn_in_two, 16U);
}

}  // namespace
}  // namespace sare::layout_test
