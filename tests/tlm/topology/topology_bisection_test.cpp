// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology/topology_support.h"

#include <gtest/gtest.h>

#include <algorithm>

/// Formulas of bisections, against all halvings of small networks.
namespace sare::topology_bisection_test {
namespace {

using test::network;

/// The fewest channels cut by any halving of the nodes; as many at each router that has any.
std::uint64_t narrowest(const topology& net) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> channels;
    std::uint32_t with_nodes = 0;
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const auto to = net.peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::router) channels.emplace_back(r, to.id);
            if (to.what == port_peer::kind::node) with_nodes |= 1U << r;
        }
    std::uint64_t best = channels.size();
    for (std::uint32_t half = 0; half < 1U << net.routers(); ++half) {
        if (2 * __builtin_popcount(half & with_nodes) != __builtin_popcount(with_nodes)) continue;
        std::uint64_t cut = 0;
        for (const auto& [a, b] : channels) cut += (half >> a & 1) != (half >> b & 1);
        best = std::min(best, cut);
    }
    return best;
}

TEST(topology, HasTheBestOfAllHalvingsAsBisection) {
    for (const char* line : {"circulant n=2 steps=1",
                             "circulant n=10 steps=3",
                             "circulant n=10 steps=7 unidirectional=true",
                             "hypercube n=3",
                             "hypercube n=4",
                             "mesh dims=4,4",
                             "mesh dims=4,2",
                             "mesh dims=3,4",
                             "mesh dims=2,2,4",
                             "mesh dims=8",
                             "torus dims=4,4",
                             "torus dims=3,4",
                             "torus dims=2,4",
                             "torus dims=4,4 wrap=true,false",
                             "torus dims=4,3 wrap=false,true",
                             "torus dims=8,2 wrap=true,false",
                             "torus dims=4,4 unidirectional=true",
                             "ring n=8",
                             "ring n=2",
                             "ring n=8 unidirectional=true",
                             "star n=4",
                             "star n=6",
                             "kary_ntree k=2 n=2",
                             "kary_ntree k=2 n=3",
                             "kary_ntree k=4 n=2",
                             "thin_tree k=4 k_up=2 n=2",
                             "thin_tree k=4 k_up=3 n=2",
                             "thin_tree k=2 k_up=1 n=4",
                             "hyperx dims=4 concentration=1",
                             "hyperx dims=4,4 concentration=1",
                             "hyperx dims=5,2 concentration=1",
                             "hyperx dims=2,3,2 concentration=1",
                             "hyperx dims=3,4 concentration=1",
                             "hyperx dims=3,1,6 concentration=2",
                             "hyperx dims=3,6 concentration=1",
                             "hyperx dims=5,4 concentration=1",
                             "hyperx dims=3,3,2 concentration=1",
                             "dragonfly p=1 a=6 h=2 g=1",
                             "dragonfly p=1 a=4 h=1 g=2",
                             "dragonfly p=2 a=4 h=1 g=4",
                             "dragonfly p=1 a=5 h=1 g=4",
                             "dragonfly p=1 a=6 h=1 g=2",
                             "dragonfly p=1 a=9 h=2 g=2",
                             "tree degree=4 depth=2",
                             "xgft m=3,2 w=1,2",
                             "xgft m=2,3,2 w=1,1,2",
                             "xgft m=2,2,4 w=1,2,1"}) {
        const auto net = network(line);
        ASSERT_TRUE(net->known().bisection) << line;
        EXPECT_EQ(*net->known().bisection, narrowest(*net)) << line;
    }
    // Express links of length l cross a line's middle l times, beside one other link, in each direction.
    EXPECT_EQ(narrowest(*network("express_mesh dims=8 express=3")), 2U * (1 + 3));
    EXPECT_EQ(narrowest(*network("express_mesh dims=6,2 express=2,0")), 2U * 2 * (1 + 2));
    EXPECT_EQ(narrowest(*network("ruche dims=12 express=3 everywhere=false")), 2U * (1 + 1));
    EXPECT_EQ(narrowest(*network("fully_connected n=8 concentration=1")), 2U * 4 * 4);
    EXPECT_FALSE(network("mesh dims=3,3")->known().bisection);
    EXPECT_FALSE(network("mesh dims=5,4")->known().bisection);
    EXPECT_FALSE(network("ring n=7")->known().bisection);
    EXPECT_FALSE(network("hyperx dims=3,3")->known().bisection);
    EXPECT_FALSE(network("dragonfly p=1 a=4 h=1 g=5")->known().bisection);
    EXPECT_FALSE(network("dragonfly p=4 a=8 h=4 g=32")->known().bisection);
    EXPECT_FALSE(network("kary_ntree k=3 n=2")->known().bisection);
    EXPECT_FALSE(network("xgft m=2,2,4 w=1,2,3")->known().bisection);
}

/// Nodes that send to one router and receive from another are vertices of their own: their channels are cut,
/// too, where they are not on the side of both.
std::uint64_t narrowest_with_nodes(const topology& net) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> channels;
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const auto to = net.peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::router) channels.emplace_back(r, to.id);
        }
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        channels.emplace_back(net.routers() + n, net.router_of(node_id(n)).value);
        channels.emplace_back(net.routers() + n, net.ejection_of(node_id(n)).router.value);
    }
    std::uint64_t best = channels.size();
    for (std::uint32_t half = 0; half < 1U << (net.routers() + net.nodes()); ++half) {
        if (2 * static_cast<std::uint32_t>(__builtin_popcount(half >> net.routers())) != net.nodes())
            continue;
        std::uint64_t cut = 0;
        for (const auto& [a, b] : channels) cut += (half >> a & 1) != (half >> b & 1);
        best = std::min(best, cut);
    }
    return best;
}

TEST(topology, HasTheBestOfAllHalvingsOfOneWayStages) {
    for (const char* line : {"butterfly k=2 n=2", "butterfly k=2 n=3"}) {
        const auto net = network(line);
        ASSERT_TRUE(net->known().bisection) << line;
        EXPECT_EQ(*net->known().bisection, narrowest_with_nodes(*net)) << line;
    }
    EXPECT_EQ(network("butterfly k=4 n=3")->known().bisection, 32U);
    EXPECT_FALSE(network("butterfly k=3 n=2")->known().bisection);
    EXPECT_FALSE(network("butterfly k=2 n=1")->known().bisection);
    EXPECT_FALSE(network("omega k=2 n=3")->known().bisection);
}

}  // namespace
}  // namespace sare::topology_bisection_test
