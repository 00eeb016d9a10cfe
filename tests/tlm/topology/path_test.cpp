// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology/topology_support.h"
#include "tlm/topology/changed_links.h"
#include "tlm/topology/graph/graph.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/path_search.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

/// Shortest paths, by formula and by search, against Boost's.
namespace sare::path_test {
namespace {

using test::network;

using cost = std::uint64_t;  // links, and below 2^32 their cycles
using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, cost>>;

cost cost_of(std::uint32_t links, std::uint64_t cycles) {
    return (cost{links} << 32) + cycles;
}

graph graph_of(const topology& net) {
    graph g(net.routers());
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p)
            if (const port_peer to = net.peer(router_id(r), port_id(p)); to.what == port_peer::kind::router)
                boost::add_edge(r, to.id, cost_of(1, net.link(router_id(r), port_id(p)).latency), g);
    return g;
}

std::vector<cost> ways_from(const graph& g, std::uint32_t from) {
    std::vector<cost> all(boost::num_vertices(g));
    boost::dijkstra_shortest_paths(g, from, boost::distance_map(all.data()));
    return all;
}

class every_path : public testing::TestWithParam<const char*> {};

const char* const networks[] = {
    "mesh dims=5,3 link_latency=3",
    "mesh dims=4,1,3 concentration=2",
    "torus dims=5,4 link_latency=2",
    "torus dims=2,6,3 wrap=true,false,true",
    "torus dims=4,5 unidirectional=true",
    "ring n=9",
    "ring n=8 unidirectional=true",
    "hypercube n=4",
    "star n=5 concentration=2 link_latency=4",
    "crossbar n=6",
    "tree degree=3 depth=3 link_latency=2",
    "kary_ntree k=3 n=3",
    "thin_tree k=4 k_up=3 n=3",
    "xgft m=3,2,4 w=1,2,3",
    "butterfly k=3 n=3",
    "omega k=2 n=4",
    "clos m=3 n=2 r=4 link_latency=5",
    "hyperx dims=4,3,2",
    "dragonfly_plus p=1 l=3 s=2 h=2 g=5",
    "express_mesh dims=7,4 express=3,2",
    "pt2pt n=6",
    "slim_fly q=5 concentration=1",
    "slim_fly q=4 concentration=1",
    "slim_fly q=7 concentration=1",
    "circulant n=17 steps=3,5",
    "circulant n=16 steps=1,8,3 link_latency=2",
    "circulant n=14 steps=2,5 unidirectional=true",
    "midimew n=23",
    "triangular_torus w=6 h=4",
    "triangular_torus w=5 h=5 unidirectional=true",
    "twisted_torus dims=8,4 twist=0,0;4,0",
    "twisted_torus dims=5,4 twist=0,0;3,0 link_latency=3",
    "twisted_torus dims=4,4 degree=1 jump=1,2",
    "twisted_torus dims=4,6,3 degree=2 jump=0,3,2",
    "twisted_torus dims=4,3,5 twist=0,0,0;1,0,2;0,0,0",
    "twisted_torus dims=5,4 twist=0,2;0,0 unidirectional=true",
    "twisted_torus dims=9,1 twist=0,0;4,0",
};
INSTANTIATE_TEST_SUITE_P(, every_path, testing::ValuesIn(networks));

/// Where nodes send from and where they are served: that is what formulas are for.
TEST_P(every_path, IsAShortestOne) {
    const auto net = network(GetParam());
    const graph g = graph_of(*net);
    std::vector<bool> tried(net->routers(), false);
    for (std::uint32_t a = 0; a < net->nodes(); ++a) {
        const router_id from = net->router_of(node_id(a));
        if (tried[from.value]) continue;
        tried[from.value] = true;
        const std::vector<cost> all = ways_from(g, from.value);
        for (std::uint32_t b = 0; b < net->nodes(); ++b) {
            const router_id to = net->ejection_of(node_id(b)).router;
            path_cost sum;
            net->add_path(from, to, sum);
            ASSERT_EQ(cost_of(sum.links, sum.cycles), all[to.value]) << a << " to " << b;
        }
    }
}

/// Between any routers, as gateways of hierarchies need it.
TEST(Path, LeadsFromAnySwitchOfATreeToAnyOther) {
    for (const char* line : {"tree degree=3 depth=3", "thin_tree k=3 k_up=2 n=3", "xgft m=2,3,2 w=1,2,3"}) {
        const auto net = network(line);
        const graph g = graph_of(*net);
        for (std::uint32_t a = 0; a < net->routers(); ++a) {
            const std::vector<cost> all = ways_from(g, a);
            for (std::uint32_t b = 0; b < net->routers(); ++b)
                ASSERT_EQ(net->distance(router_id(a), router_id(b)), all[b] >> 32) << line;
        }
    }
}

struct dragonfly_case {
    const char* network;
    std::uint32_t routers;  ///< of a group
};

/// One global link between groups, though two may be shorter: as minimal routing has it.
TEST(Path, HasOneGlobalLinkInADragonfly) {
    for (const auto& [line, size] : {dragonfly_case{"dragonfly p=2 a=4 h=2 g=9", 4},
                                     {"dragonfly p=1 a=3 h=3 g=5", 3},
                                     {"dragonfly p=3 a=4 h=1 g=1", 4}}) {
        const auto net = network(std::string(line) + " link_latency=3 global_link_latency=40");
        // The fewest local links of paths by a global link, by all there are.
        const auto fewest = [&net = *net, size = size](std::uint32_t from, std::uint32_t to) {
            std::uint32_t local = 99;
            const std::uint32_t first = from - from % size;
            for (std::uint32_t r = first; r < first + size; ++r)
                for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
                    const port_peer far = net.peer(router_id(r), port_id(p));
                    if (far.what != port_peer::kind::router || far.id / size != to / size) continue;
                    local = std::min<std::uint32_t>(local, (r != from) + (far.id != to));
                }
            return local;
        };
        for (std::uint32_t a = 0; a < net->routers(); ++a)
            for (std::uint32_t b = 0; b < net->routers(); ++b) {
                const bool apart = a / size != b / size;
                const std::uint32_t local = apart ? fewest(a, b) : a == b ? 0 : 1;
                path_cost sum;
                net->add_path(router_id(a), router_id(b), sum);
                ASSERT_EQ(sum.links, local + apart) << line << ": " << a << " to " << b;
                ASSERT_EQ(sum.cycles, local * 3 + apart * 40);
            }
    }
}

/// Of as many links as few, the fastest, and then the widest: a grid of 2 by 2 has two paths to the far
/// corner.
TEST(Path, IsTheFastestThenTheWidest) {
    std::istringstream slower(
        "sare-graph 1\nlink 0 1 5\nlink 1 3 5\nlink 0 2 4\nlink 2 3 5\nnode 0 0\nnode 1 3\n");
    path_cost fast;
    read_graph(slower, "a", {})->add_path(router_id(0), router_id(3), fast);
    EXPECT_EQ(fast.cycles, 9U);
    std::istringstream narrow(
        "sare-graph 1\nlink 0 1 5 3\nlink 1 3 5\nlink 0 2 5 2\nlink 2 3 5\nnode 0 0\nnode 1 3\n");
    path_cost wide;
    read_graph(narrow, "b", {})->add_path(router_id(0), router_id(3), wide);
    EXPECT_EQ(wide.cycles, 10U);
    EXPECT_EQ(wide.cycles_per_flit, 2U);
}

TEST(Path, KeepsSearchesWhileThereIsRoom) {
    const auto net = network("mesh dims=2,2");
    for (const std::size_t room : {1U, 8U}) {
        path_search search(*net, room);
        EXPECT_EQ(search.path(router_id(0), router_id(3)).links, 2U);
        EXPECT_EQ(search.path(router_id(0), router_id(1)).links, 1U);
        EXPECT_EQ(search.searches(), 1U);
        EXPECT_EQ(search.path(router_id(1), router_id(0)).links, 1U);
        EXPECT_EQ(search.path(router_id(0), router_id(3)).links, 2U);
        EXPECT_EQ(search.searches(), room == 1 ? 3U : 2U);
    }
}

/// A changed link between routers ends the formula; one of a node does not.
TEST(Path, SeesLinksThatWereChanged) {
    const auto entry = [](const char* key, const char* who, const char* latency) {
        return config::value::list({config::value::map(
            {{key, test::list_or_scalar(who, ",", {})}, {"latency", config::value::scalar(latency)}})});
    };
    const auto sum_of = [](const topology& net) { return path_between(net, node_id(0), node_id(8)); };
    const auto slow = with_changed_links(network("mesh dims=3,3"), entry("between", "0,1", "9"));
    EXPECT_EQ(sum_of(*slow).cycles, 6U);  // the other way round
    const auto all = with_changed_links(network("mesh dims=9,1"), entry("between", "3,4", "9"));
    EXPECT_EQ(sum_of(*all).cycles, 10U + 8);
    const auto node = with_changed_links(network("mesh dims=9,1"), entry("node", "8", "9"));
    EXPECT_EQ(sum_of(*node).cycles, 10U + 8);
}

/// Seconds and bits a second, beside cycles.
TEST(Path, AddsUpSecondsWhereLinksHaveThem) {
    const auto sum = [](const std::string& line, std::uint32_t a, std::uint32_t b) {
        return path_between(*network(line), node_id(a), node_id(b));
    };
    const path_cost mesh = sum("mesh dims=8,8 latency=7e-6 bandwidth=8.8e9", 0, 63);
    EXPECT_EQ(mesh.links, 14U + 2);
    EXPECT_EQ(mesh.picoseconds, 14 * 7'000'000U);
    EXPECT_EQ(mesh.cycles, 0U);
    EXPECT_EQ(mesh.decibits_per_second, 88'000'000'000U);
    EXPECT_EQ(mesh.cycles_per_flit, 0U);
    for (const auto& [bandwidth, tenths] : {std::pair<const char*, std::uint64_t>{"0.1", 1},
                                            {"1.4", 14},
                                            {"1e18", 10'000'000'000'000'000'000U}})
        EXPECT_EQ(sum(std::string("star n=9 bandwidth=") + bandwidth, 0, 5).decibits_per_second, tenths);
    EXPECT_EQ(sum("star n=9 latency=25e-6", 0, 5).picoseconds, 50'000'000U);
    EXPECT_EQ(sum("mesh dims=4,4 latency=1e-9 node_latency=3e-9", 0, 1).picoseconds, 7000U);
    // Nodes of trees and switches are not at routers: their links are as long as the others.
    EXPECT_EQ(sum("tree degree=2 depth=3 latency=1e-9", 0, 1).picoseconds, 2000U);
    EXPECT_EQ(sum("tree degree=2 depth=3 latency=1e-9", 0, 7).picoseconds, 6000U);
    EXPECT_EQ(sum("crossbar n=4 latency=1e-9", 0, 1).picoseconds, 2000U);
    EXPECT_EQ(sum("butterfly k=2 n=3 latency=1e-9", 0, 1).picoseconds, 4000U);
    const path_cost far = sum("dragonfly p=1 a=2 h=1 g=3 latency=1e-9 global_latency=1e-6", 0, 5);
    EXPECT_EQ(far.picoseconds % 1'000'000, (far.links - 3) * 1000U);
    EXPECT_EQ(far.picoseconds / 1'000'000, 1U);
}

}  // namespace
}  // namespace sare::path_test
