// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tests/tlm/routing/routing_mutants.h"
#include "tlm/topology/export.h"

#include <gtest/gtest.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>

#include <map>
#include <set>

/// Networks of one-way stages, whose nodes send to one router and receive from another.
namespace sare::test::multistage_test {
namespace {

using verdict = deadlock_report::verdict;

struct a_case {
    const char* network;
    std::uint32_t nodes, stages, routers, channels;
};
void PrintTo(const a_case& c, std::ostream* out) {
    *out << c.network;
}

const a_case cases[] = {
    {"butterfly k=2 n=3", 8, 3, 12, 16},
    {"butterfly k=4 n=3", 64, 3, 48, 128},
    {"butterfly k=3 n=4 link_latency=2", 81, 4, 108, 243},
    {"butterfly k=5 n=1", 5, 1, 1, 0},
    {"omega k=2 n=3", 8, 3, 12, 16},
    {"omega k=2 n=6", 64, 6, 192, 320},
    {"omega k=3 n=3 node_link_latency=3", 27, 3, 27, 54},
    {"omega k=2 n=3 extra=2", 8, 5, 20, 32},
    {"omega k=3 n=2 extra=1", 9, 3, 9, 18},
    {"clos m=4 n=4 r=4", 16, 3, 12, 32},
    {"clos m=5 n=3 r=6", 18, 3, 17, 60},
    {"clos m=1 n=2 r=3", 6, 3, 7, 6},
};
class every_multistage : public testing::TestWithParam<a_case> {};
INSTANTIATE_TEST_SUITE_P(, every_multistage, testing::ValuesIn(cases));

TEST_P(every_multistage, HasItsCountsAndDistances) {
    const auto net = test::network(GetParam().network);
    EXPECT_EQ(net->nodes(), GetParam().nodes);
    EXPECT_EQ(net->routers(), GetParam().routers);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> links(net->routers());
    for (std::uint32_t r = 0; r < net->routers(); ++r)
        for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p)
            if (const port_peer to = net->peer(router_id(r), port_id(p)); to.what == port_peer::kind::router)
                boost::add_edge(r, to.id, links);
    EXPECT_EQ(boost::num_edges(links), GetParam().channels);
    for (std::uint32_t s = 0; s < net->nodes(); ++s) {
        std::vector<std::uint32_t> distance(net->routers(), 0);
        boost::breadth_first_search(links, net->router_of(node_id(s)).value,
                                    boost::visitor(boost::make_bfs_visitor(
                                        boost::record_distances(distance.data(), boost::on_tree_edge()))));
        for (std::uint32_t d = 0; d < net->nodes(); ++d)
            EXPECT_EQ(distance[net->ejection_of(node_id(d)).router.value], GetParam().stages - 1);
    }
    EXPECT_EQ(net->known().diameter, GetParam().stages - 1);
    EXPECT_EQ(net->known().mean_distance, GetParam().stages - 1.0);
}

TEST_P(every_multistage, HasEndsThatAgree) {
    const auto net = test::network(GetParam().network);
    std::set<std::uint32_t> sends, receives;
    for (std::uint32_t r = 0; r < net->routers(); ++r)
        for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p) {
            const port_peer to = net->peer(router_id(r), port_id(p)),
                            from = net->source(router_id(r), port_id(p));
            if (from.what == port_peer::kind::node) {
                EXPECT_EQ(net->router_of(node_id(from.id)).value, r);
                EXPECT_EQ(net->port_of(node_id(from.id)).value, p);
                sends.insert(from.id);
            }
            if (to.what == port_peer::kind::node) {
                EXPECT_EQ(net->ejection_of(node_id(to.id)).router.value, r);
                EXPECT_EQ(net->ejection_of(node_id(to.id)).port.value, p);
                receives.insert(to.id);
            }
            if (to.what != port_peer::kind::router) continue;
            const port_peer back = net->source(router_id(to.id), port_id(to.port));
            EXPECT_TRUE(back.what == port_peer::kind::router && back.id == r && back.port == p);
        }
    EXPECT_EQ(sends.size(), net->nodes());
    EXPECT_EQ(receives.size(), net->nodes());
}

TEST_P(every_multistage, ReadsBackFromItsEdgeList) {
    const auto net = test::network(GetParam().network);
    std::stringstream text;
    write_edge_list(*net, text);
    expect_equal(*net, *read_graph(text, "text", {7, 8, 9}));
}

TEST_P(every_multistage, IsRoutedByDestinationTags) {
    const auto net = test::network(GetParam().network);
    for (const char* function :
         {"destination_tag", "destination_tag middle=source", "destination_tag middle=destination"}) {
        every_path(*net, *test::routing(function, *net, 2),
                   [&](const auto& way, const auto&) { EXPECT_EQ(way.size(), GetParam().stages); });
        EXPECT_EQ(test::check(function, *net, 1, false).result, verdict::acyclic);
    }
    EXPECT_EQ(test::check("table", *net, 2, false).result, verdict::acyclic);
}

TEST_P(every_multistage, DeliversWhatIsSent) {
    for (const bool fast : {true, false}) {
        fabric_setting s;
        s.network = GetParam().network;
        s.routing = "destination_tag";
        s.compact_allowed = fast;
        test_fabric f(s);
        std::vector<sare::message> script;
        for (std::uint32_t from = 0; from < f.net.view().nodes(); ++from)
            for (std::uint32_t to = 0; to < f.net.view().nodes(); ++to) {
                if (to == from) continue;
                script.emplace_back();
                script.back().source = from;
                script.back().destination = to;
                script.back().flits = 3;
            }
        scripted_traffic traffic(script);
        f.net.stepper().set_workload(&traffic);
        f.run(0, 20000);
        EXPECT_EQ(f.net.view().flits_consumed(), 3 * script.size());
        EXPECT_EQ(f.net.view().flit_hops(), 3 * script.size() * GetParam().stages);
    }
}

/// From node 1 (001) to node 6 (110), by hand.
TEST(Multistage, TakesRoutesWorkedOutByHand) {
    const auto routers = [](const char* line, std::uint32_t s, std::uint32_t d) {
        const auto net = test::network(line);
        std::vector<std::uint32_t> found;
        every_path(*net, *test::routing("destination_tag", *net, 1), [&](const auto& way, const auto& h) {
            if (h.source == s && h.destination == d) found = way;
        });
        return found;
    };
    // Rows 001, 1 at the end: 001; digits 0 and 2 change places: 100; 1 at the end: 101; 0 and 1: 110; 0.
    EXPECT_EQ(routers("butterfly k=2 n=3", 1, 6), (std::vector<std::uint32_t>{0, 4 + 2, 8 + 3}));
    // Shuffled 010, 1: 011; shuffled 110, 1: 111; shuffled 111, 0.
    EXPECT_EQ(routers("omega k=2 n=3", 1, 6), (std::vector<std::uint32_t>{1, 4 + 3, 8 + 3}));
}

TEST(Multistage, ChoosesTheMiddleSwitchOfAClosNetwork) {
    const auto net = test::network("clos m=5 n=3 r=6");
    const auto middle = [&](const char* line, std::uint32_t s, std::uint32_t d) {
        return candidates_at(*test::routing(line, *net, 1), 0, header(*test::routing(line, *net, 1), s, d));
    };
    EXPECT_EQ(middle("destination_tag middle=source", 13, 7), "3:1");
    EXPECT_EQ(middle("destination_tag middle=destination", 13, 7), "2:1");
    const auto f = test::routing("destination_tag", *net, 1);
    EXPECT_FALSE(f->deterministic());
    EXPECT_EQ(f->tabular_states(), 5U);
    std::map<std::uint32_t, int> drawn;
    rng random(1, stream::test, 0);
    for (int i = 0; i < 5000; ++i) {
        route_header h;
        f->begin(h, random);
        ++drawn[h.state];
    }
    EXPECT_EQ(drawn.size(), 5U);
    for (const auto& [k, count] : drawn) EXPECT_NEAR(count, 1000, 150);
    EXPECT_TRUE(test::routing("destination_tag", *test::network("omega"), 1)->deterministic());
    EXPECT_TRUE(test::routing("destination_tag", *test::network("omega"), 1)->tabular());
}

/// With extra stages: as many ways as they have combinations of outputs, and each packet draws one.
TEST(Multistage, OffersMoreRoutesWithExtraStages) {
    const auto net = test::network("omega k=3 n=3 extra=2");
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::vector<std::uint32_t>>> ways;
    every_path(*net, *test::routing("destination_tag", *net, 1), [&](const auto& way, const auto& h) {
        EXPECT_EQ(way.size(), 5U);
        ways[{h.source, h.destination}].insert(way);
    });
    EXPECT_EQ(ways.size(), 27U * 27U);
    for (const auto& [pair, all] : ways) EXPECT_EQ(all.size(), 9U);
    const auto f = test::routing("destination_tag", *net, 1);
    EXPECT_FALSE(f->deterministic());
    EXPECT_EQ(f->tabular_states(), 9U);
    EXPECT_TRUE(test::routing("destination_tag middle=source", *net, 1)->deterministic());
}

TEST(Multistage, ReportsBadInputInOneLine) {
    const std::pair<const char*, const char*> lines[] = {
        {"butterfly k=1", "test.yaml:2:1: 'k' is 1; it must be from 2 to 1024"},
        {"omega n=0", "test.yaml:2:1: 'n' is 0; it must be from 1 to 24"},
        {"omega k=8 n=10",
         "test.yaml:3:1: 'n' is 10 stages of switches with 8 inputs: more than 268435456 nodes"},
        {"butterfly k=2 n=22",
         "test.yaml:3:1: 'n' is 22 stages of switches with 2 inputs: more than 16777216 routers"},
        {"clos m=0", "test.yaml:2:1: 'm' is 0; it must be from 1 to 1024"},
    };
    for (const auto& [line, text] : lines) EXPECT_EQ(message([l = line] { test::network(l); }), text);
    const auto mesh = test::network("mesh dims=4,4");
    EXPECT_EQ(message([&] { test::routing("destination_tag", *mesh, 1); }),
              "test.yaml:1:1: 'function' is destination_tag, which needs a butterfly, omega or clos, not a "
              "mesh");
    const auto read = [](const char* text) {
        std::istringstream in(text);
        read_graph(in, "g", {});
    };
    const char* head = "sare-graph 1\n";
    const std::pair<const char*, const char*> graphs[] = {
        {"exit 0 1\n", "g:2: an exit is a node, a router and a port"},
        {"node 0 0\nexit 1 0 1\n", "g:3: node 1 has no 'node' line"},
        {"node 0 0\nexit 0 0 1\nexit 0 0 2\n", "g:4: the exit of node 0 is given twice"},
        {"node 0 0 0\nnode 1 0 1\nexit 0 0 1\n", "g:3: port 1 of router 0 is used twice, first on line 2"},
        {"node 0 0\nnode 1 1\nexit 0 0 4\nexit 1 1 4\narc 1 0\n",
         "g:3: the network is not connected: there is no way from node 0 to node 1"},
    };
    for (const auto& [text, problem] : graphs)
        EXPECT_EQ(message([&, t = text] { read((head + std::string(t)).c_str()); }), problem);
}

}  // namespace
}  // namespace sare::test::multistage_test
