// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology/topology_support.h"
#include "tlm/config/yaml.h"
#include "tlm/topology/export.h"
#include "tlm/topology/graph/graph.h"
#include "tlm/topology/properties.h"

#include <gtest/gtest.h>

namespace sare::topology_test {
namespace {

using test::expect_equal;
using test::message;
using test::network;

const char* const networks[] = {
    "dragonfly_plus p=2 l=3 s=2 h=2 g=5",
    "dragonfly_plus p=3 l=2 s=4 h=1 g=3 global_link_latency=4",
    "dragonfly_plus p=1 l=3 s=2 h=1 g=1",
    "fully_connected n=6 concentration=2",
    "circulant n=11 steps=4",
    "circulant n=12 steps=5 concentration=2",
    "circulant n=9 steps=2 unidirectional=true",
    "circulant n=2 steps=1",
    "hypercube n=1",
    "hypercube n=4 link_latency=2",
    "hypercube n=7 concentration=3",
    "midimew n=5",
    "midimew n=13 concentration=2",
    "midimew n=64",
    "midimew n=100",
    "triangular_torus w=3 h=3",
    "triangular_torus w=4 h=4 concentration=3",
    "triangular_torus w=8 h=8",
    "triangular_torus w=12 h=12",
    "triangular_torus w=1 h=1",
    "triangular_torus w=2 h=2",
    "triangular_torus w=7 h=4 unidirectional=true",
    "triangular_torus w=3 h=5 unidirectional=true concentration=2",
    "mesh dims=1",
    "mesh dims=7",
    "mesh dims=8",
    "mesh dims=4,4",
    "mesh dims=5,3",
    "mesh dims=2,3,4",
    "mesh dims=3,1,2 concentration=3",
    "mesh dims=2,2,2,2,2",
    "torus dims=4,4",
    "torus dims=5,3",
    "torus dims=2,2",
    "torus dims=6,1",
    "torus dims=3,4,5",
    "torus dims=4,4 wrap=true,false",
    "torus dims=4,5 wrap=false",
    "torus dims=6,4,3 wrap=false,true,false concentration=2",
    "torus dims=4,4 unidirectional=true",
    "torus dims=5,2,1 unidirectional=true concentration=2",
    "ring n=1",
    "ring n=2",
    "ring n=3",
    "ring n=8 concentration=4",
    "ring n=9",
    "ring n=8 unidirectional=true",
    "ring n=2 unidirectional=true",
    "crossbar n=1",
    "crossbar n=64",
    "star n=1",
    "star n=6",
    "star n=7 concentration=3",
    "kary_ntree k=4 n=3",
    "kary_ntree k=2 n=6",
    "kary_ntree k=3 n=1",
    "kary_ntree k=32 n=2",
    "thin_tree k=4 k_up=2 n=3",
    "thin_tree k=4 k_up=3 n=3",
    "thin_tree k=5 k_up=1 n=3",
    "xgft m=2,2,2,2 w=1,3,3,3 link_latency=5",
    "tree degree=3 depth=4",
    "tree degree=5 depth=1",
    "xgft m=4,3,2 w=1,2,3",
    "xgft m=2,6,3,2 w=1,1,4,2 node_link_latency=3",
    "xgft m=3,1,4,1 w=1,2,1,5",
    "twisted_torus dims=16,8 twist=0,0;8,0",
    "twisted_torus dims=4,2 twist=0,0;2,0 concentration=2",
    "twisted_torus dims=10,5 twist=0,0;5,0",
    "hyperx dims=4,4 concentration=2",
    "hyperx dims=3,1,5,2 concentration=1 link_latency=3",
    "hyperx dims=8 concentration=8",
    "hyperx dims=1 concentration=3",
    "slim_fly q=3 concentration=2",
    "slim_fly q=4 concentration=1 link_latency=2",
    "slim_fly q=5 concentration=4",
    "slim_fly q=7 concentration=1",
    "mesh dims=4,3 link_latency=3 node_link_latency=2 link_cycles_per_flit=4",
};

/// Of these no formula is known.
const char* const odd_networks[] = {
    "express_mesh dims=9,4 express=3 express_latency=2",
    "ruche dims=7,5,2 express=2,3,0 everywhere=false concentration=2",
    "circulant n=8 steps=1,4",
    "circulant n=24 steps=3,4,10 concentration=2",
    "circulant n=16 steps=1,15,4 unidirectional=true",
    "circulant n=12 steps=6,4,3 unidirectional=true",
    "midimew n=40 unidirectional=true",
    "triangular_torus w=12 h=8",
    "triangular_torus w=5 h=1",
    "triangular_torus w=2 h=7",
    "dragonfly p=2 a=4 h=2 g=9",
    "dragonfly p=1 a=3 h=3 g=5 global_link_latency=9 link_latency=2",
    "dragonfly p=3 a=1 h=5 g=4",
    "dragonfly p=1 a=5 h=1 g=1",
    "twisted_torus dims=5,4 twist=0,0;3,0",
    "twisted_torus dims=5,4 degree=1 jump=0,-2",
    "twisted_torus dims=4,4 degree=1 jump=1,2",
    "twisted_torus dims=4,6,3 twist=0,0,0;2,0,0;1,0,0",
    "twisted_torus dims=4,3,5 twist=0,0,0;1,0,0;0,2,0 concentration=2",
    "twisted_torus dims=9,1 twist=0,0;4,0",
    "twisted_torus dims=6,4 twist=0,0;3,0 unidirectional=true",
    "twisted_torus dims=4,4 degree=1 jump=1,2 unidirectional=true",
};

class every_network : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, every_network, testing::ValuesIn(networks));
INSTANTIATE_TEST_SUITE_P(odd, every_network, testing::ValuesIn(odd_networks));

class formula : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, formula, testing::ValuesIn(networks));

TEST_P(formula, MatchesASearch) {
    const auto net = network(GetParam());
    const auto found = measure(*net);
    ASSERT_EQ(found.distances, topology_properties::origin::search);
    const auto known = net->known();
    EXPECT_EQ(known.diameter, found.diameter);
    ASSERT_TRUE(known.mean_distance);
    EXPECT_NEAR(*known.mean_distance, found.mean_distance, 1e-12);
}

/// The same network without what it knows of its symmetry.
class plain final : public topology {
  public:
    explicit plain(const topology& net) : m_net(net) {}
    std::string name() const override { return "plain"; }
    std::uint32_t nodes() const override { return m_net.nodes(); }
    std::uint32_t routers() const override { return m_net.routers(); }
    std::uint32_t ports(router_id r) const override { return m_net.ports(r); }
    port_peer peer(router_id r, port_id p) const override { return m_net.peer(r, p); }
    port_peer source(router_id r, port_id p) const override { return m_net.source(r, p); }
    link_attributes link(router_id r, port_id p) const override { return m_net.link(r, p); }
    link_attributes injection_link(node_id n) const override { return m_net.injection_link(n); }
    router_id router_of(node_id n) const override { return m_net.router_of(n); }
    port_id port_of(node_id n) const override { return m_net.port_of(n); }

  private:
    const topology& m_net;
};

TEST_P(every_network, IsConnected) {
    EXPECT_FALSE(find_unreachable(*network(GetParam())));
}

TEST_P(every_network, MeasuresTheSameByClassesOfNodes) {
    const auto net = network(GetParam());
    if (net->node_classes().empty()) return;
    std::uint64_t count = 0;
    for (const auto& [n, size] : net->node_classes()) {
        EXPECT_LT(n.value, net->nodes());
        count += size;
    }
    EXPECT_EQ(count, net->nodes());
    EXPECT_NEAR(measure(plain(*net)).mean_distance, measure(*net).mean_distance, 1e-12);
    EXPECT_EQ(measure(plain(*net)).diameter, measure(*net).diameter);
}

TEST_P(every_network, HasLinksWhoseEndsAgree) {
    const auto net = network(GetParam());
    const auto* grid = net->coordinates();
    std::uint32_t nodes = 0;
    for (std::uint32_t r = 0; r < net->routers(); ++r)
        for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p) {
            const auto to = net->peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::node) {
                ++nodes;
                EXPECT_EQ(net->router_of(node_id(to.id)).value, r);
                EXPECT_EQ(net->port_of(node_id(to.id)).value, p);
            }
            if (to.what != port_peer::kind::router) continue;
            const auto from = net->source(router_id(to.id), port_id(to.port));
            EXPECT_EQ(from.what, port_peer::kind::router);
            EXPECT_EQ(from.id, r);
            EXPECT_EQ(from.port, p);
            if (grid != nullptr && grid->unidirectional) continue;
            const auto back = net->peer(router_id(to.id), port_id(to.port));
            EXPECT_EQ(back.id, r);
            EXPECT_EQ(back.port, p);
        }
    EXPECT_EQ(nodes, net->nodes());
}

TEST_P(every_network, ReadsBackFromItsEdgeList) {
    const auto net = network(GetParam());
    std::stringstream text;
    write_edge_list(*net, text);
    const auto again = read_graph(text, "text", {7, 8, 9});
    expect_equal(*net, *again);
    const auto a = measure(*net), b = measure(*again);
    EXPECT_EQ(a.links, b.links);
    EXPECT_EQ(a.channels, b.channels);
    EXPECT_EQ(a.degrees, b.degrees);
}

/// Also those that are registered tomorrow.
TEST(topology, DescribesItselfCompletely) {
    for (const auto& [name, variant] : topology_registry::instance().variants()) {
        if (name == "graph" || name == "hierarchical" || name == "planes") continue;  // need a file, networks
        const auto net = network(name);
        const topology_properties p = measure(*net);
        EXPECT_EQ(p.nodes, net->nodes()) << name;
        EXPECT_GE(p.links, p.nodes) << name;
        EXPECT_EQ(p.distances, topology_properties::origin::search) << name;
        EXPECT_TRUE(net->picture()) << name;
        std::stringstream text;
        write_edge_list(*net, text);
        expect_equal(*net, *read_graph(text, name, {}));
        std::ostringstream graphviz;
        write_graphviz(*net, graphviz);
        EXPECT_EQ(graphviz.str().substr(0, 7), "digraph") << name;
    }
}

TEST(topology, KeepsEachDirectionInAnEdgeList) {
    std::istringstream text(
        "sare-graph 1\nrouter 0 5\nrouter 1\narc 0.3 1.0 3 2\narc 1.0 0.3 4\nlink 0 1\narc 0 1 9\n"
        "node 0 0 - 5 6 7 8\nnode 1 1\n");
    const auto net = read_graph(text, "text", {});
    std::stringstream again;
    write_edge_list(*net, again);
    expect_equal(*net, *read_graph(again, "again", {}));
}

TEST(topology, NumbersAMesh) {
    const auto net = network("mesh dims=4,3 concentration=2");
    EXPECT_EQ(net->nodes(), 24U);
    EXPECT_EQ(net->ports(router_id(0)), 6U);
    const auto at = [&](std::uint32_t r, std::uint32_t p) { return net->peer(router_id(r), port_id(p)); };
    EXPECT_EQ(at(5, 0).id, 6U);  // + in dimension 0
    EXPECT_EQ(at(5, 0).port, 1U);
    EXPECT_EQ(at(5, 1).id, 4U);
    EXPECT_EQ(at(5, 2).id, 9U);  // + in dimension 1
    EXPECT_EQ(at(5, 3).id, 1U);
    EXPECT_EQ(at(0, 1).what, port_peer::kind::none);
    EXPECT_EQ(at(3, 0).what, port_peer::kind::none);
    EXPECT_EQ(at(5, 4).what, port_peer::kind::node);
    EXPECT_EQ(at(5, 5).id, 11U);
    EXPECT_EQ(at(5, 6).what, port_peer::kind::none);
}

TEST(topology, NumbersAOneWayTorus) {
    const auto net = network("torus dims=4,3 unidirectional=true");
    EXPECT_EQ(net->ports(router_id(0)), 3U);
    EXPECT_EQ(net->peer(router_id(3), port_id(0)).id, 0U);
    EXPECT_EQ(net->source(router_id(0), port_id(0)).id, 3U);
    EXPECT_EQ(net->peer(router_id(9), port_id(1)).id, 1U);
    EXPECT_EQ(net->peer(router_id(9), port_id(1)).port, 1U);
}

TEST(topology, HasTwoLinksInARingOfTwo) {
    const auto net = network("ring n=2");
    const auto p = measure(*net);
    EXPECT_EQ(p.channels, 4U);
    EXPECT_EQ(p.links, 4U);  // two between the routers, two of the nodes
    EXPECT_EQ(net->peer(router_id(0), port_id(0)).port, 1U);
    EXPECT_EQ(net->peer(router_id(0), port_id(1)).port, 0U);
}

TEST(topology, PutsLinkParametersWhereTheyBelong) {
    const auto net = network("star n=3 link_latency=3 node_link_latency=2 link_cycles_per_flit=4");
    EXPECT_EQ(net->link(router_id(0), port_id(1)).latency, 3U);
    EXPECT_EQ(net->link(router_id(1), port_id(0)).cycles_per_flit, 4U);
    EXPECT_EQ(net->link(router_id(1), port_id(1)).latency, 2U);
    EXPECT_EQ(net->link(router_id(1), port_id(1)).cycles_per_flit, 1U);
    EXPECT_EQ(net->injection_link(node_id(0)).latency, 2U);
}

TEST(topology, WritesItsPropertiesAsText) {
    std::ostringstream out;
    write_properties(measure(*network("mesh dims=4,4")), out);
    EXPECT_EQ(out.str(),
              "nodes: 16\nrouters: 16\nlinks: 40\nchannels between routers: 48\nradix: 5\n"
              "degrees: 4 x 2 8 x 3 4 x 4\ndiameter: 6\nmean distance: 2.5\nbisection: 8 channels\n");
    std::ostringstream round;
    write_properties(measure(*network("torus dims=40,40")), round);
    EXPECT_NE(round.str().find("\nmean distance: 20\n"), std::string::npos) << round.str();
}

TEST(topology, MeasuresLargeNetworksByFormulaOrSample) {
    const auto net = network("mesh dims=60,60");
    const auto formula = measure(*net, 1000);
    EXPECT_EQ(formula.distances, topology_properties::origin::formula);
    EXPECT_EQ(formula.diameter, 118U);
    const auto sample = measure(plain(*net), 40 * (3600 + 14160));
    EXPECT_EQ(sample.distances, topology_properties::origin::sample);
    EXPECT_EQ(sample.searches, 40U);
    EXPECT_NEAR(sample.mean_distance, formula.mean_distance, 3);
    std::ostringstream out;
    write_properties(sample, out);
    EXPECT_NE(out.str().find("diameter: at least "), std::string::npos);
    EXPECT_NE(out.str().find(" (sampled from 40 nodes)\n"), std::string::npos);
}

TEST(topology, WritesGraphvizText) {
    std::ostringstream out;
    write_graphviz(*network("mesh dims=2 link_latency=2"), out);
    EXPECT_EQ(
        out.str(),
        "digraph \"mesh\" {\n  edge [fontsize=8];\n  node [shape=box];\n  r0;\n  r1;\n"
        "  node [shape=circle];\n  n0 -> r0 [dir=both, headlabel=2];\n  n1 -> r1 [dir=both, headlabel=2];\n"
        "  r0 -> r1 [taillabel=0, headlabel=1, dir=both, label=\"2/1\"];\n}\n");
    std::ostringstream one_way;
    write_graphviz(*network("ring n=3 unidirectional=true"), one_way);
    EXPECT_NE(one_way.str().find("  r2 -> r0 [taillabel=0, headlabel=0];\n}\n"), std::string::npos);
}

TEST(topology, IsTheSameFromItsResolvedSection) {
    const auto& all = topology_registry::instance();
    const auto resolved = all.resolve(test::section("torus dims=3,4 wrap=true,false", "topology"));
    EXPECT_EQ(config::flow_style(resolved),
              "{topology: torus, dims: [3, 4], concentration: 1, link_latency: 1, node_link_latency: 1, "
              "link_cycles_per_flit: 1, flit_phits: 1, link_width: 0, link_bit_error_rate: 0, link_wake: 0, "
              "link_idle: 0, latency: 0, node_latency: 0, bandwidth: "
              "0, wrap: [true, false], "
              "unidirectional: false}");
    expect_equal(*all.make(resolved), *network("torus dims=3,4 wrap=true,false"));
    for (const char* line :
         {"twisted_torus dims=5,4 twist=0,0;3,0", "twisted_torus dims=5,4 degree=1 jump=1,2"})
        expect_equal(*all.make(all.resolve(test::section(line, "topology"))), *network(line));
}

/// A default that depends on other parameters fits them.
TEST(topology, HasDefaultsThatFollowOtherParameters) {
    EXPECT_EQ(network("dragonfly a=4 p=2 h=2")->nodes(), 9U * 4 * 2);
    EXPECT_EQ(network("dragonfly a=4")->nodes(), 17U * 4 * 4);
    EXPECT_EQ(network("dragonfly")->nodes(), 33U * 8 * 4);
    EXPECT_EQ(network("xgft m=8,8")->nodes(), 64U);
    EXPECT_EQ(network("xgft m=8,8")->ports(router_id(0)), 16U);
    EXPECT_EQ(network("xgft h=2")->nodes(), 16U);
    EXPECT_EQ(network("xgft w=1,2")->nodes(), 16U);
    for (const std::uint32_t n : {2U, 3U, 4U, 5U, 6U, 16U})
        EXPECT_EQ(network("circulant n=" + std::to_string(n))->nodes(), n);
    const config::value section = config::parse_yaml("{topology: dragonfly, a: 4, p: 2, h: 2}", "a.yaml");
    EXPECT_EQ(topology_registry::instance().resolve(section).find("g")->text(), "9");
}

TEST(topology, ReportsBadInputInOneLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"mesh dims=0,4", "test.yaml:2:1: 'dims' is 0; it must be from 1 to 65536"},
        {"ring n=0", "test.yaml:2:1: 'n' is 0; it must be from 1 to 65536"},
        {"star n=16777216", "test.yaml:2:1: 'n' is 16777216; it must be from 1 to 16777215"},
        {"star n=16777215 concentration=17",
         "test.yaml:3:1: 'n' is 16777215 and 'concentration' is 17: more than 268435456 nodes"},
        {"crossbar n=16777216", "test.yaml:2:1: 'n' is 16777216; it must be from 1 to 16777215"},
        {"mesh dims=5000,5000", "test.yaml:2:1: 'dims' is [5000, 5000]: more than 16777216 routers"},
        {"mesh dims=65536,65536,65536,65536,65536",
         "test.yaml:2:1: 'dims' is [65536, 65536, 65536, 65536, 65536]: more than 16777216 routers"},
        {"mesh dims=4096,4096 concentration=40",
         "test.yaml:2:1: 'dims' is [4096, 4096] and 'concentration' is 40: more than 268435456 nodes"},
        {"mesh dims=2,2 concentration=1021",
         "test.yaml:2:1: 'dims' has 2 dimensions and 'concentration' is 1021: 1025 ports; a router has at "
         "most 1024"},
        {"mesh dims=4 concentration=0", "test.yaml:3:1: 'concentration' is 0; it must be from 1 to 1024"},
        {"mesh dims=4 link_latency=0", "test.yaml:3:1: 'link_latency' is 0; it must be from 1 to 65535"},
        {"torus dims=4,4,4 wrap=true,false",
         "test.yaml:3:1: 'wrap' has 2 flags for 3 dimensions; give one for each, or one for all"},
        {"torus dims=4,4 wrap=true,false unidirectional=true",
         "test.yaml:4:1: 'unidirectional' is true and dimension 1 does not wrap; one-way links need every "
         "dimension closed to a ring"},
        {"torus dims=4,4 twist=1",
         "test.yaml:3:1: unknown key 'twist' in 'torus'; known: topology, dims, "
         "concentration, link_latency, node_link_latency, link_cycles_per_flit, flit_phits, link_width, "
         "link_bit_error_rate, link_wake, link_idle, "
         "latency, node_latency, "
         "bandwidth, wrap, "
         "unidirectional"},
        {"kary_ntree k=1", "test.yaml:2:1: 'k' is 1; it must be from 2 to 1023"},
        {"kary_ntree k=513 n=2",
         "test.yaml:2:1: 'k' is 513: a switch would have 1026 ports, up and down; at most 1024"},
        {"kary_ntree k=4 n=15",
         "test.yaml:3:1: 'n' is 15 levels of switches with 4 ports down and 4 up: more than 268435456 nodes"},
        {"thin_tree k=4 k_up=3 n=13",
         "test.yaml:4:1: 'n' is 13 levels of switches with 4 ports down and 3 up: more than 16777216 "
         "routers"},
        {"thin_tree k=4 k_up=5",
         "test.yaml:3:1: 'k_up' is 5; a thin tree has at most as many ports up as down: 'k' is 4 (xgft may "
         "widen)"},
        {"thin_tree k=2 n=25", "test.yaml:3:1: 'n' is 25; it must be from 1 to 24"},
        {"thin_tree k_up=0", "test.yaml:2:1: 'k_up' is 0; it must be from 1 to 1023"},
        {"tree degree=0", "test.yaml:2:1: 'degree' is 0; it must be from 1 to 65534"},
        {"tree degree=3 depth=18",
         "test.yaml:3:1: 'depth' is 18 levels of 3 children each: more than 268435456 nodes"},
        {"xgft m=4,4 w=1,0", "test.yaml:3:1: 'w' is 0; it must be from 1 to 1023"},
        {"xgft m=4,4 w=1", "test.yaml:3:1: 'w' has 1 numbers and 'm' 2; both must have one for each level"},
        {"xgft m=4,4 w=2,1",
         "test.yaml:3:1: 'w' is [2, 1]: a node would have 2 parents; the first number must be 1"},
        {"xgft h=3 m=4,4 w=1,1",
         "test.yaml:2:1: 'h' is 3 and 'm' has 2 numbers; it must have one for each level"},
        {"xgft m=1000,4 w=1,25",
         "test.yaml:2:1: 'm' is [1000, 4] and 'w' [1, 25]: a switch would have 1025 ports, up and down; at "
         "most 1024"},
        {"xgft m=60,60,60,60,60 w=1,1,1,1,1",
         "test.yaml:2:1: 'm' is [60, 60, 60, 60, 60] and 'w' [1, 1, 1, 1, 1]: more than 268435456 nodes"},
        {"xgft m=2,2,2,2,2,2 w=1,60,60,60,60,60",
         "test.yaml:2:1: 'm' is [2, 2, 2, 2, 2, 2] and 'w' [1, 60, 60, 60, 60, 60]: more than 16777216 "
         "routers"},
        {"mesh dims=4,4 twist=0,0;2,0",
         "test.yaml:3:1: unknown key 'twist' in 'mesh'; known: topology, dims, concentration, link_latency, "
         "node_link_latency, link_cycles_per_flit, flit_phits, link_width, link_bit_error_rate, link_wake, "
         "link_idle, latency, node_latency, bandwidth"},
        {"twisted_torus dims=4,4 twist=0,0,0;2,0,0",
         "test.yaml:3:1: 'twist' must have 2 rows of 2 numbers, one for each dimension"},
        {"twisted_torus dims=4,4 twist=1,0;2,0",
         "test.yaml:3:1: 'twist' moves along dimension 0 at its own wrap link; the diagonal must be 0"},
        {"twisted_torus dims=4,4 twist=2", "test.yaml:3:1: 'twist' must be a list, not a single value"},
        {"twisted_torus dims=4,4 degree=2 jump=1,1",
         "test.yaml:3:1: 'degree' is 2 with 2 dimensions: a dimension cannot be twisted along itself"},
        {"twisted_torus dims=4,4 degree=1 jump=1,1,1",
         "test.yaml:4:1: 'jump' has 3 numbers for 2 dimensions; give one for each"},
        {"twisted_torus dims=4,4 jump=1,1", "test.yaml:3:1: 'jump' is given without 'degree', from 1 up"},
        {"twisted_torus dims=4,4 twist=0,0;2,0 degree=1 jump=0,1",
         "test.yaml:3:1: 'twist' and 'degree' are both given; one of them says how links are twisted"},
        {"dragonfly p=2 a=0", "test.yaml:3:1: 'a' is 0; it must be from 1 to 1024"},
        {"dragonfly p=1000 a=16 h=10",
         "test.yaml:2:1: 'p' is 1000, 'a' 16 and 'h' 10: 1025 ports, p + a - 1 + h; a router has at most "
         "1024"},
        {"dragonfly p=1 a=400 h=400", "test.yaml:3:1: 'a' is 400 and 'g' 160001: more than 16777216 routers"},
        {"dragonfly p=100 a=200 h=200",
         "test.yaml:2:1: 'p' is 100, 'a' 200 and 'g' 40001: more than 268435456 nodes"},
        {"dragonfly p=2 a=4 h=2 g=10",
         "test.yaml:5:1: 'g' is 10; a group has 8 global links, a * h, so there are at most 9 groups"},
        {"hyperx dims=4,0", "test.yaml:2:1: 'dims' is 0; it must be from 1 to 1024"},
        {"hyperx dims=40,20 concentration=967",
         "test.yaml:2:1: 'dims' is [40, 20] and 'concentration' 967: 1025 ports; a router has at most 1024"},
        {"hyperx dims=64,64,64,64,64",
         "test.yaml:2:1: 'dims' is [64, 64, 64, 64, 64]: more than 16777216 routers"},
        {"slim_fly q=0", "test.yaml:2:1: 'q' is 0; it must be from 3 to 41"},
        {"slim_fly q=6",
         "test.yaml:2:1: 'q' is 6; it must be a power of a prime: 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, "
         "25, 27, 29, 31, 32, 37 or 41"},
        {"slim_fly q=31 concentration=978",
         "test.yaml:2:1: 'q' is 31 and 'concentration' 978: 1025 ports; a router has at most 1024"},
        {"moebius",
         "test.yaml:1:1: unknown topology 'moebius'; one of: "
         "butterfly, circulant, clique, clos, crossbar, dragonfly, dragonfly_plus, express_mesh, "
         "fully_connected, graph, hierarchical, hypercube, hyperx, kary_ntree, mesh, midimew, omega, planes, "
         "pt2pt, ring, ruche, slim_fly, star, thin_tree, torus, tree, triangular_torus, twisted_torus, xgft"},
        {"graph", "test.yaml:1:1: 'file' is missing; give the name of a file"},
        {"graph file=nowhere.txt",
         "test.yaml:2:1: 'file' is nowhere.txt; cannot read nowhere.txt: No such file or directory"},
    };
    for (const auto& [line, text] : cases) EXPECT_EQ(message([l = line] { network(l); }), text) << line;
    const auto empty = config::value::map(
        {{"topology", config::value::scalar("mesh")}, {"dims", config::value::list({}, {"x.yaml", 3, 7})}});
    EXPECT_EQ(message([&] { topology_registry::instance().make(empty); }),
              "x.yaml:3:7: 'dims' is empty; give the size of at least one dimension");
}

}  // namespace
}  // namespace sare::topology_test
