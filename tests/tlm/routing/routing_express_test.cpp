// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tests/tlm/routing/routing_mutants.h"
#include "tlm/routing/load/channel_bound.h"
#include "tlm/topology/dragonfly/dragonfly_plus.h"

#include <gtest/gtest.h>

/// Meshes with express links and the Dragonfly+: lengths of paths, freedom from deadlock, throughput.
namespace sare::test::routing_express_test {
namespace {

using verdict = deadlock_report::verdict;

/// Load at which the busiest channel is full, where each node sends to `to(node)`.
template <class To>
double bound(const topology& net, const char* function, To to) {
    const auto f = test::routing(function, net, 2);
    channel_question q;
    q.network = &net;
    q.routing = f.get();
    q.vcs = 2;
    q.demands = [&](std::uint32_t s, std::vector<node_demand>& out) { to(s, out); };
    return find_channel_bound(q).load;
}

/// Fewest links of a row from router `from` to router `to` that all lead nearer and not beyond.
std::uint32_t hops_along(const topology& row, std::uint32_t from, std::uint32_t to) {
    std::uint32_t fewest = from == to ? 0 : row.routers();
    for (std::uint32_t p = 0; from != to && p < row.ports(router_id(from)); ++p) {
        const port_peer peer = row.peer(router_id(from), port_id(p));
        const std::uint32_t next = peer.id;
        const bool is_nearer = from < to ? from < next && next <= to : to <= next && next < from;
        if (peer.what == port_peer::kind::router && is_nearer)
            fewest = std::min(fewest, 1 + hops_along(row, next, to));
    }
    return fewest;
}

TEST(ExpressMesh, TakesShortestWaysThatDoNotTurnBack) {
    const char* const lines[][3] = {
        {"express_mesh dims=11,4 express=3", "express_mesh dims=11 express=3",
         "express_mesh dims=4 express=3"},
        {"ruche dims=9,5 express=2,0", "ruche dims=9 express=2", "ruche dims=5 express=0"},
        {"express_mesh dims=13,3 express=4,2 everywhere=false",
         "express_mesh dims=13 express=4 everywhere=false",
         "express_mesh dims=3 express=2 everywhere=false"}};
    for (const auto& [line, x, y] : lines) {
        const auto net = test::network(line), row = test::network(x), column = test::network(y);
        const std::uint32_t k = row->routers();
        every_path(*net, *test::routing("express_dor", *net, 1), [&](const auto& way, const auto&) {
            const std::uint32_t a = way.front(), b = way.back();
            EXPECT_EQ(way.size() - 1, hops_along(*row, a % k, b % k) + hops_along(*column, a / k, b / k))
                << line << ": " << a << " to " << b;
        });
    }
}

/// The middle of a row of k routers is crossed by l express links and one other each way. All of the lower
/// half send to the upper half, k / 2 routers further: 1 / l of them could use each express link alone.
TEST(ExpressMesh, CarriesMoreThanAMesh) {
    const auto half = [](std::uint32_t s, std::vector<node_demand>& out) {
        out.push_back({(s + 6) % 12, 1});
    };
    EXPECT_DOUBLE_EQ(bound(*test::network("mesh dims=12"), "dor", half), 1.0 / 6);
    EXPECT_DOUBLE_EQ(bound(*test::network("express_mesh dims=12 express=3"), "express_dor", half), 1.0 / 2);
    EXPECT_DOUBLE_EQ(bound(*test::network("express_mesh dims=12 express=6"), "express_dor", half), 1.0);
}

/// Random networks and pairs: dependencies never close a cycle on one VC, and express links are used.
TEST(ExpressMesh, IsFreeOfDeadlockOnRandomNetworks) {
    for (std::uint32_t k = 0; k < 20; ++k) {
        rng random(k, stream::test, 0);
        std::string dims, express;
        for (std::uint32_t d = 0, count = 1 + random.below(3); d < count; ++d) {
            dims += (d ? "," : "") + std::to_string(1 + random.below(count == 3 ? 4 : 8));
            const std::uint32_t length = random.below(5);
            express += (d ? "," : "") + std::to_string(length == 1 ? 0 : length);
        }
        const std::string line = "express_mesh dims=" + dims + " express=" + express +
                                 (random.bernoulli(0.5) ? " everywhere=false" : "");
        const auto net = test::network(line);
        const auto report = test::check("express_dor", *net, 1, false);
        EXPECT_EQ(report.result, verdict::acyclic) << line << ": " << report.text;
    }
}

const char* const groups[] = {"dragonfly_plus p=2 l=3 s=2 h=2 g=5", "dragonfly_plus p=1 l=2 s=3 h=3 g=4",
                              "dragonfly_plus p=1 l=3 s=3 h=3 g=5", "dragonfly_plus p=2 l=2 s=2 h=1 g=2"};

TEST(DragonflyPlus, TakesThreeHopsOrSixAtMost) {
    for (const char* line : groups) {
        const auto net = test::network(line);
        const auto& shape = dynamic_cast<const dragonfly_plus_shape&>(*net->shape());
        const auto length = [&](std::uint32_t a, std::uint32_t b) {
            return a == b ? 0U : a / shape.routers() == b / shape.routers() ? 2U : 3U;
        };
        every_path(*net, *test::routing("dragonfly_plus_minimal", *net, 1),
                   [&](const auto& way, const auto&) {
                       EXPECT_EQ(way.size() - 1, length(way.front(), way.back())) << line;
                   });
        std::uint32_t most = 0;
        every_path(*net, *test::routing("dragonfly_plus_valiant", *net, 2),
                   [&](const auto& way, const auto&) {
                       const auto links = static_cast<std::uint32_t>(way.size() - 1);
                       const std::uint32_t least = length(way.front(), way.back());
                       EXPECT_TRUE(links == least || (least == 3 && (links == 4 || links == 6)))
                           << line << ' ' << links;
                       most = std::max(most, links);
                   });
        const bool meets_all = shape.spines.h % (shape.spines.g - 1) == 0;  // each spine, all groups
        EXPECT_EQ(most, shape.spines.g == 2 ? 3U : meets_all ? 4U : 6U) << line;
    }
}

TEST(DragonflyPlus, NeedsItsTwoClassesForDetoursOnly) {
    for (const char* line : groups) {
        const auto net = test::network(line);
        EXPECT_EQ(test::check("dragonfly_plus_minimal", *net, 1, false).result, verdict::acyclic) << line;
        for (const std::uint32_t vcs : {2U, 5U})
            EXPECT_EQ(test::check("dragonfly_plus_valiant", *net, vcs, false).result, verdict::acyclic)
                << line;
    }
    EXPECT_EQ(check_on_one_vc("dragonfly_plus_valiant", *test::network(groups[0]), 2).result, verdict::cycle);
}

/// All l p = 6 nodes of a group send to the next one. Minimal paths share its one link to that group; through
/// the g - 2 = 3 others each link carries what its own group sends and what comes through: 2 x 6 / 3.
TEST(DragonflyPlus, CarriesMoreOnDetoursUnderTheAdversarialPattern) {
    const auto net = test::network(groups[0]);
    const auto next = [](std::uint32_t s, std::vector<node_demand>& out) {
        for (std::uint32_t k = 0; k < 6; ++k) out.push_back({(s / 6 + 1) % 5 * 6 + k, 1.0 / 6});
    };
    EXPECT_NEAR(bound(*net, "dragonfly_plus_minimal", next), 1.0 / 6, 1e-12);
    EXPECT_NEAR(bound(*net, "dragonfly_plus_valiant", next), 3.0 / 12, 1e-12);
}

}  // namespace
}  // namespace sare::test::routing_express_test
