// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing/routing_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace sare::routing_parallel_test {
namespace {

using test::network;
using test::routing;

/// Routers in a row or around a hub, `parallel` links between each two neighbours, `nodes` nodes each.
std::unique_ptr<topology> row(std::uint32_t routers, std::uint32_t parallel, std::uint32_t nodes, bool star) {
    std::ostringstream text;
    text << "sare-graph 1\n";
    for (std::uint32_t r = 1; r < routers; ++r)
        for (std::uint32_t k = 0; k < parallel; ++k)
            text << "link " << (star ? 0 : r - 1) << ' ' << r << '\n';
    std::uint32_t n = 0;
    // Not router by router, and not at the hub of a star.
    for (std::uint32_t k = 0; k < nodes; ++k)
        for (std::uint32_t r = star ? 1 : 0; r < routers; ++r) text << "node " << n++ << ' ' << r << '\n';
    std::istringstream in(text.str());
    return read_graph(in, "row", {});
}

/// Flows over each link, by router and port.
using loads = std::map<std::pair<std::uint32_t, std::uint32_t>, int>;

void add_flow(const routing_function& f, const topology& net, std::uint32_t s, std::uint32_t d, loads& all) {
    route_header h = test::header(f, s, d);
    port_peer at{port_peer::kind::router, net.router_of(node_id(s)).value, net.port_of(node_id(s)).value};
    for (int hops = 0;; ++hops) {
        ASSERT_LT(hops, 100);
        route_set out;
        f.route(at.id, at.port, 0, h, out);
        ASSERT_GE(out.size, 1U);
        // The last one: of an adaptive function that is the escape.
        const std::uint32_t port = out.candidates[out.size - 1].port;
        const port_peer next = net.peer(router_id(at.id), port_id(port));
        if (next.what == port_peer::kind::node) {
            EXPECT_EQ(next.id, d);
            return;
        }
        ASSERT_EQ(next.what, port_peer::kind::router);
        ++all[{at.id, port}];
        at = next;
    }
}

int most(const loads& all) {
    int m = 0;
    for (const auto& [link, flows] : all) m = std::max(m, flows);
    return m;
}

/// The sum of flows over the links from router to router, and how far those in parallel differ.
int spread(const topology& net, const loads& all) {
    int widest = 0;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        std::map<std::uint32_t, std::pair<int, int>> by_router;  // least, most
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const port_peer to = net.peer(router_id(r), port_id(p));
            if (to.what != port_peer::kind::router) continue;
            const auto found = all.find({r, p});
            const int flows = found == all.end() ? 0 : found->second;
            const auto [place, fresh] = by_router.try_emplace(to.id, flows, flows);
            place->second = {std::min(place->second.first, flows), std::max(place->second.second, flows)};
        }
        for (const auto& [q, range] : by_router) widest = std::max(widest, range.second - range.first);
    }
    return widest;
}

/// Four links in parallel carry four flows, whichever go to whichever: one each.
TEST(parallel_links, CarryAnyPermutationBetweenTwoRouters) {
    for (const char* name : {"shortest_path", "table", "up_down", "up_down_escape"})
        for (const std::uint32_t m : {2U, 3U, 4U}) {
            const auto net = row(2, m, m, false);
            const auto f = routing(name, *net, 2);
            std::vector<std::uint32_t> to(m);
            std::iota(to.begin(), to.end(), 0U);
            do {
                loads all;
                for (std::uint32_t k = 0; k < m; ++k) add_flow(*f, *net, 2 * k, 2 * to[k] + 1, all);
                EXPECT_EQ(most(all), 1) << name << ' ' << m;
            } while (std::next_permutation(to.begin(), to.end()));
        }
}

/// Leaves with as many links up as nodes: no permutation of the nodes puts two flows on a link, for at the
/// source's router each node has a link of its own, and so it has at its router's hub.
TEST(parallel_links, CarryAnyPermutationOverAHub) {
    rng random(1, stream::test, 0);
    for (const char* name : {"shortest_path", "up_down"})
        for (const std::uint32_t m : {2U, 4U}) {
            const auto net = row(5, m, m, true);
            const auto f = routing(name, *net, 2);
            std::vector<std::uint32_t> to(net->nodes());
            std::iota(to.begin(), to.end(), 0U);
            for (int repeat = 0; repeat < 50; ++repeat) {
                for (std::uint32_t i = net->nodes(); i > 1; --i) std::swap(to[i - 1], to[random.below(i)]);
                loads all;
                for (std::uint32_t s = 0; s < net->nodes(); ++s) add_flow(*f, *net, s, to[s], all);
                EXPECT_EQ(most(all), 1) << name << ' ' << m;
            }
        }
}

/// All pairs, where a router has no fewer nodes than links in parallel: these differ by a flow at most.
TEST(parallel_links, ShareAllPairsEvenly) {
    struct {
        const char* network;
        int differ;  ///< flows, at most
    } const cases[] = {{"torus dims=2,2,2 concentration=2", 0},
                       {"torus dims=2,4 concentration=2", 0},
                       {"torus dims=2,3 concentration=4", 0},
                       {"triangular_torus w=2 h=4", 1}};
    for (const char* name : {"shortest_path", "table", "up_down", "up_down_escape"})
        for (const auto& c : cases) {
            const auto net = network(c.network);
            const auto f = routing(name, *net, 4);
            loads all;
            for (std::uint32_t s = 0; s < net->nodes(); ++s)
                for (std::uint32_t d = 0; d < net->nodes(); ++d) add_flow(*f, *net, s, d, all);
            EXPECT_LE(spread(*net, all), c.differ) << name << " on " << c.network;
        }
}

/// A node's links are its own: c nodes at m links have m / c each, shared by destination.
TEST(parallel_links, AreDealtOutToTheNodesOfARouter) {
    const auto net = row(3, 4, 2, false);  // nodes 0 and 3 at router 0
    for (const char* name : {"shortest_path", "up_down"}) {
        const auto f = routing(name, *net, 2);
        loads first, second;
        for (const std::uint32_t d : {1U, 2U, 4U, 5U}) {
            add_flow(*f, *net, 0, d, first);
            add_flow(*f, *net, 3, d, second);
        }
        for (const std::uint32_t port : {0U, 1U, 2U, 3U}) {
            EXPECT_EQ((first[{0, port}]), port % 2 == 0 ? 2 : 0) << name << ' ' << port;
            EXPECT_EQ((second[{0, port}]), port % 2 == 0 ? 0 : 2) << name << ' ' << port;
        }
    }
}

/// Random networks with many links in parallel: everything arrives, by shortest ways, and the check finds no
/// cycle; with the links of a pair taken together the layers are those of the network without the others.
TEST(parallel_links, CloseNoCycle) {
    rng random(3, stream::test, 0);
    for (int repeat = 0; repeat < 30; ++repeat) {
        const std::uint32_t routers = 2 + random.below(8);
        std::ostringstream text;
        text << "sare-graph 1\n";
        for (std::uint32_t r = 1; r < routers; ++r) {
            const std::uint32_t to = random.below(r);
            for (std::uint32_t k = random.below(4) + 1; k != 0; --k)
                text << "link " << r << ' ' << to << '\n';
        }
        for (std::uint32_t i = 0; i < routers; ++i) {
            const std::uint32_t a = random.below(routers), b = random.below(routers);
            for (std::uint32_t k = random.below(3) + 1; a != b && k != 0; --k)
                text << "link " << a << ' ' << b << '\n';
        }
        for (std::uint32_t n = 0; n < 2 * routers; ++n) text << "node " << n << ' ' << n % routers << '\n';
        std::istringstream in(text.str());
        const auto net = read_graph(in, "random", {});
        const auto distance = test::distances(*net);
        for (const char* name : {"shortest_path", "up_down", "up_down_escape"}) {
            const auto report = test::check(name, *net, 6);
            EXPECT_TRUE(report.ok()) << name << ": " << report.text << '\n' << text.str();
            const auto f = routing(name, *net, 6);
            for (std::uint32_t s = 0; s < net->nodes(); ++s)
                for (std::uint32_t d = 0; d < net->nodes(); ++d) {
                    loads all;
                    add_flow(*f, *net, s, d, all);
                    if (std::string(name) == "shortest_path") {
                        EXPECT_EQ(all.size(), distance[s % routers][d % routers]);
                    }
                }
        }
    }
}

/// What is tabulated: by input port where the source's links are its own.
TEST(parallel_links, AreTabulatedByInputPort) {
    const auto net = row(2, 2, 2, false);
    EXPECT_EQ(routing("shortest_path", *net, 2)->tabular_states(), 0U);
    EXPECT_TRUE(routing("shortest_path", *net, 2)->tabular_by_input());
    EXPECT_TRUE(routing("table", *net, 2)->tabular());
    EXPECT_EQ(routing("shortest_path", *row(2, 1, 2, false), 2)->tabular_states(), 1U);
    EXPECT_FALSE(routing("shortest_path", *row(2, 1, 2, false), 2)->tabular_by_input());
    EXPECT_FALSE(routing("up_down_escape", *net, 2)->knows_routers_only());
}

}  // namespace
}  // namespace sare::routing_parallel_test
