// SPDX-License-Identifier: Apache-2.0
#include "tests/support/scrambled_torus.h"
#include "tests/support/seed.h"
#include "tests/tlm/routing/routing_support.h"
#include "tlm/fabric/parts/cut.h"
#include "tlm/fabric/parts/partition_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <numeric>
#include <set>
#include <thread>

/// How networks are cut among threads and processes.
namespace sare::test::partition_test {
namespace {

constexpr std::uint32_t counts[] = {2, 3, 4, 7, 16};

/// Of all families, and one whose routers are numbered anyhow.
std::vector<std::unique_ptr<topology>> networks() {
    std::vector<std::unique_ptr<topology>> all;
    for (const char* line : {"mesh dims=8,8",
                             "mesh dims=9,5,3 concentration=2",
                             "torus dims=6,5",
                             "torus dims=16,4,4",
                             "ring n=30",
                             "hypercube n=6",
                             "hyperx dims=4,4,4",
                             "kary_ntree k=4 n=3",
                             "xgft m=3,2,4 w=1,3,2",
                             "thin_tree k=4 k_up=2 n=3",
                             "tree degree=3 depth=4",
                             "clos m=4 n=4 r=6",
                             "dragonfly p=2 a=4 h=2 g=9",
                             "slim_fly q=5",
                             "omega k=2 n=5",
                             "butterfly k=2 n=5",
                             "star n=20",
                             "crossbar n=9",
                             "midimew n=100",
                             "circulant n=60 steps=1,8",
                             "triangular_torus w=8 h=6",
                             "twisted_torus dims=8,4 twist=0,0;4,0",
                             "torus dims=8,4 unidirectional=true"})
        all.push_back(network(line));
    all.push_back(scrambled_torus(16, 5));
    rng random(test_seed(61), stream::test, 77);
    for (int n = 0; n < 60; ++n) all.push_back(random_graph(random));
    return all;
}

router_graph graph_of(const topology& map) {
    router_graph g;
    for (std::uint32_t r = 0; r < map.routers(); ++r) g.ports.push_back(map.ports(router_id(r)));
    for (std::uint32_t n = 0; n < map.nodes(); ++n) g.host.push_back(map.router_of(node_id(n)).value);
    find_neighbours(g, [&](const auto& f) { for_each_link(map, f); });
    return g;
}

std::uint16_t part_of(const partition_map& cut, const link_end& e) {
    return (e.what == link_end::kind::nic ? cut.of_node : cut.of_router).at(e.id);
}

std::uint64_t crossing(const topology& map, const partition_map& cut) {
    std::uint64_t count = 0;
    for_each_link(map, [&](const link_end& from, const link_end& to) {
        count += part_of(cut, from) != part_of(cut, to) ? 1 : 0;
    });
    return count;
}

std::uint64_t heaviest(const topology& map, const router_parts& of_router, std::uint32_t parts) {
    std::vector<std::uint64_t> sums(parts, 0);
    for (std::uint32_t r = 0; r < map.routers(); ++r) sums.at(of_router[r]) += map.ports(router_id(r));
    return *std::max_element(sums.begin(), sums.end());
}

bool same(const partition_map& a, const partition_map& b) {
    return a.of_router == b.of_router && a.of_node == b.of_node;
}

TEST(Partition, IsBalancedAndNeverWorseThanSlabs) {
    for (const auto& map : networks()) {
        const router_graph g = graph_of(*map);
        const std::uint64_t ports = std::accumulate(g.ports.begin(), g.ports.end(), std::uint64_t{0});
        for (const std::uint32_t parts : counts) {
            SCOPED_TRACE(map->name() + " of " + std::to_string(map->routers()) + " routers in " +
                         std::to_string(parts));
            const partition_map cut = cut_map(*map, parts);
            const router_parts slabs = slab_cut(g, parts);
            ASSERT_EQ(cut.of_router.size(), map->routers());
            ASSERT_EQ(cut.of_node.size(), map->nodes());
            for (std::uint32_t n = 0; n < map->nodes(); ++n)
                ASSERT_EQ(cut.of_node[n], cut.of_router[map->router_of(node_id(n)).value]);
            const std::set<std::uint16_t> used(cut.of_router.begin(), cut.of_router.end());
            EXPECT_EQ(used.size(), std::min(parts, map->routers()));
            const std::uint64_t most = heaviest(*map, cut.of_router, parts);
            EXPECT_TRUE(most * parts * 100 <= ports * 105 || most <= heaviest(*map, slabs, parts)) << most;
            EXPECT_LE(crossing(*map, cut), crossing_links(g, slabs));
            EXPECT_EQ(crossing(*map, cut), crossing_links(g, cut.of_router));
        }
    }
}

/// From the map, and from the links of a network that is built.
TEST(Partition, IsTheSameEveryTime) {
    for (const auto& map : networks()) {
        std::vector<connection> links;
        for_each_link(*map, [&](const link_end& from, const link_end& to) {
            links.push_back({from, to, {}, {}});
        });
        for (const std::uint32_t parts : counts) {
            const partition_map cut = cut_map(*map, parts);
            EXPECT_TRUE(same(cut_map(*map, parts), cut)) << map->name();
            EXPECT_TRUE(same(cut_network(links, graph_of(*map).ports, map->nodes(), parts, map.get()), cut))
                << map->name();
        }
    }
}

TEST(Partition, IsTheSameInSeveralThreads) {
    const auto map = scrambled_torus(24, 3);
    const partition_map cut = cut_map(*map, 5);
    std::vector<partition_map> found(8);
    std::vector<std::thread> threads;
    for (partition_map& p : found) threads.emplace_back([&p, &map] { p = cut_map(*map, 5); });
    for (std::thread& t : threads) t.join();
    for (const partition_map& p : found) EXPECT_TRUE(same(p, cut));
}

/// Channels across the faces of blocks.
TEST(Partition, CutsGridsIntoBlocks) {
    const auto cut = [](const char* line, std::uint32_t parts) {
        const auto map = network(line);
        return crossing(*map, cut_map(*map, parts));
    };
    EXPECT_EQ(cut("mesh dims=32,32", 4), 2U * (32 + 32));
    EXPECT_EQ(cut("torus dims=32,32", 4), 2U * 4 * 32);
    EXPECT_EQ(cut("mesh dims=8,8,8", 8), 2U * 3 * 64);
    EXPECT_EQ(cut("torus dims=8,8,8", 8), 2U * 3 * 2 * 64);
    EXPECT_EQ(cut("torus dims=64,32,8", 4), 2U * 4 * 32 * 8);
    EXPECT_EQ(cut("mesh dims=64,2", 8), 2U * 7 * 2);
    EXPECT_EQ(cut("mesh dims=12,8", 6), 2U * (2 * 8 + 12));
    EXPECT_EQ(cut("torus dims=12,9,9", 36), 2U * (4 * 81 + 2 * 3 * 12 * 9));
    EXPECT_EQ(cut("ring n=40", 8), 2U * 8);
    EXPECT_EQ(cut("hypercube n=6", 4), 2U * 64);
}

/// What is a torus but for its numbers is cut nearly as well as one.
TEST(Partition, FollowsLinksOfIrregularNetworks) {
    const auto map = scrambled_torus(32, 9);
    const router_graph g = graph_of(*map);
    if (metis_cuts(g, 4).empty()) GTEST_SKIP() << "built without METIS";
    EXPECT_GT(crossing_links(g, slab_cut(g, 4)), 2500U);
    EXPECT_LT(crossing(*map, cut_map(*map, 4)), 2U * 4 * 32 * 5 / 4);
    const auto tree = network("kary_ntree k=8 n=3");
    const router_graph t = graph_of(*tree);
    EXPECT_LT(crossing(*tree, cut_map(*tree, 4)), crossing_links(t, slab_cut(t, 4)));
}

TEST(Partition, GivesEachSlabARouter) {
    for (const char* line : {"star n=12", "tree degree=6 depth=2", "mesh dims=5,3"}) {
        const auto map = network(line);
        const router_graph g = graph_of(*map);
        for (std::uint32_t parts = 1; parts <= map->routers() + 3; ++parts) {
            const router_parts slabs = slab_cut(g, parts);
            const std::set<std::uint16_t> used(slabs.begin(), slabs.end());
            EXPECT_EQ(used.size(), std::min(parts, map->routers())) << line << ' ' << parts;
            EXPECT_EQ(*used.rbegin(), used.size() - 1);
        }
    }
}

void never(int) {}

/// The library says nothing by itself, and leaves the handlers of signals as they were.
TEST(Partition, PrintsNothingAndKeepsSignalHandlers) {
    struct sigaction set {
    }, before{}, after{};
    set.sa_handler = never;
    set.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &set, &before);
    const std::uint64_t seed = test_seed(62);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    rng random(seed, stream::test, 78);
    for (int n = 0; n < 300; ++n) {
        const auto map = random_graph(random);
        for (std::uint32_t parts = 2; parts < 8; ++parts) cut_map(*map, parts);
    }
    const auto star = network("star n=60");
    for (std::uint32_t parts = 2; parts < 20; ++parts) cut_map(*star, parts);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    sigaction(SIGTERM, &before, &after);
    EXPECT_EQ(after.sa_handler, never);
    EXPECT_EQ(after.sa_flags & (SA_RESTART | static_cast<int>(SA_RESETHAND)), SA_RESTART);
}

TEST(Partition, HasADigestThatTellsCutsApart) {
    const auto map = network("mesh dims=5,4");
    const partition_map cut = cut_map(*map, 3);
    EXPECT_EQ(digest(cut), digest(cut_map(*map, 3)));
    EXPECT_NE(digest(cut), digest(cut_map(*map, 4)));
    for (std::uint32_t r = 0; r < map->routers(); ++r) {
        partition_map other = cut;
        other.of_router[r] = static_cast<std::uint16_t>((other.of_router[r] + 1) % 3);
        EXPECT_NE(digest(other), digest(cut)) << r;
    }
}

}  // namespace
}  // namespace sare::test::partition_test
