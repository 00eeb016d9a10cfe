// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology/topology_support.h"
#include "tlm/topology/properties.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>

#include <array>
#include <map>

/// What networks say of themselves, against Boost's graphs and searches.
namespace sare::topology_search_test {
namespace {

struct a_case {
    const char* network;
    std::uint32_t nodes, routers;
    std::uint64_t channels;  ///< between routers
};
void PrintTo(const a_case& c, std::ostream* out) {
    *out << c.network;
}

const a_case cases[] = {
    {"dragonfly p=2 a=4 h=2 g=9", 72, 36, 36 * (3 + 2)},
    {"dragonfly p=4 a=8 h=4 g=33", 1056, 264, 264 * (7 + 4)},
    {"dragonfly p=1 a=3 h=2 g=7", 21, 21, 21 * (2 + 2)},
    {"dragonfly p=1 a=3 h=3 g=5", 15, 15, 15 * 2 + 5 * 8},  // one of nine global links is unplugged
    {"dragonfly p=3 a=4 h=1 g=1", 12, 4, 4 * 3},
    {"dragonfly_plus p=2 l=3 s=2 h=2 g=5", 30, 25, 5 * 2 * 2 * 3 + 5 * 4},
    {"dragonfly_plus p=1 l=2 s=3 h=3 g=4", 8, 20, 4 * 2 * 2 * 3 + 4 * 9},
    {"dragonfly_plus p=3 l=1 s=2 h=1 g=2", 6, 6, 2 * 2 * 2 + 2 * 2},
    {"fully_connected n=7 concentration=3", 21, 7, 7 * 6},
    {"hyperx dims=4,4 concentration=2", 32, 16, 16 * 6},
    {"hyperx dims=8,8,4 concentration=4", 1024, 256, 256 * (7 + 7 + 3)},
    {"hyperx dims=3,1,5,2 concentration=1", 30, 30, 30 * (2 + 4 + 1)},
    {"slim_fly q=4 concentration=3", 96, 32, 32 * 6},
    {"slim_fly q=5 concentration=4", 200, 50, 50 * 7},
    {"slim_fly q=7 concentration=6", 588, 98, 98 * 11},
    {"slim_fly q=9 concentration=2", 324, 162, 162 * 13},
    {"tree degree=3 depth=4", 81, 40, 2 * 39},
    {"tree degree=2 depth=5", 32, 31, 2 * 30},
    {"tree degree=7 depth=2", 49, 8, 2 * 7},
    {"xgft m=4,3,2 w=1,2,3", 24, 6 + 2 * 2 + 6, 2 * (6 * 2 + 4 * 3)},
    {"xgft m=3,1,4,1 w=1,2,1,5", 12, 4 + 8 + 2 + 10, 2 * (8 + 8 + 10)},
    {"xgft m=2,2,2,2 w=1,2,3,2", 16, 8 + 8 + 12 + 12, 2 * (16 + 24 + 24)},
    {"kary_ntree k=4 n=3", 64, 48, 2 * 2 * 64},
    {"thin_tree k=4 k_up=3 n=3", 64, 16 + 12 + 9, 2 * (48 + 36)},
};

class every_count : public testing::TestWithParam<a_case> {};
INSTANTIATE_TEST_SUITE_P(, every_count, testing::ValuesIn(cases));

TEST_P(every_count, MatchesASearchByBoost) {
    using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
    const auto net = test::network(GetParam().network);
    graph links(net->routers());
    for (std::uint32_t r = 0; r < net->routers(); ++r)
        for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p)
            if (const port_peer to = net->peer(router_id(r), port_id(p)); to.what == port_peer::kind::router)
                boost::add_edge(r, to.id, links);
    std::uint32_t diameter = 0;
    double sum = 0;
    for (std::uint32_t s = 0; s < net->nodes(); ++s) {
        std::vector<std::uint32_t> distance(net->routers(), 0);
        boost::breadth_first_search(links, net->router_of(node_id(s)).value,
                                    boost::visitor(boost::make_bfs_visitor(
                                        boost::record_distances(distance.data(), boost::on_tree_edge()))));
        for (std::uint32_t d = 0; d < net->nodes(); ++d) {
            const std::uint32_t n = distance[net->router_of(node_id(d)).value];
            diameter = std::max(diameter, n);
            sum += n;
        }
    }
    const topology_properties found = measure(*net);
    EXPECT_EQ(found.nodes, GetParam().nodes);
    EXPECT_EQ(found.routers, GetParam().routers);
    EXPECT_EQ(found.channels, GetParam().channels);
    EXPECT_EQ(found.channels, boost::num_edges(links));
    EXPECT_EQ(found.diameter, diameter);
    EXPECT_NEAR(found.mean_distance, sum / net->nodes() / net->nodes(), 1e-9);
}

TEST(Dragonfly, LaysGlobalLinksConsecutively) {
    const auto net = test::network("dragonfly p=2 a=4 h=2 g=9 global_link_latency=7 link_latency=2");
    for (std::uint32_t i = 0; i < 9; ++i)
        for (std::uint32_t l = 0; l < 8; ++l) {
            const auto to = net->peer(router_id(i * 4 + l / 2), port_id(3 + l % 2));
            EXPECT_EQ(to.id / 4, l < i ? l : l + 1);
            EXPECT_GE(to.port, 3U);
            EXPECT_EQ(net->link(router_id(i * 4 + l / 2), port_id(3 + l % 2)).latency, 7U);
        }
    EXPECT_EQ(net->link(router_id(5), port_id(2)).latency, 2U);
    EXPECT_EQ(net->link(router_id(5), port_id(5)).latency, 1U);
    EXPECT_EQ(measure(*net).radix, 7U);
}

/// With a h + 1 groups each two have one link, and a way has one of these at most between two within groups.
TEST(Dragonfly, MatchesClosedForms) {
    for (const auto& [p, a, h] :
         {std::array<std::uint32_t, 3>{1, 2, 1}, {2, 4, 2}, {3, 6, 3}, {4, 8, 4}, {2, 5, 1}, {1, 3, 4}}) {
        const std::uint32_t g = a * h + 1;
        const auto net = test::network("dragonfly p=" + std::to_string(p) + " a=" + std::to_string(a) +
                                       " h=" + std::to_string(h) + " g=" + std::to_string(g));
        const topology_properties found = measure(*net);
        EXPECT_EQ(found.routers, a * g);
        EXPECT_EQ(found.nodes, a * p * g);
        EXPECT_EQ(found.channels, a * g * (a - 1 + h));
        EXPECT_EQ(found.links, a * p * g + g * a * (a - 1) / 2 + g * (g - 1) / 2);
        EXPECT_EQ(found.radix, p + a - 1 + h);
        EXPECT_EQ(found.degrees, (std::map<std::uint32_t, std::uint32_t>{{a - 1 + h, a * g}}));
        EXPECT_EQ(found.diameter, 3U);
    }
}

/// k' to k is how the switches of a level are to those below: k^(n-1) + k^(n-2) k' + ... + k'^(n-1) of them.
TEST(ThinTrees, MatchClosedForms) {
    const std::map<std::uint32_t, std::vector<std::uint32_t>> switches = {
        {2, {9, 10, 11, 12, 13, 14, 15, 16}},
        {3, {73, 84, 97, 112, 129, 148, 169, 192}},
        {4, {585, 680, 803, 960, 1157, 1400, 1695, 2048}}};
    for (const auto& [n, of_n] : switches)
        for (std::uint32_t up = 1; up <= 8; ++up) {
            const topology_properties found = measure(
                *test::network("thin_tree k=8 k_up=" + std::to_string(up) + " n=" + std::to_string(n)));
            EXPECT_EQ(found.nodes, 1U << 3 * n);
            EXPECT_EQ(found.routers, of_n[up - 1]);
            EXPECT_EQ(found.links, found.routers * 8);
            EXPECT_EQ(found.radix, 8 + up);
        }
}

/// Each two groups have as many links as all have.
TEST(Dragonfly, HasSeveralLinksBetweenFewerGroups) {
    for (std::uint32_t g = 2; g <= 13; ++g) {
        const auto net = test::network("dragonfly p=1 a=4 h=3 g=" + std::to_string(g));
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> links;
        for (std::uint32_t r = 0; r < net->routers(); ++r)
            for (std::uint32_t p = 3; p < 6; ++p)
                if (const auto to = net->peer(router_id(r), port_id(p)); to.what != port_peer::kind::none)
                    ++links[{r / 4, to.id / 4}];
        EXPECT_EQ(links.size(), g * (g - 1));
        for (const auto& [groups, count] : links) EXPECT_EQ(count, 12 / (g - 1));
    }
}

}  // namespace
}  // namespace sare::topology_search_test
