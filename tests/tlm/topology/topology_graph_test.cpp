// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology/topology_support.h"
#include "tlm/topology/export.h"
#include "tlm/topology/graph/foreign_network.h"
#include "tlm/topology/graph/graph.h"
#include "tlm/topology/surviving_network.h"

#include <gtest/gtest.h>

namespace sare::topology_graph_test {
namespace {

std::unique_ptr<topology> read(const std::string& text, const link_parameters& defaults = {}) {
    std::istringstream in(text);
    return read_graph(in, "net.txt", defaults);
}

port_peer to(const topology& net, std::uint32_t r, std::uint32_t p) {
    return net.peer(router_id(r), port_id(p));
}

TEST(graph, TakesTheLowestFreePortsForThoseLeftOut) {
    const auto net = read(
        "# before the header\n"
        "sare-graph 1\n"
        "link 0 1.1   # router 1's port is given\n"
        "node 0 0\n"
        "node 1 1 - 4\n"
        "node 2 1 0 5 6 7 8\n"
        "link 1 0 9 10\n",
        {2, 3, 4});
    EXPECT_EQ(net->name(), "graph");
    EXPECT_EQ(net->routers(), 2U);
    EXPECT_EQ(net->ports(router_id(0)), 3U);
    EXPECT_EQ(net->ports(router_id(1)), 4U);
    EXPECT_EQ(to(*net, 0, 0).id, 1U);
    EXPECT_EQ(to(*net, 0, 0).port, 1U);
    EXPECT_EQ(net->port_of(node_id(0)).value, 1U);
    EXPECT_EQ(net->port_of(node_id(2)).value, 0U);
    EXPECT_EQ(net->port_of(node_id(1)).value, 2U);
    EXPECT_EQ(to(*net, 1, 3).port, 2U);
    EXPECT_EQ(net->link(router_id(0), port_id(0)).latency, 2U);
    EXPECT_EQ(net->link(router_id(0), port_id(0)).cycles_per_flit, 4U);
    EXPECT_EQ(net->injection_link(node_id(0)).latency, 3U);
    EXPECT_EQ(net->injection_link(node_id(1)).latency, 4U);
    EXPECT_EQ(net->injection_link(node_id(2)).cycles_per_flit, 6U);
    EXPECT_EQ(net->link(router_id(1), port_id(0)).latency, 7U);
    EXPECT_EQ(net->link(router_id(0), port_id(2)).latency, 9U);
    EXPECT_EQ(net->link(router_id(1), port_id(3)).cycles_per_flit, 10U);
}

TEST(graph, UsesOneSideOfAPortForAnArc) {
    const auto net = read(
        "sare-graph 1\narc 0 1\narc 1 2 5\narc 2 0\nnode 0 0\nnode 1 2\nrouter 0\nrouter 1 1\nrouter 2 4\n");
    EXPECT_EQ(net->ports(router_id(1)), 1U);
    EXPECT_EQ(net->ports(router_id(2)), 4U);
    EXPECT_EQ(to(*net, 1, 0).id, 2U);
    EXPECT_EQ(net->source(router_id(1), port_id(0)).id, 0U);
    EXPECT_EQ(net->link(router_id(1), port_id(0)).latency, 5U);
    EXPECT_EQ(to(*net, 2, 3).what, port_peer::kind::none);
}

TEST(graph, MakesALinkOfTwoArcs) {
    const auto net = read("sare-graph 1\narc 0.0 1.0 3\narc 1.0 0.0 4\nnode 0 0\nnode 1 1\n");
    EXPECT_EQ(to(*net, 0, 0).id, 1U);
    EXPECT_EQ(to(*net, 1, 0).id, 0U);
    EXPECT_EQ(net->link(router_id(0), port_id(0)).latency, 3U);
    EXPECT_EQ(net->link(router_id(1), port_id(0)).latency, 4U);
}

/// A name alone takes the number behind all that there are; what is written reads back.
TEST(graph, TakesNamesOfPlaces) {
    const auto net = read(
        "sare-graph 1\nrouter hub\nrouter 3=mem 4\nrouter io\nrouter 1\nrouter 2\nlink hub io.2 name=slow\n"
        "link hub 3\nlink mem 1\narc 1 2 name=ring\narc 2 1 name=ring\nnode dram mem\nnode 1=eth io\n");
    std::ostringstream written;
    write_edge_list(*net, written);
    const auto again = read(written.str());
    const surviving_network surviving(*net);
    EXPECT_EQ(surviving.terminals(), 2U);
    for (const topology* one : std::initializer_list<const topology*>{net.get(), again.get(), &surviving}) {
        const place_names& names = one->names();
        EXPECT_EQ(names.number(place_kind::router, "hub"), 0U);
        EXPECT_EQ(names.number(place_kind::router, "io"), 4U);
        EXPECT_EQ(names.name(place_kind::router, 3), "mem");
        EXPECT_EQ(names.text(place_kind::router, 1), "router 1");
        EXPECT_EQ(names.text(place_kind::node, 1), "node eth");
        EXPECT_EQ(names.link(0, 0), "slow");
        EXPECT_EQ(names.link(4, 2), "slow");
        EXPECT_EQ(names.link(1, 1), "ring");
    }
    EXPECT_NE(written.str().find("link 0.0 4.2 1 1 name=slow\n"), std::string::npos) << written.str();
}

TEST(graph, PutsRoutersAtTheirGivenPlaces) {
    const auto net = read(
        "sare-graph 1\nrouter a at 0 0\nrouter b 4 at 30 0\nrouter c at -1.5e1 20\nlink a b\nlink b c\nnode "
        "0 "
        "a\n");
    const auto picture = net->picture();
    ASSERT_NE(picture, nullptr);
    EXPECT_EQ(net->ports(router_id(1)), 4U);
    EXPECT_DOUBLE_EQ(picture->of(router_id(1)).x, 30 / 25.0);  // a and c are the nearest, 25 apart
    EXPECT_DOUBLE_EQ(picture->of(router_id(2)).x, -15 / 25.0);
    EXPECT_DOUBLE_EQ(picture->of(router_id(2)).y, 20 / 25.0);
    EXPECT_EQ(read("sare-graph 1\nlink 0 1\nnode 0 0\n")->picture(), nullptr);
}

TEST(graph, ReportsEveryMistakeInOneLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "1: the first line must be 'sare-graph 1'"},
        {"sare-graph 2\n", "1: the first line must be 'sare-graph 1'"},
        {"graph {\n", "1: the first line must be 'sare-graph 1'"},
        {"sare-graph 1\nedge 0 1\n", "2: unknown line 'edge'; one of: router, node, exit, link, arc"},
        {"sare-graph 1\nlink 0\n", "2: two routers are needed"},
        {"sare-graph 1\nlink 0 1x\n", "2: the router must be a number, not '1x'"},
        {"sare-graph 1\nlink 0 all\n", "2: the router must be a number, not 'all'"},
        {"sare-graph 1\nrouter 0=a!\n",
         "2: a router cannot be called 'a!'; a name is a letter or _, then letters, digits and _ - /, and "
         "not "
         "'all'"},
        {"sare-graph 1\nrouter 0=io\nrouter 1=io\n",
         "3: 'io' is the name of router 0 already, and not of router 1"},
        {"sare-graph 1\nnode io 0\nnode 0=cpu 0\n", "3: node 0 is called 'io' already, and not 'cpu'"},
        {"sare-graph 1\nrouter a at 1\n", "2: a position is two numbers; write 'router ID [PORTS] at X Y'"},
        {"sare-graph 1\nrouter a at 1 nan\n", "2: a coordinate must be a number from -1e9 to 1e9, not 'nan'"},
        {"sare-graph 1\nrouter a at 1 1\nrouter b\n",
         "3: positions ('at X Y') are given for some routers; router b has none"},
        {"sare-graph 1\nrouter a at 1 1\nrouter b at 1 1\n", "3: router b is where router a is"},
        {"sare-graph 1\nlink io io\n", "2: router io is linked to itself"},
        {"sare-graph 1\nnode a io\nnode a io\n", "3: node a is given twice, first on line 2"},
        {"sare-graph 1\nrouter io\nnode 0 io\nlink io oi\n", "4: unknown router oi: it has no 'router' line"},
        {"sare-graph 1\nlink a b name=x y\n", "2: the latency must be a number, not 'name=x'"},
        {"sare-graph 1\nlink a b name=\n",
         "2: a link cannot be called '?'; a name is a letter or _, then letters, digits and _ - /, and not "
         "'all'"},
        {"sare-graph 1\nlink a b name=x\nlink a c name=x\n",
         "3: 'x' is the name of the link of line 2 already"},
        {"sare-graph 1\nlink 0 1.\n", "2: the port must be a number, not ''"},
        {"sare-graph 1\nlink 0 1.1024\n", "2: the port is 1024; it must be from 0 to 1023"},
        {"sare-graph 1\nlink 0 99999999\n", "2: the router is 99999999; it must be from 0 to 16777215"},
        {"sare-graph 1\nlink 0 99999999999\n", "2: the router is 99999999999; it must be from 0 to 16777215"},
        {"sare-graph 1\nlink 0 1 0\n", "2: the latency is 0; it must be from 1 to 65535"},
        {"sare-graph 1\nlink 0 1 1 1 1\n", "2: unexpected '1' at the end of the line"},
        {"sare-graph 1\nlink 0 1 1 -1\n", "2: the cycles per flit must be a number, not '-1'"},
        {"sare-graph 1\nlink 3 3\n", "2: router 3 is linked to itself"},
        {"sare-graph 1\nnode\n", "2: the node is missing; write 'node NODE ROUTER'"},
        {"sare-graph 1\nnode 0\n", "2: the router is missing; write 'node NODE ROUTER'"},
        {"sare-graph 1\nrouter\n", "2: the router is missing"},
        {"sare-graph 1\nrouter 0\nrouter 0\n", "3: router 0 is given twice, first on line 2"},
        {"sare-graph 1\nrouter 0 1025\n", "2: the number of ports is 1025; it must be from 1 to 1024"},
        {"sare-graph 1\nnode 0 0\nnode 0 0\n", "3: node 0 is given twice, first on line 2"},
        {"sare-graph 1\nnode 0 0\nnode 2 0\n",
         "3: node 2 is given but node 1 is not; nodes are numbered from 0 without gaps"},
        {"sare-graph 1\nlink 0 1\n\n", "3: no node; at least one 'node' line is needed"},
        {"sare-graph 1\nrouter 0\nnode 0 0\nlink 0 1\n", "4: unknown router 1: it has no 'router' line"},
        {"sare-graph 1\nnode 0 0\nlink 0 2\n",
         "3: router 2 is named but router 1 is not; routers are numbered from 0 without gaps"},
        {"sare-graph 1\nnode 0 0 1\nlink 0.1 1\n", "3: port 1 of router 0 is used twice, first on line 2"},
        {"sare-graph 1\nlink 0.1 1\nnode 0 0 1\n", "3: port 1 of router 0 is used twice, first on line 2"},
        {"sare-graph 1\narc 0.1 1\nlink 0.1 1\nnode 0 0\n",
         "3: port 1 of router 0 is used twice, first on line 2"},
        {"sare-graph 1\nrouter 0 1\nrouter 1\nnode 0 0\nlink 0.1 1\n",
         "5: router 0 has no port 1: line 2 gives it 1"},
        {"sare-graph 1\nrouter 0 1\nrouter 1\nnode 0 0\nlink 0 1\n",
         "5: router 0 has no free port left of its 1"},
        {"sare-graph 1\nnode 0 0\nnode 1 1\nlink 0 2\nlink 1 3\n",
         "3: the network is not connected: there is no way from router 0 to router 1"},
        {"sare-graph 1\nnode 0 0\narc 0 1\n",
         "3: the network is not connected: there is no way from router 1 to router 0"},
    };
    for (const auto& [text, problem] : cases)
        EXPECT_EQ(test::message([t = text] { read(t); }), std::string("net.txt:") + problem) << text;
}

std::unique_ptr<topology> foreign(const std::string& text, std::uint32_t concentration = 1) {
    return read(as_edge_list(text, "net.txt", concentration));
}

/// Two switches and three hosts in each format; the links of the switches take 500 ns and 100 Gbit/s.
TEST(graph, ReadsFilesOfOthers) {
    const std::string graphml =
        "<?xml version=\"1.0\"?>\n<graphml>\n"
        "<key id=\"k\" for=\"node\" attr.name=\"type\"/><key id=\"d\" attr.name=\"delay\"/>\n"
        "<key id=\"b\" attr.name=\"bandwidth\"/>\n<graph edgedefault=\"undirected\">\n"
        "<node id=\"s0\"/><node id=\"s1\"/>\n<node id=\"h2\"><data key=\"k\">host</data></node>"
        "<node id=\"h3\"><data key=\"k\">host</data></node><node id=\"h4\"><data "
        "key=\"k\">host</data></node>\n"
        "<edge source=\"s0\" target=\"s1\"><data key=\"d\">500ns</data><data key=\"b\">100 "
        "Gbit/s</data></edge>\n"
        "<edge source=\"h2\" target=\"s0\"/><edge source=\"s1\" target=\"h3\"/><edge source=\"h4\" "
        "target=\"s1\"/>\n"
        "</graph></graphml>\n";
    const std::string dot =
        "/* a cluster\n */ strict graph \"two switches\" {\n  rankdir = LR; node [shape=box]\n"
        "  s0 -- s1 [delay=\"500ns\", bandwidth=\"100 Gbit/s\"]; // between\n  s1 -- s0\n"
        "  subgraph cluster_hosts { node [type=host]; h2; h3 h4 }\n# a line of the preprocessor\n"
        "  h2:p -- s0;  s1 -- {h3 h4}\n}\n";
    const std::string hpcc =
        "5 2 4\n0 1\n0 1 100Gbps 0.0005ms 0\n2 0 100Gbps 500ns 0.000000\n1 3 100Gbps 500ns 0\n4 1 100Gbps "
        "500ns 0\n\nFirst line: nodes\n";
    for (const std::string& text : {graphml, dot, hpcc}) {
        SCOPED_TRACE(text);
        const auto net = foreign(text);
        ASSERT_EQ(net->routers(), 2U);
        ASSERT_EQ(net->nodes(), 3U);
        EXPECT_EQ(net->names().name(place_kind::node, 0), "h2");
        EXPECT_EQ(net->names().name(place_kind::router, 1), "s1");
        EXPECT_EQ(net->router_of(node_id(0)).value, 0U);
        EXPECT_EQ(net->router_of(node_id(2)).value, 1U);
        std::uint32_t links = 0;
        for (std::uint32_t p = 0; p < net->ports(router_id(0)); ++p) {
            if (to(*net, 0, p).what != port_peer::kind::router) continue;
            ++links;
            const link_attributes a = net->link(router_id(0), port_id(p));
            EXPECT_EQ(a.picoseconds, 500000U);
            EXPECT_EQ(a.decibits_per_second, 1000000000000U);
            EXPECT_TRUE(a.latency_follows && a.rate_follows);
        }
        EXPECT_EQ(links, 1U);
    }
    const auto ring = foreign("digraph { 10 -> 20 -> 30 -> 10 }", 2);  // numbers are no names
    EXPECT_EQ(ring->routers(), 3U);
    EXPECT_EQ(ring->nodes(), 6U);
    EXPECT_TRUE(ring->names().empty());
    EXPECT_EQ(to(*ring, 2, 0).id, 0U);
    const auto given = read("sare-graph 1\nnode 0 0\nlink 0 1 2us 25Gbps\nlink 0 1 - 7\n", {5});
    EXPECT_EQ(given->link(router_id(0), port_id(1)).picoseconds, 2000000U);
    EXPECT_EQ(given->link(router_id(0), port_id(2)).latency, 5U);
    EXPECT_EQ(given->link(router_id(0), port_id(2)).cycles_per_flit, 7U);
}

TEST(graph, ReportsTheLineOfAWrongFileOfOthers) {
    const std::tuple<std::string, const char*> cases[] = {
        {"graph {\n a -- b\n", "3:1: the graph has no end: '}' is missing"},
        {"graph {\n a -> b\n}", "2:1: '--' links routers in a graph, not '->'"},
        {"graph {\n a -- b [delay=5]\n}", "2:1: 'delay' is '5'; it needs a unit, such as 1us"},
        {"graph {\n a -- b\n\n a -- \"c\n }", "4:1: a text begins here that does not end"},
        {"graph { h [type=host]\n a -- b; h -- a\n h -- b }",
         "3:1: node 'h' has a second link; the first is on line 2. A node has one link here"},
        {"graph {\n h [type=hots]; a -- b }", "2:1: unknown type 'hots'; did you mean 'host'?"},
        {"graph {\n a -- b [bandwith=5]\n}", "2:1: unknown attribute 'bandwith'; did you mean 'bandwidth'?"},
        {"graph { h [type=host]; a -- b }", "1:1: node 'h' has no link to a router"},
        {"graph {\n\n a -- a }", "3: router a is linked to itself"},
        {"<graphml>\n<graph>\n<node/></graph></graphml>", "3:1: <node> has no attribute 'id'"},
        {"<graphml>\n<graph><edge source='a'\n target='b'/></graph></graphml>", "2:1: there is no node 'a'"},
        {"<graphml>\n<graph>\n</grap></graphml>", "3:1: this is no XML: invalid closing tag name"},
        {"<a/>", "1:1: <graphml> is expected, not <a>"},
        {"2 1 1\n0\n0 5 1Gbps 1us 0\n", "3:1: 'number' is 5; it must be from 0 to 1"},
        {"2 1 1\n0\n0 1 1Gbps 1us 0.1\n", "3:1: the error rate is 0.1; it is read only where it is 0"},
        {"2 1 2\n0\n0 1 1Gbps 1us 0\n",
         "3:1: a topology of HPCC has here a link: two nodes, rate, delay and error rate; there are 0 words"},
    };
    for (const auto& [text, problem] : cases)
        EXPECT_EQ(test::message([t = text] { foreign(t); }), std::string("net.txt:") + problem) << text;
    EXPECT_EQ(test::message([] { read("sare-graph 1\nnode 0 0\nlink 0 1 5s\n"); }),
              "net.txt:3: the latency is 5s; it must be above 0 and at most 1 s");
    EXPECT_EQ(test::message([] { read("sare-graph 1\nnode 0 0\nlink 0 1 5m\n"); }),
              "net.txt:3: the latency is 5m; write a number, or one with a unit such as 5ns");
}

}  // namespace
}  // namespace sare::topology_graph_test
