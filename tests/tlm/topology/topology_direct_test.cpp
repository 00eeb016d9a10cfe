// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology/topology_support.h"
#include "tlm/topology/properties.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>

#include <algorithm>
#include <functional>

/// Hypercubes, circulants and triangular tori beside graphs of the same definition, searched by Boost.Graph.
namespace sare::topology_direct_test {
namespace {

using test::message;
using test::network;

using arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

arcs hypercube(std::uint32_t n) {
    arcs all;
    for (std::uint32_t i = 0; i < 1U << n; ++i)
        for (std::uint32_t b = 0; b < n; ++b) all.emplace_back(i, i ^ 1U << b);
    return all;
}

/// A step of n / 2 leads to the same router either way: one link.
arcs circulant(std::uint32_t n, const std::vector<std::uint32_t>& steps, bool one_way = false) {
    arcs all;
    for (std::uint32_t i = 0; i < n; ++i)
        for (const auto s : steps) {
            all.emplace_back(i, (i + s) % n);
            if (!one_way && 2 * s != n) all.emplace_back(i, (i + n - s) % n);
        }
    return all;
}

arcs triangular(std::uint32_t w, std::uint32_t h, bool one_way = false) {
    arcs all;
    for (std::uint32_t y = 0; y < h; ++y)
        for (std::uint32_t x = 0; x < w; ++x)
            for (const auto& [dx, dy] :
                 {std::pair<int, int>{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}}) {
                const auto to = (x + w + static_cast<std::uint32_t>(dx)) % w +
                                w * ((y + h + static_cast<std::uint32_t>(dy)) % h);
                if (to != x + w * y && (!one_way || dx + dy > 0)) all.emplace_back(x + w * y, to);
            }
    return all;
}

struct direct_case {
    std::string network;
    arcs expected;
    std::uint32_t routers, concentration = 1;
};
void PrintTo(const direct_case& c, std::ostream* out) {
    *out << c.network;
}

const direct_case cases[] = {
    {"hypercube n=1", hypercube(1), 2},
    {"hypercube n=3", hypercube(3), 8},
    {"hypercube n=6 concentration=2", hypercube(6), 64, 2},
    {"hypercube n=9", hypercube(9), 512},
    {"circulant n=2 steps=1", circulant(2, {1}), 2},
    {"circulant n=4", circulant(4, {1, 2}), 4},
    {"circulant n=8 steps=1,4", circulant(8, {1, 4}), 8},
    {"circulant n=30 steps=4,13,15 concentration=2", circulant(30, {4, 13, 15}), 30, 2},
    {"circulant n=100 steps=3,7,20", circulant(100, {3, 7, 20}), 100},
    {"circulant n=101 steps=99,5", circulant(101, {99, 5}), 101},
    {"circulant n=12 steps=6,8,3 unidirectional=true", circulant(12, {6, 8, 3}, true), 12},
    {"circulant n=50 steps=1,49 unidirectional=true", circulant(50, {1, 49}, true), 50},
    {"midimew n=5", circulant(5, {1, 2}), 5},
    {"midimew n=8", circulant(8, {1, 2}), 8},
    {"midimew n=9", circulant(9, {2, 3}), 9},
    {"midimew n=64", circulant(64, {5, 6}), 64},
    {"midimew n=200 concentration=3", circulant(200, {9, 10}), 200, 3},
    {"midimew n=32 unidirectional=true", circulant(32, {3, 4}, true), 32},
    {"triangular_torus w=2 h=2", triangular(2, 2), 4},
    {"triangular_torus w=4 h=4", triangular(4, 4), 16},
    {"triangular_torus w=8 h=5 concentration=2", triangular(8, 5), 40, 2},
    {"triangular_torus w=12 h=12", triangular(12, 12), 144},
    {"triangular_torus w=1 h=6", triangular(1, 6), 6},
    {"triangular_torus w=5 h=9 unidirectional=true", triangular(5, 9, true), 45},
};

class direct_network : public testing::TestWithParam<direct_case> {};
INSTANTIATE_TEST_SUITE_P(, direct_network, testing::ValuesIn(cases));

/// Links from each vertex to each other.
std::vector<std::vector<std::uint32_t>> distances(const arcs& all, std::uint32_t vertices) {
    using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
    const graph g(all.begin(), all.end(), vertices);
    std::vector<std::vector<std::uint32_t>> found(vertices, std::vector<std::uint32_t>(vertices, 0));
    for (std::uint32_t v = 0; v < vertices; ++v)
        boost::breadth_first_search(g, v,
                                    boost::visitor(boost::make_bfs_visitor(
                                        boost::record_distances(found[v].data(), boost::on_tree_edge()))));
    return found;
}

TEST_P(direct_network, HasTheLinksAndDistancesOfItsDefinition) {
    const direct_case& c = GetParam();
    const auto net = network(c.network);
    ASSERT_EQ(net->routers(), c.routers);
    EXPECT_EQ(net->nodes(), c.routers * c.concentration);
    arcs expected = c.expected, links;
    for (std::uint32_t r = 0; r < net->routers(); ++r)
        for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p)
            if (const auto to = net->peer(router_id(r), port_id(p)); to.what == port_peer::kind::router)
                links.emplace_back(r, to.id);
    std::sort(links.begin(), links.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(links, expected);

    std::uint64_t sum = 0;
    std::uint32_t diameter = 0;
    for (const auto& row : distances(expected, c.routers))
        for (const auto d : row) {
            sum += d;
            diameter = std::max(diameter, d);
        }
    const double mean = static_cast<double>(sum) / c.routers / c.routers;
    const auto found = measure(*net);
    EXPECT_EQ(found.diameter, diameter);
    EXPECT_NEAR(found.mean_distance, mean, 1e-12);
    EXPECT_EQ(found.channels, expected.size());
    EXPECT_EQ(found.degrees, (std::map<std::uint32_t, std::uint32_t>{
                                 {static_cast<std::uint32_t>(expected.size() / c.routers), c.routers}}));
    const closed_forms known = net->known();
    if (known.diameter) {
        EXPECT_EQ(*known.diameter, diameter);
    }
    if (known.mean_distance) {
        EXPECT_NEAR(*known.mean_distance, mean, 1e-12);
    }
}

TEST(midimew, MatchesItsFormulaAtEverySize) {
    for (std::uint32_t n = 5; n < 300; ++n) {
        const auto net = network("midimew n=" + std::to_string(n));
        EXPECT_EQ(net->known().diameter, measure(*net).diameter) << n;
        EXPECT_NEAR(*net->known().mean_distance, measure(*net).mean_distance, 1e-12) << n;
    }
}

TEST(midimew, IsTheBestCirculantOfTwoSteps) {
    for (const std::uint32_t n : {13U, 20U, 32U}) {
        const auto best = measure(*network("midimew n=" + std::to_string(n)));
        for (std::uint32_t a = 1; 2 * a < n; ++a)
            for (std::uint32_t b = a + 1; 2 * b < n; ++b) {
                const std::string line = "circulant n=" + std::to_string(n) + " steps=" + std::to_string(a) +
                                         "," + std::to_string(b);
                if (!message([&] { network(line); }).empty()) continue;  // falls into parts
                EXPECT_LE(best.diameter, measure(*network(line)).diameter) << line;
                EXPECT_LE(best.mean_distance, measure(*network(line)).mean_distance + 1e-12) << line;
            }
    }
}

TEST(triangular_torus, MatchesItsFormulaAtEverySquare) {
    for (std::uint32_t n = 1; n < 40; ++n) {
        const std::string size = std::to_string(n);
        const auto net = network("triangular_torus w=" + size + " h=" + size);
        EXPECT_EQ(net->known().diameter, measure(*net).diameter) << n;
        EXPECT_NEAR(*net->known().mean_distance, measure(*net).mean_distance, 1e-12) << n;
    }
}

TEST(triangular_torus, HasThePortsOfSpinnaker) {
    const auto net = network("triangular_torus w=5 h=4 concentration=2");
    const auto to = [&](std::uint32_t p) { return net->peer(router_id(5 + 4), port_id(p)); };  // (4, 1)
    const std::uint32_t neighbours[] = {5, 10, 14, 8, 3, 4};  // E, NE, N, W, SW, S
    for (std::uint32_t p = 0; p < 6; ++p) {
        EXPECT_EQ(to(p).id, neighbours[p]);
        EXPECT_EQ(to(p).port, (p + 3) % 6);
    }
    EXPECT_EQ(to(6).what, port_peer::kind::node);
    EXPECT_EQ(to(7).id, 19U);
    EXPECT_EQ(network("triangular_torus unidirectional=true")->ports(router_id(0)), 4U);
}

TEST(circulant, NumbersPortsStepByStep) {
    const auto net = network("circulant n=10 steps=5,3");
    const auto to = [&](std::uint32_t p) { return net->peer(router_id(8), port_id(p)); };
    EXPECT_EQ(to(0).id, 3U);
    EXPECT_EQ(to(0).port, 0U);  // its own way back
    EXPECT_EQ(to(1).what, port_peer::kind::none);
    EXPECT_EQ(to(2).id, 1U);
    EXPECT_EQ(to(2).port, 3U);
    EXPECT_EQ(to(3).id, 5U);
    EXPECT_EQ(to(3).port, 2U);
}

TEST(hypercube, NumbersPortsByDimensionAndDirection) {
    const auto net = network("hypercube n=3");
    const auto at = [&](std::uint32_t r, std::uint32_t p) { return net->peer(router_id(r), port_id(p)); };
    EXPECT_EQ(at(2, 0).id, 3U);
    EXPECT_EQ(at(2, 0).port, 1U);
    EXPECT_EQ(at(2, 1).what, port_peer::kind::none);
    EXPECT_EQ(at(2, 2).what, port_peer::kind::none);
    EXPECT_EQ(at(2, 3).id, 0U);
    EXPECT_EQ(at(2, 4).id, 6U);
}

TEST(topology, ReportsBadInputForDirectNetworksInOneLine) {
    const std::pair<const char*, const char*> lines[] = {
        {"hypercube n=0", "test.yaml:2:1: 'n' is 0; it must be from 1 to 24"},
        {"hypercube n=25", "test.yaml:2:1: 'n' is 25; it must be from 1 to 24"},
        {"hypercube n=18 concentration=1000",
         "test.yaml:2:1: 'n' is 18 and 'concentration' is 1000: 1036 ports, two for each dimension; a router "
         "has at most 1024"},
        {"hypercube n=3 unidirectional=true",
         "test.yaml:3:1: unknown key 'unidirectional' in 'hypercube'; known: topology, n, concentration, "
         "link_latency, node_link_latency, link_cycles_per_flit, flit_phits, link_width, "
         "link_bit_error_rate, link_wake, link_idle, latency, "
         "node_latency, bandwidth"},
        {"mesh dims=4,4 unidirectional=true",
         "test.yaml:3:1: unknown key 'unidirectional' in 'mesh'; known: topology, dims, concentration, "
         "link_latency, node_link_latency, link_cycles_per_flit, flit_phits, link_width, "
         "link_bit_error_rate, link_wake, link_idle, latency, "
         "node_latency, bandwidth"},
        {"circulant n=0", "test.yaml:2:1: 'n' is 0; it must be from 2 to 16777216"},
        {"circulant n=8 steps=1,8", "test.yaml:3:1: 'steps' has 8 and 'n' is 8; a step must be from 1 to 7"},
        {"circulant n=8 steps=0,1", "test.yaml:3:1: 'steps' is 0; it must be from 1 to 16777215"},
        {"circulant n=8 steps=3,2,3", "test.yaml:3:1: 'steps' has 3 twice; each step once"},
        {"circulant n=8 steps=3,5",
         "test.yaml:3:1: 'steps' has 5 beside 3 with 'n' 8: the same links the other way round; give one of "
         "them"},
        {"circulant n=12 steps=2,4",
         "test.yaml:3:1: 'steps' and 'n' (12) have the common divisor 2: the network falls into 2 parts; it "
         "must be 1"},
        {"circulant n=9 steps=1,2 concentration=1021",
         "test.yaml:4:1: 2 steps and 'concentration' 1021 make 1025 ports; a router has at most 1024"},
        {"circulant n=16777216 steps=1 concentration=17",
         "test.yaml:2:1: 'n' is 16777216 and 'concentration' is 17: more than 268435456 nodes"},
        {"midimew n=4", "test.yaml:2:1: 'n' is 4; it must be from 5 to 16777216"},
        {"midimew n=16777217", "test.yaml:2:1: 'n' is 16777217; it must be from 5 to 16777216"},
        {"midimew n=16 concentration=1021",
         "test.yaml:3:1: 2 steps and 'concentration' 1021 make 1025 ports; a router has at most 1024"},
        {"triangular_torus w=0", "test.yaml:2:1: 'w' is 0; it must be from 1 to 65536"},
        {"triangular_torus w=65536 h=65536",
         "test.yaml:2:1: 'w' is 65536 and 'h' is 65536: more than 16777216 routers"},
        {"triangular_torus w=4 h=4 concentration=1019",
         "test.yaml:4:1: 'concentration' is 1019: 1025 ports; a router has at most 1024"},
        {"triangular_torus w=4096 h=4096 concentration=17",
         "test.yaml:2:1: 'w' is 4096 and 'h' is 4096, and 'concentration' is 17: more than 268435456 nodes"},
    };
    for (const auto& [line, text] : lines) EXPECT_EQ(message([l = line] { network(l); }), text) << line;
    const auto bare = config::value::map({{"topology", config::value::scalar("circulant")},
                                          {"steps", config::value::list({}, {"x.yaml", 3, 7})}});
    EXPECT_EQ(message([&] { topology_registry::instance().make(bare); }),
              "x.yaml:3:7: 'steps' is empty; give at least one step");
    std::string many = "circulant n=200 steps=1";
    for (int s = 2; s < 33; ++s) many += "," + std::to_string(s);
    EXPECT_EQ(network(many)->ports(router_id(0)), 65U);
    EXPECT_EQ(message([&] { network(many + ",33"); }),
              "test.yaml:3:1: 'steps' has 33 numbers; a router has at most 64 ports for steps, and each step "
              "takes one or two");
}

}  // namespace
}  // namespace sare::topology_direct_test
