// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/composite/planes.h"
#include "tests/tlm/topology/topology_support.h"
#include "tlm/routing/deadlock/deadlock.h"
#include "tlm/topology/properties.h"

#include <gtest/gtest.h>

/// Networks side by side, and routing on them.
namespace sare::test::planes_test {
namespace {

const config::location at{"test.yaml", 9, 1};

config::value list_of(const std::vector<std::string>& lines, const char* selector) {
    std::vector<config::value> all;
    for (const std::string& line : lines) all.push_back(section(line, selector));
    return config::value::list(std::move(all), at);
}
std::unique_ptr<topology> side_by_side(const std::vector<std::string>& lines) {
    return topology_registry::instance().make(config::value::map(
        {{"topology", config::value::scalar("planes", at)}, {"planes", list_of(lines, "topology")}}, at));
}
std::unique_ptr<routing_function> each_by(const std::vector<std::string>& functions, const topology& net,
                                          std::uint32_t vcs) {
    config::value s = config::value::map({{"function", config::value::scalar("planes", at)}}, at);
    if (!functions.empty()) s.set("planes", list_of(functions, "function"));
    return routing_registry::instance().make(s, routing_context{&net, vcs});
}

const std::vector<std::string> three{"torus dims=4,3 unidirectional=true link_latency=9",
                                     "mesh dims=3,2 concentration=2", "butterfly k=2 n=3"};

void expect_moved(const port_peer& whole, port_peer alone, const planes_shape::plane& p) {
    if (alone.what == port_peer::kind::router) alone.id += p.first_router;
    if (alone.what == port_peer::kind::node) alone.id += p.first_node;
    EXPECT_EQ(whole.what, alone.what);
    EXPECT_EQ(whole.id, alone.id);
    EXPECT_EQ(whole.port, alone.port);
}

TEST(Planes, AreEachAsTheyAreAlone) {
    const auto net = side_by_side(three);
    const auto* shape = dynamic_cast<const planes_shape*>(net->shape());
    ASSERT_NE(shape, nullptr);
    std::uint32_t routers = 0, nodes = 0;
    for (std::size_t k = 0; k < three.size(); ++k) {
        const auto alone = network(three[k]);
        const planes_shape::plane& p = shape->planes[k];
        EXPECT_EQ(p.first_router, routers);
        EXPECT_EQ(p.first_node, nodes);
        for (std::uint32_t r = 0; r < alone->routers(); ++r) {
            const router_id whole(routers + r);
            EXPECT_EQ(&shape->of_router(whole.value), &p);
            ASSERT_EQ(net->ports(whole), alone->ports(router_id(r)));
            for (std::uint32_t port = 0; port < alone->ports(router_id(r)); ++port) {
                expect_moved(net->peer(whole, port_id(port)), alone->peer(router_id(r), port_id(port)), p);
                expect_moved(net->source(whole, port_id(port)), alone->source(router_id(r), port_id(port)),
                             p);
                EXPECT_EQ(net->link(whole, port_id(port)).latency,
                          alone->link(router_id(r), port_id(port)).latency);
            }
        }
        for (std::uint32_t n = 0; n < alone->nodes(); ++n) {
            const node_id whole(nodes + n);
            EXPECT_EQ(&shape->of_node(whole.value), &p);
            EXPECT_EQ(net->router_of(whole).value, routers + alone->router_of(node_id(n)).value);
            EXPECT_EQ(net->port_of(whole).value, alone->port_of(node_id(n)).value);
            EXPECT_EQ(net->ejection_of(whole).router.value,
                      routers + alone->ejection_of(node_id(n)).router.value);
        }
        routers += alone->routers();
        nodes += alone->nodes();
    }
    EXPECT_EQ(net->routers(), routers);
    EXPECT_EQ(net->nodes(), nodes);
    EXPECT_EQ(measure(*net).nodes, nodes);
    const auto twice = side_by_side({three[0], three[0]});  // only pairs with a way count
    EXPECT_NEAR(measure(*twice).mean_distance, measure(*network(three[0])).mean_distance, 1e-12);
    ASSERT_TRUE(net->picture());
    EXPECT_LT(net->picture()->of(router_id(0)).x, net->picture()->of(router_id(12)).x);
}

/// The check follows every packet from every node to every node of its plane, to its end.
TEST(PlanesRouting, RoutesEachPlaneByItsOwnFunction) {
    const auto net = side_by_side(three);
    const auto routing = each_by({"dor", "dor", "destination_tag"}, *net, 2);
    deadlock_question q;
    q.network = net.get();
    q.routing = routing.get();
    q.vcs = 2;
    EXPECT_EQ(check_deadlock(q).result, deadlock_report::verdict::acyclic) << check_deadlock(q).text;
    const auto bad = each_by({"dor dateline=none", "dor", "destination_tag"}, *net, 2);
    q.routing = bad.get();
    EXPECT_EQ(check_deadlock(q).result, deadlock_report::verdict::cycle);
}

/// From every node of a plane to every other one by the numbers of the whole: as many links as alone.
TEST(PlanesRouting, RoutesByTheNumbersOfTheWholeNetwork) {
    const auto net = side_by_side(three);
    const auto routing = each_by({}, *net, 16);
    const auto* shape = dynamic_cast<const planes_shape*>(net->shape());
    rng random(1, stream::test, 0);
    for (std::uint32_t s = 0; s < net->nodes(); ++s)
        for (std::uint32_t d = 0; d < net->nodes(); ++d) {
            if (&shape->of_node(s) != &shape->of_node(d)) continue;
            route_header h;
            h.source = s;
            h.destination = d;
            routing->begin(h, random);
            std::uint32_t r = net->router_of(node_id(s)).value, in = net->port_of(node_id(s)).value,
                          links = 0;
            for (;; ++links) {
                ASSERT_LT(links, 20U);
                route_set out;
                routing->route(r, in, 0, h, out);
                const port_peer to = net->peer(router_id(r), port_id(out.candidates[0].port));
                if (to.what == port_peer::kind::node) {
                    EXPECT_EQ(to.id, d);
                    break;
                }
                r = to.id;
                in = to.port;
            }
            EXPECT_EQ(links, net->distance(net->router_of(node_id(s)), net->ejection_of(node_id(d)).router));
        }
}

TEST(PlanesRouting, RefusesImpossiblePlanes) {
    const auto net = side_by_side({"mesh dims=2,2", "mesh dims=2,2"});
    const auto routing = each_by({"dor", "dor"}, *net, 1);
    route_header h;
    h.source = 1;
    h.destination = 4;
    rng random(1, stream::test, 0);
    EXPECT_EQ(
        message([&] { routing->begin(h, random); }),
        "a message goes from node 1, which is in plane 0, to node 4 in another plane; no link joins them");
    EXPECT_EQ(message([&] { each_by({"dor"}, *net, 1); }),
              "test.yaml:9:1: 'planes' has 1 routing functions, and the network has 2 planes");
    const auto mesh = network("mesh dims=2,2");
    EXPECT_EQ(message([&] { each_by({"dor"}, *mesh, 1); }),
              "test.yaml:9:1: 'function' is planes, which needs networks side by side (topology: planes), "
              "not a mesh");
    EXPECT_EQ(message([&] { side_by_side({}); }).substr(0, 35), "test.yaml:9:1: 'planes' is empty; g");
    EXPECT_EQ(message([&] { side_by_side({"planes"}); }),
              "test.yaml:1:1: a plane is 'planes', a network of networks itself; it must be a network of "
              "routers alone");
}

}  // namespace
}  // namespace sare::test::planes_test
