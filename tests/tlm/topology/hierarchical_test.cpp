// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/composite/hierarchical.h"
#include "tests/tlm/topology/topology_support.h"
#include "tlm/topology/export.h"
#include "tlm/topology/graph/graph.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/properties.h"

#include <gtest/gtest.h>

#include <cmath>

/// Networks of networks.
namespace sare::test::hierarchical_test {
namespace {

std::uint64_t picoseconds(const topology& net, std::uint32_t from, std::uint32_t to) {
    return path_between(net, node_id(from), node_id(to)).picoseconds;
}

TEST(Hierarchy, NumbersOuterRoutersFirstAndNodesByInnerNetwork) {
    const auto net = hierarchy({"ring n=3", "mesh dims=2,2 gateway=1"});
    EXPECT_EQ(net->name(), "hierarchical");
    EXPECT_EQ(net->nodes(), 12U);
    EXPECT_EQ(net->routers(), 3U + 12);
    EXPECT_EQ(net->router_of(node_id(6)).value, 3U + 6);
    EXPECT_EQ(net->port_of(node_id(6)).value, 4U);
    EXPECT_EQ(net->ports(router_id(0)), 3U);
    EXPECT_EQ(net->ports(router_id(3)), 5U);
    EXPECT_EQ(net->ports(router_id(4)), 6U);  // a gateway
    const port_peer down = net->peer(router_id(2), port_id(2)), up = net->peer(router_id(12), port_id(5));
    EXPECT_EQ(down.what, port_peer::kind::router);
    EXPECT_EQ(down.id, 12U);
    EXPECT_EQ(down.port, 5U);
    EXPECT_EQ(up.what, port_peer::kind::router);
    EXPECT_EQ(up.id, 2U);
    EXPECT_EQ(up.port, 2U);
    const auto* shape = dynamic_cast<const hierarchy_shape*>(net->shape());
    ASSERT_NE(shape, nullptr);
    EXPECT_EQ(shape->router(2, shape->gateways.at(0)), 12U);
    EXPECT_EQ(shape->copy_of(12), 2U);
    EXPECT_EQ(shape->place_of(12), 1U);
}

/// Every link has its other end; every path is one of those that a search finds in the whole.
void expect_consistent(const topology& net) {
    ASSERT_FALSE(find_unreachable(net).has_value());
    std::ostringstream text;
    write_edge_list(net, text);
    std::istringstream in(text.str());
    const auto same = read_graph(in, "list", {});
    expect_equal(net, *same);
    for (std::uint32_t a = 0; a < net.nodes(); ++a)
        for (std::uint32_t b = 0; b < net.nodes(); ++b) {
            const path_cost by_levels = path_between(net, node_id(a), node_id(b)),
                            by_search = path_between(*same, node_id(a), node_id(b));
            ASSERT_EQ(by_levels.links, by_search.links) << a << " to " << b;
            ASSERT_EQ(by_levels.cycles, by_search.cycles) << a << " to " << b;
            ASSERT_EQ(by_levels.cycles_per_flit, by_search.cycles_per_flit) << a << " to " << b;
        }
}

TEST(Hierarchy, HasThePathsOfTheWholeNetwork) {
    expect_consistent(
        *hierarchy({"torus dims=3,2 link_latency=9 node_link_latency=4", "star n=3 link_latency=2"}));
    expect_consistent(
        *hierarchy({"star n=3 concentration=2", "mesh dims=3,2 gateway=4 link_cycles_per_flit=3"}));
    expect_consistent(*hierarchy({"tree degree=2 depth=2", "ring n=4 unidirectional=true gateway=2"}));
    expect_consistent(*hierarchy({"ring n=3 link_latency=20", "mesh dims=2,2 gateway=3 link_latency=5",
                                  "crossbar n=2 node_link_latency=2"}));
    expect_consistent(*hierarchy({"torus dims=3,2 clock=5 link_latency=9 link_cycles_per_flit=2",
                                  "mesh dims=2,2 clock=2 gateway=1", "star n=2 link_latency=3"}));
    expect_consistent(*hierarchy({"ring n=3 link_latency=4", "mesh dims=2,2 clock=3"}));
    expect_consistent(*hierarchy({"midimew n=6", "twisted_torus dims=3,2 twist=0,0;1,0 gateway=5"}));
    expect_consistent(*hierarchy({"kary_ntree k=2 n=2", "kary_ntree k=2 n=2 gateway=3"}));
}

/// Each in place of a node of the outer network.
TEST(Hierarchy, PutsSeveralGatewaysAtSuccessiveNodes) {
    const auto net = hierarchy({"ring n=6", "mesh dims=2,2 gateway=3,0"});
    EXPECT_EQ(net->nodes(), 3U * 4);
    EXPECT_EQ(net->routers(), 6U + 3 * 4);
    for (std::uint32_t n = 0; n < 6; ++n) {
        const std::uint32_t gateway = 6 + n / 2 * 4 + (n % 2 == 0 ? 3 : 0);
        EXPECT_EQ(net->ports(router_id(gateway)), 6U);
        const port_peer down = net->peer(router_id(n), port_id(2)),
                        up = net->peer(router_id(gateway), port_id(5));
        EXPECT_EQ(down.id, gateway);
        EXPECT_EQ(down.port, 5U);
        EXPECT_EQ(up.id, n);
        EXPECT_EQ(up.port, 2U);
    }
    expect_consistent(*net);
    expect_consistent(
        *hierarchy({"torus dims=3,2 clock=5 link_latency=9", "mesh dims=3,2 clock=2 gateway=1,4"}));
    expect_consistent(*hierarchy({"star n=2 concentration=3", "tree degree=2 depth=2 gateway=1,0,2"}));
    expect_consistent(*hierarchy({"ring n=4", "mesh dims=2,2 gateway=3,0", "ring n=3 gateway=0,2"}));
    EXPECT_NE(net->picture(), nullptr);
}

TEST(Hierarchy, GivesLevelsTheirClocksAndRouters) {
    const auto net =
        hierarchy({"ring n=3 clock=6 router=dally", "mesh dims=2,2 clock=2", "star n=2 gateway=0"});
    const std::uint32_t inside = 4 + 4 * 3;  // routers of a mesh and of its stars
    ASSERT_EQ(net->routers(), 3U + 3 * inside);
    for (std::uint32_t r = 0; r < net->routers(); ++r)
        EXPECT_EQ(net->clock(router_id(r)).cycles(), r < 3 ? 6U : (r - 3) % inside < 4 ? 2U : 1U) << r;
    for (std::uint32_t r = 0; r < net->routers(); ++r)
        for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p) {
            const port_peer to = net->peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::none) continue;
            const std::uint32_t own = net->clock(router_id(r)).cycles(),
                                other = to.what == port_peer::kind::node
                                            ? own
                                            : net->clock(router_id(to.id)).cycles();
            EXPECT_EQ(net->link(router_id(r), port_id(p)).clock.cycles(), std::max(own, other));
        }
    const auto settings = net->router_settings();
    ASSERT_EQ(settings.size(), 1U);
    EXPECT_EQ(settings[0].at, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 2}}));
    EXPECT_EQ(flow_style(settings[0].changes), "{kind: dally}");
    const auto below = hierarchy({"ring n=2", "mesh dims=2,2", "star n=2 router=dally"})->router_settings();
    ASSERT_EQ(below.size(), 1U);
    EXPECT_EQ(below[0].at.size(), 8U);
    EXPECT_EQ(below[0].at[4].first, 2U + inside + 4);
    EXPECT_EQ(below[0].at[4].second, 2U + inside + 4 + 2);
}

TEST(Hierarchy, IsThePlainNetworkForOneLevel) {
    const auto net = hierarchy({"mesh dims=3,2"});
    EXPECT_EQ(net->name(), "mesh");
}

TEST(Hierarchy, AddsUpTheTimesOfTwoLevels) {
    // Dual-core nodes: star 9.6 Gb/s 0.32 us inside, 3-D torus 8.8 Gb/s 7 us outside. The gateway is the hub.
    const auto net = hierarchy({"torus dims=4,4,2 latency=7e-6 bandwidth=8.8e9",
                                "star n=2 gateway=0 latency=0.32e-6 bandwidth=9.6e9"});
    EXPECT_EQ(net->nodes(), 64U);
    EXPECT_EQ(picoseconds(*net, 0, 1), 2 * 320'000U);                             // within a node
    EXPECT_EQ(picoseconds(*net, 1, 2), 320'000U + 7'000'000 + 320'000);           // to the next one
    EXPECT_EQ(picoseconds(*net, 0, 63), 320'000U + 3 * 7'000'000 + 320'000);      // (0,0,0) to (3,3,1)
    EXPECT_EQ(picoseconds(*net, 0, 2 * (2 + 8 + 16)), 640'000U + 5 * 7'000'000);  // (2,2,1): 2 + 2 + 1
    EXPECT_EQ(path_between(*net, node_id(0), node_id(1)).decibits_per_second, 96'000'000'000U);
    EXPECT_EQ(path_between(*net, node_id(0), node_id(2)).decibits_per_second, 88'000'000'000U);
}

TEST(Hierarchy, AddsUpTheTimesOfThreeLevels) {
    // A ring of 4 of 2 x 2 meshes (gateway 3) of pairs on a ring of 2 (gateway 1), 1 ms, 1 us and 1 ns a
    // link.
    const auto net = hierarchy({"ring n=4 latency=1e-3 bandwidth=1e6", "mesh dims=2,2 gateway=3 latency=1e-6",
                                "ring n=2 gateway=1 latency=1e-9 bandwidth=1e9"});
    ASSERT_EQ(net->nodes(), 32U);
    constexpr std::uint64_t ms = 1'000'000'000, us = 1'000'000, ns = 1000;
    // Node ((ring * 4) + place in the mesh) * 2 + place in the pair.
    const auto node = [](std::uint32_t r, std::uint32_t m, std::uint32_t p) { return (r * 4 + m) * 2 + p; };
    EXPECT_EQ(picoseconds(*net, node(0, 0, 0), node(0, 0, 1)), ns);
    EXPECT_EQ(picoseconds(*net, node(0, 0, 1), node(0, 0, 1)), 0U);
    EXPECT_EQ(picoseconds(*net, node(0, 0, 0), node(0, 3, 0)), ns + 2 * us + ns);
    EXPECT_EQ(picoseconds(*net, node(1, 0, 1), node(1, 1, 0)), us + ns);
    EXPECT_EQ(picoseconds(*net, node(0, 0, 0), node(2, 1, 1)), ns + 2 * us + 2 * ms + 1 * us);
    EXPECT_EQ(picoseconds(*net, node(3, 3, 1), node(0, 3, 1)), ms);
    EXPECT_EQ(path_between(*net, node_id(0), node_id(1)).decibits_per_second, 10'000'000'000U);
    EXPECT_EQ(path_between(*net, node_id(0), node_id(31)).decibits_per_second, 10'000'000U);
    // The level between has a latency and no bandwidth of its own: a flit a cycle.
    EXPECT_EQ(path_between(*net, node_id(0), node_id(7)).cycles_per_flit, 1U);
}

TEST(Hierarchy, HasTheMeanOfAllNodesFromClassesOfThem) {
    const auto net = hierarchy({"torus dims=3,3", "mesh dims=3,1 gateway=0"});
    std::uint64_t sum = 0, longest = 0;
    for (std::uint32_t a = 0; a < net->nodes(); ++a)
        for (std::uint32_t b = 0; b < net->nodes(); ++b) {
            const std::uint32_t links = path_between(*net, node_id(a), node_id(b)).links - 2;
            sum += links;
            longest = std::max<std::uint64_t>(longest, links);
        }
    const topology_properties p = measure(*net);
    EXPECT_EQ(p.searches, 3U);
    EXPECT_NEAR(p.mean_distance, static_cast<double>(sum) / (27 * 27), 1e-9);
    EXPECT_EQ(p.diameter, longest);
}

/// A list of equal networks is the same as one of them for each node; clocks and router settings are those of
/// each network, and links between clocks the outer one's.
TEST(Hierarchy, HasUnlikeNetworksInALevel) {
    expect_equal(
        *hierarchy({"ring n=4", "mesh dims=2,2 gateway=3 clock=2 count=3 | mesh dims=2,2 gateway=3 clock=2"}),
        *hierarchy({"ring n=4", "mesh dims=2,2 gateway=3 clock=2"}));
    const auto net =
        hierarchy({"ring n=4 clock=3",
                   "mesh dims=2,2 gateway=3 clock=2 | ring n=3 | star n=2 clock=5 count=2", "crossbar n=2"});
    expect_consistent(*net);
    EXPECT_EQ(net->nodes(), 2U * (4 + 3 + 2 + 2));
    EXPECT_EQ(net->routers(), 4U + 4 + 3 + 3 + 3 + 11);
    const std::pair<std::uint32_t, std::uint32_t> clocks[] = {{0, 3},  {4, 2},  {8, 1},
                                                              {11, 5}, {14, 5}, {17, 1}};
    for (const auto& [router, clock] : clocks) EXPECT_EQ(net->clock(router_id(router)), clock_ratio(clock));
    const port_peer up = net->peer(router_id(4 + 3), port_id(5)), down = net->peer(router_id(1), port_id(2));
    EXPECT_EQ(up.id, 0U);
    EXPECT_EQ(down.id, 8U);
    EXPECT_EQ(net->link(router_id(4 + 3), port_id(5)).clock, clock_ratio(3));
    EXPECT_EQ(net->part_of(router_id(11)).level, 3U);
    EXPECT_EQ(net->part_of(router_id(14)).network->name(), "star");
    EXPECT_EQ(net->part_of(router_id(17)).level, 4U);
    EXPECT_NE(net->picture(), nullptr);
}

TEST(Hierarchy, ResolvesWithAllParametersAndReadsBack) {
    const config::value written = topology_registry::instance().resolve(
        hierarchy_section({"torus dims=3,2", "star n=2 gateway=0 latency=1e-9"}));
    const config::value& inner = written.find("levels")->items()[1];
    EXPECT_EQ(inner.find("gateway")->text(), "0");
    EXPECT_EQ(inner.find("concentration")->text(), "1");
    EXPECT_EQ(inner.find("latency")->text(), "1e-09");
    expect_equal(*topology_registry::instance().make(written), *hierarchy({"torus dims=3,2", "star n=2"}));
}

/// No two routers lie on each other, each copy is one picture, and the outer network keeps its own.
TEST(Hierarchy, NestsItsPictures) {
    for (const auto& levels : {std::vector<std::string>{"torus dims=4,3", "star n=3"},
                               {"star n=3 concentration=2", "mesh dims=2,2"},
                               {"ring n=3", "mesh dims=2,2 gateway=3", "crossbar n=2"},
                               {"ring n=4", "mesh dims=2,2 gateway=3,0"},
                               {"dragonfly p=2 a=2 h=1 g=3", "ring n=5"}}) {
        const auto net = hierarchy(levels);
        const auto picture = net->picture();
        ASSERT_NE(picture, nullptr);
        const auto& shape = dynamic_cast<const hierarchy_shape&>(*net->shape());
        const auto inner = shape.inner->picture();
        const auto apart = [](const spot& a, const spot& b) { return std::hypot(a.x - b.x, a.y - b.y); };
        for (std::uint32_t a = 0; a < net->routers(); ++a)
            for (std::uint32_t b = 0; b < a; ++b) {
                const double distance = apart(picture->of(router_id(a)), picture->of(router_id(b)));
                EXPECT_GT(distance, 0.99) << levels[0] << ": " << a << ", " << b;
                if (shape.is_outer(b) || shape.copy_of(a) != shape.copy_of(b)) continue;
                EXPECT_NEAR(
                    distance,
                    apart(inner->of(router_id(shape.place_of(a))), inner->of(router_id(shape.place_of(b)))),
                    1e-9);
            }
    }
    const auto torus = network("torus dims=4,3"), with = hierarchy({"torus dims=4,3", "torus dims=3,3"});
    const auto alone = torus->picture(), nested = with->picture();
    EXPECT_EQ(nested->stub(router_id(3), port_id(0)), alone->stub(router_id(3), port_id(0)));
    EXPECT_EQ(nested->stub(router_id(3), port_id(4)), std::nullopt);       // to a gateway
    EXPECT_EQ(nested->stub(router_id(12), port_id(5)), std::nullopt);      // and from it
    EXPECT_TRUE(nested->stub(router_id(12 + 2), port_id(0)).has_value());  // round a row inside
}

TEST(Hierarchy, RefusesImpossibleLevels) {
    const auto error = [](const std::vector<std::string>& levels) -> std::string {
        try {
            hierarchy(levels);
        } catch (const config::error& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_EQ(error({}),
              "test.yaml:9:1: 'levels' is empty; give the networks, outermost first: 'levels: [{topology: "
              "torus, dims: [4, 4]}, {topology: star, n: 2, gateway: 0}]'");
    EXPECT_EQ(error({"mesh dims=2,2", "ring n=4 gateway=4"}),
              "test.yaml:3:1: 'gateway' is 4; the ring has routers 0 to 3");
    EXPECT_EQ(error({"mesh dims=2,2", "ring n=4 gateway=0,4"}),
              "test.yaml:3:1: 'gateway' is 4; the ring has routers 0 to 3");
    EXPECT_EQ(error({"mesh dims=2,2", "ring n=4 gateway=3,1,3"}),
              "test.yaml:3:1: 'gateway' names router 3 twice");
    EXPECT_EQ(
        error({"mesh dims=2,2", "ring n=4 gateway=3,1,0"}),
        "test.yaml:3:1: 'gateway' names 3 routers, each in place of a node of the network around; the mesh "
        "has 4 nodes, which must be a multiple");
    EXPECT_EQ(error({"mesh dims=2,2 gateway=0", "ring n=4"}),
              "test.yaml:3:1: the outermost network has no 'gateway': there is nothing around it");
    EXPECT_EQ(error({"mesh dims=2,2", "crossbar n=1024"}),
              "test.yaml:1:1: router 0 has no port left for being the gateway; a router has at most 1024");
    EXPECT_EQ(
        error({"mesh dims=2,2", "butterfly k=2 n=2"}),
        "test.yaml:1:1: in the butterfly there is no way to the gateway, router 0, from node 2; a network "
        "of one-way stages can only be the outermost");
    EXPECT_EQ(error({"mesh dims=4096,4096", "ring n=2"}),
              "test.yaml:9:1: the levels together have 50331648 routers; at most 16777216");
    EXPECT_EQ(error({"hypercube n=19", "crossbar n=15", "crossbar n=63"}),
              "test.yaml:9:1: the levels together have 495452160 nodes; at most 268435456");
    EXPECT_EQ(
        error({"mesh dims=2,2", "ring n=4 count=2"}),
        "test.yaml:3:1: 'count' is of networks in a list of unlike ones; the network around says how many "
        "there are of a level");
    EXPECT_EQ(
        error({"mesh dims=2,2 | ring n=3", "ring n=4"}),
        "test.yaml:1:1: the outermost level is one network, not a list: nothing would join its networks");
    EXPECT_EQ(
        error({"mesh dims=2,2", "ring n=4 | ring n=3 count=2"}),
        "test.yaml:1:1: the list has 3 gateways, each in place of a node of the network around; the mesh "
        "has 4 nodes, which must be a multiple");
    EXPECT_EQ(
        error({"mesh dims=2,1", "ring n=4 | ring n=3", "crossbar n=2 | star n=2"}),
        "test.yaml:1:1: the list has 2 gateways, each in place of a node of the network around; the ring "
        "has 3 nodes, which must be a multiple");
    EXPECT_EQ(error({"mesh dims=2,2", "hierarchical"}),
              "test.yaml:1:1: a level is 'hierarchical' itself; write its levels into the list around it");
    EXPECT_EQ(error({"mesh dims=2,2", "ring n=4 gateway=north"}).substr(0, 14), "test.yaml:3:1:");
    EXPECT_EQ(error({"mesh dims=2,2 clock=0", "ring n=4"}).substr(0, 14), "test.yaml:3:1:");
    EXPECT_EQ(
        error({"mesh dims=2,2 clock=2"}),
        "test.yaml:9:1: 'levels' has one level, whose clock is that of the network and whose routers are "
        "those of 'router'; leave its 'clock' and 'router' out");
    EXPECT_EQ(error({"mesh dims=2,2 router=4,5", "ring n=4"}),
              "test.yaml:3:1: 'router' of a level is a section like 'router', such as '{depth: 16}'");
    EXPECT_EQ(error({"mesh dims=2,2", "ring m=4"}).substr(0, 14), "test.yaml:2:1:");
}

}  // namespace
}  // namespace sare::test::hierarchical_test
