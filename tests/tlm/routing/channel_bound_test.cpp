// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/load/channel_bound.h"

#include "tests/tlm/routing/routing_support.h"
#include "tlm/topology/changed_links.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <map>

/// The bound by channel loads: against sums by hand, and against Boost's paths and flows.
namespace sare::channel_bound_test {
namespace {

using test::network;
using test::random_graph;
using test::routing;
using rates = std::vector<std::vector<double>>;  ///< flits a cycle from node to node, at load 1

channel_bound bound(const topology& net, const routing_function& function, const rates& traffic,
                    std::uint32_t vcs = 8, std::uint32_t of_nodes = 1) {
    channel_question q;
    q.network = &net;
    q.routing = &function;
    q.vcs = vcs;
    q.demands = [&traffic](std::uint32_t s, std::vector<node_demand>& out) {
        for (std::uint32_t d = 0; d < traffic[s].size(); ++d) out.push_back({d, traffic[s][d]});
    };
    q.most_injected = q.most_ejected = [of_nodes](std::uint32_t) { return of_nodes; };
    return find_channel_bound(q);
}

channel_bound bound(const std::string& net, const std::string& function, const rates& traffic) {
    const auto map = network(net);
    return bound(*map, *routing(function, *map, 8), traffic);
}

rates none(std::uint32_t nodes) {
    return rates(nodes, std::vector<double>(nodes, 0));
}
rates uniform(std::uint32_t nodes) {
    rates all(nodes, std::vector<double>(nodes, 1.0 / (nodes - 1)));
    for (std::uint32_t n = 0; n < nodes; ++n) all[n][n] = 0;
    return all;
}
/// Every node to map(node).
template <class Map>
rates fixed(std::uint32_t nodes, Map map) {
    rates all = none(nodes);
    for (std::uint32_t n = 0; n < nodes; ++n) all[n][map(n)] = 1;
    return all;
}

TEST(ChannelBound, MatchesClosedForms) {
    // Half of the traffic of each half of a row crosses its middle: k / 4 times k² / (k² - 1) a channel.
    EXPECT_NEAR(bound("mesh dims=8,8", "dor", uniform(64)).load, 4 * 63 / 512.0, 1e-12);
    EXPECT_NEAR(bound("torus dims=8,8", "dor", uniform(64)).load, 8 * 63 / 512.0, 1e-12);
    // A torus by Valiant: twice uniform traffic, to oneself included.
    EXPECT_NEAR(bound("torus dims=8,8", "valiant", fixed(64, [](auto n) { return n ^ 63; })).load, 0.5,
                1e-12);
    EXPECT_NEAR(bound("torus dims=8,8", "romm", uniform(64)).load, 8 * 63 / 512.0, 1e-12);
    // A ring: halfway round, both ways alike: 4 of 8 sources cross each channel half of the time.
    const auto half = fixed(8, [](auto n) { return (n + 4) % 8; });
    EXPECT_NEAR(bound("ring n=8", "dor", half).load, 0.5, 1e-12);
    EXPECT_NEAR(bound("ring n=8", "dor ties=positive", half).load, 0.25, 1e-12);
    // All ways up a tree of 2 x 2: the root's channels have the other half's traffic.
    EXPECT_NEAR(bound("tree degree=2 depth=2", "shortest_path", uniform(4)).load, 1 / (2 * 2 / 3.0), 1e-12);
    // One hot node takes all: its ejection.
    const channel_bound hot = bound("mesh dims=4,4", "dor", fixed(16, [](auto) { return 5U; }));
    EXPECT_NEAR(hot.load, 1 / 16.0, 1e-12);
    EXPECT_EQ(text_of(hot.first, {}), "ejection of node 5");
    EXPECT_EQ(hot.busiest, 1u);
    // Each to itself: nothing but the links of nodes.
    const channel_bound self = bound("mesh dims=2,2", "dor", fixed(4, [](auto n) { return n; }));
    EXPECT_EQ(self.load, 1);
    EXPECT_EQ(text_of(self.first, {}), "ejection of node 0");
    EXPECT_EQ(self.busiest, 8u);
    EXPECT_FALSE(self.choice);
}

TEST(ChannelBound, IsLowerForNarrowLinks) {
    auto traffic = none(2);
    traffic[0][1] = 1;
    const auto load = [&](const char* links) {
        std::istringstream in(std::string("sare-graph 1\nnode 0 0\nnode 1 2\nlink 0 1\nlink 1 2") + links +
                              "\n");
        const auto net = read_graph(in, "chain", {});
        return bound(*net, *routing("shortest_path", *net, 2), traffic, 2);
    };
    EXPECT_EQ(load("").load, 1);
    const channel_bound narrow = load(" 1 4");
    EXPECT_EQ(narrow.load, 0.25);
    EXPECT_EQ(text_of(narrow.first, {}), "router 1 to router 2 (port 1)");
}

TEST(ChannelBound, SplitsChoicesOptimally) {
    // Transposed: by dimension order all of a row turns at the diagonal; with a choice half can go either
    // way.
    const auto transposed = fixed(16, [](auto n) { return n % 4 * 4 + n / 4; });
    EXPECT_NEAR(bound("mesh dims=4,4", "dor", transposed).load, 1 / 3.0, 1e-12);
    EXPECT_NEAR(bound("mesh dims=4,4", "o1turn", transposed).load, 2 / 3.0, 1e-12);
    const channel_bound best = bound("mesh dims=4,4", "duato", transposed);
    EXPECT_TRUE(best.choice);
    EXPECT_NEAR(best.load, 1, 1e-9);
    EXPECT_LE(best.attained, best.load * (1 + 1e-12));
    // One flow from corner to corner: two links lead away.
    auto corner = none(16);
    corner[0][15] = 2;
    EXPECT_NEAR(bound("mesh dims=4,4", "dor", corner).load, 0.5, 1e-12);
    EXPECT_NEAR(bound("mesh dims=4,4", "duato", corner).load, 0.5, 1e-9);  // the injection's
    EXPECT_EQ(bound("mesh dims=2,2", "dor", none(4)).why, "no node sends anything");
}

TEST(ChannelBound, StopsWhereThereAreTooManyStates) {
    const auto net = network("mesh dims=4,4");
    const auto function = routing("duato", *net, 2);
    const rates traffic = uniform(16);
    channel_question q;
    q.network = net.get();
    q.routing = function.get();
    q.vcs = 2;
    q.most_states = 100;
    q.demands = [&traffic](std::uint32_t s, std::vector<node_demand>& out) {
        for (std::uint32_t d = 0; d < 16; ++d) out.push_back({d, traffic[s][d]});
    };
    const channel_bound b = find_channel_bound(q);
    EXPECT_FALSE(b.exists());
    EXPECT_EQ(b.why, "more than 100 states of packets to follow");
}

using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, double>>;

rates random_rates(std::uint32_t nodes, rng& random) {
    rates all = none(nodes);
    for (auto& row : all)
        for (double& x : row) x = random.below(3) == 0 ? random.uniform() : 0;
    all[0][nodes - 1] += 0.5;  // something at least
    return all;
}

/// Weights that no two paths share make the shortest one unique: Boost finds it, and a table follows it.
TEST(ChannelBound, EqualsBoostOn50RandomNetworks) {
    for (std::uint32_t k = 0; k < 50; ++k) {
        rng random(k, stream::test, 0);
        const auto net = random_graph(random);
        const rates traffic = random_rates(net->nodes(), random);
        // Reversed, so that the predecessors of a search from a destination are next routers.
        graph g(net->routers());
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> port_of;
        for (std::uint32_t r = 0; r < net->routers(); ++r)
            for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p)
                if (const port_peer to = net->peer(router_id(r), port_id(p));
                    to.what == port_peer::kind::router && port_of.try_emplace({r, to.id}, p).second)
                    boost::add_edge(to.id, r, 1 + random.uniform(), g);
        std::map<std::string, double> load;
        std::string table = "sare-table 1\n";
        for (std::uint32_t d = 0; d < net->nodes(); ++d) {
            const std::uint32_t target = net->router_of(node_id(d)).value;
            std::vector<graph::vertex_descriptor> next(net->routers());
            boost::dijkstra_shortest_paths(g, target, boost::predecessor_map(next.data()));
            for (std::uint32_t r = 0; r < net->routers(); ++r)
                table += "route " + std::to_string(r) + ' ' + std::to_string(d) + ' ' +
                         std::to_string(r == target ? net->port_of(node_id(d)).value
                                                    : port_of.at({r, static_cast<std::uint32_t>(next[r])})) +
                         '\n';
            for (std::uint32_t s = 0; s < net->nodes(); ++s) {
                load["in " + std::to_string(s)] += traffic[s][d];
                load["out " + std::to_string(d)] += traffic[s][d];
                for (std::size_t r = net->router_of(node_id(s)).value; r != target; r = next[r])
                    load[std::to_string(r) + '>' + std::to_string(next[r])] += traffic[s][d];
            }
        }
        double most = 0;
        for (const auto& one : load) most = std::max(most, one.second);
        const std::string file = testing::TempDir() + "channel-bound-" + std::to_string(getpid()) + ".txt";
        std::ofstream(file) << table;
        const auto function = routing("table file=" + file, *net, 1);
        EXPECT_NEAR(bound(*net, *function, traffic, 1).load, 1 / most, 1e-9 / most) << "network " << k;
        std::filesystem::remove(file);
    }
}

/// Everything to one node with all shortest ways open is a single flow: the most that Boost's maximum flow
/// carries, bisected over the load.
TEST(ChannelBound, EqualsTheMaximumFlowOfBoost) {
    using traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
    using flow_graph = boost::adjacency_list<
        boost::vecS, boost::vecS, boost::directedS, boost::no_property,
        boost::property<boost::edge_capacity_t, long,
                        boost::property<boost::edge_residual_capacity_t, long,
                                        boost::property<boost::edge_reverse_t, traits::edge_descriptor>>>>;
    constexpr double unit = 1e7;
    for (std::uint32_t k = 0; k < 12; ++k) {
        rng random(k, stream::test, 1);
        const std::uint32_t x = 2 + random.below(4), y = 2 + random.below(4), nodes = x * y;
        const auto net = network("mesh dims=" + std::to_string(x) + ',' + std::to_string(y));
        const std::uint32_t d = random.below(nodes);
        rates traffic = none(nodes);
        double sum = 0;
        for (std::uint32_t s = 0; s < nodes; ++s)
            if (s != d) sum += traffic[s][d] = random.below(3) == 0 ? random.uniform() : 0.01;
        const auto distance = test::distances(*net);
        const auto fits = [&](double load) {
            flow_graph g(nodes + 2);
            const auto add = [&g](std::size_t from, std::size_t to, double capacity) {
                const auto there = boost::add_edge(from, to, g).first,
                           back = boost::add_edge(to, from, g).first;
                boost::put(boost::edge_capacity, g, there, std::lround(capacity * unit));
                boost::put(boost::edge_capacity, g, back, 0);
                boost::put(boost::edge_reverse, g, there, back);
                boost::put(boost::edge_reverse, g, back, there);
            };
            for (std::uint32_t r = 0; r < nodes; ++r) {
                add(nodes, r, load * traffic[r][d]);
                for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p) {
                    const port_peer to = net->peer(router_id(r), port_id(p));
                    if (to.what == port_peer::kind::router && distance[to.id][d] < distance[r][d])
                        add(r, to.id, 1);
                }
            }
            add(d, nodes + 1, 1000);
            return boost::push_relabel_max_flow(g, nodes, nodes + 1) >= (load * sum - 1e-5) * unit;
        };
        double low = 0, high = 100;
        while (high - low > 1e-5 * high) (fits((low + high) / 2) ? low : high) = (low + high) / 2;
        const channel_bound b = bound(*net, *routing("duato", *net, 2), traffic, 2, 1000);
        EXPECT_NEAR(b.load, low, 0.002 * low) << "mesh " << k;
        EXPECT_GE(b.load, low * (1 - 1e-4)) << "mesh " << k;
    }
}

}  // namespace
}  // namespace sare::channel_bound_test
