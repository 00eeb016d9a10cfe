// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing/routing_support.h"
#include "tlm/topology/graph/graph.h"
#include "tlm/topology/link_parameters.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sare::routing_table_test {
namespace {

using test::message;
using test::network;

/// A file in a folder of its own, gone at the end.
class table_file : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "sare-table-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        m_folder = name;
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    /// Makes `table` with this file, named relative to a configuration file beside it.
    std::unique_ptr<routing_function> make(const std::string& text, const topology& net,
                                           const char* partial = "false") {
        std::ofstream(m_folder / "t.txt") << text;
        const config::location at{(m_folder / "x.yaml").string(), 1, 1};
        return routing_registry::instance().make(
            config::value::map({{"function", config::value::scalar("table", at)},
                                {"file", config::value::scalar("t.txt", at)},
                                {"partial", config::value::scalar(partial, at)}},
                               at),
            routing_context{&net, 2});
    }
    static deadlock_report check(const routing_function& f, const topology& net) {
        deadlock_question q;
        q.network = &net;
        q.routing = &f;
        q.vcs = 2;
        return check_deadlock(q);
    }

    std::filesystem::path m_folder;
};

TEST_F(table_file, GivesTheNextPorts) {
    const auto net = network("ring n=4");
    const auto f = make(
        "sare-table 1\n"
        "route 0 * 0   # clockwise\n"
        "route 1 * 0\nroute 2 * 0\nroute 3 * 0\n"
        "route 0 3 1   # but for this one\n"
        "route 2 2 2\n",
        *net);
    const auto port = [&](std::uint32_t r, std::uint32_t d) {
        route_header h;
        h.destination = d;
        route_set out;
        f->route(r, 0, 0, h, out);
        EXPECT_EQ(out.size, 1U);
        EXPECT_EQ(out.candidates[0].vcs, 3);
        return int{out.candidates[0].port};
    };
    EXPECT_EQ(port(0, 1), 0);
    EXPECT_EQ(port(0, 2), 0);
    EXPECT_EQ(port(0, 3), 1);
    EXPECT_EQ(port(1, 3), 0);
    EXPECT_EQ(port(2, 1), 0);
    EXPECT_EQ(port(2, 2), 2);
    EXPECT_EQ(port(1, 1), 2);
}

TEST_F(table_file, IsReportedIfItClosesACycle) {
    const auto net = network("ring n=4");
    const auto f = make("sare-table 1\nroute 0 * 0\nroute 1 * 0\nroute 2 * 0\nroute 3 * 0\n", *net);
    const auto report = check(*f, *net);
    EXPECT_EQ(report.result, deadlock_report::verdict::cycle);
    EXPECT_EQ(report.text.find("routing function 'table' can deadlock: r3.p0.vc0 -> r0.p0.vc0 -> "), 0U)
        << report.text;
}

/// Names stand for numbers, and the next router for the port.
TEST_F(table_file, TakesNames) {
    std::istringstream edges("sare-graph 1\nlink cpu hub\nlink hub mem\nnode cpu cpu\nnode dram mem\n");
    const auto net = read_graph(edges, "mine.graph", {});
    const auto by_name =
        make("sare-table 1\nroute cpu dram 0\nroute hub dram 1\nroute hub cpu 0\nroute mem cpu 0\n", *net);
    const auto by_router = make(
        "sare-table 1\nroute cpu dram hub\nroute 1 dram mem\nroute hub * via 0\nroute mem 0 via 1\n", *net);
    for (std::uint32_t r = 0; r < 3; ++r)
        for (std::uint32_t n = 0; n < 2; ++n) {
            route_header h;
            h.destination = n;
            route_set one, other;
            by_name->route(r, 0, 0, h, one);
            by_router->route(r, 0, 0, h, other);
            EXPECT_EQ(one.candidates[0].port, other.candidates[0].port) << r << " to " << n;
            EXPECT_EQ(one.candidates[0].port, r == 1             ? n
                                              : r == 0 && n == 0 ? 1U
                                              : r == 2 && n == 1 ? 1U
                                                                 : 0U)
                << r << n;
        }
    for (const auto& [text, problem] :
         {std::pair{"sare-table 1\nroute cpo dram 0\n", "2:7: there is no router 'cpo'; did you mean 'cpu'?"},
          std::pair{"sare-table 1\nroute cpu drum 0\n",
                    "2:11: there is no node 'drum'; did you mean 'dram'?"},
          std::pair{"sare-table 1\nroute cpu dram mem\n", "2: no link leads from router cpu to router mem"},
          std::pair{
              "sare-table 1\nroute c.u dram 0\n",
              "2:7: a router cannot be called 'c.u'; a name is a letter or _, then letters, digits and _ "
              "- /, and not 'all'"}})
        EXPECT_EQ(message([&, t = text] { make(t, *net); }).substr((m_folder / "t.txt:").string().size()),
                  problem);
}

TEST_F(table_file, ReportsMistakesInOneLine) {
    const auto net = network("mesh dims=4");
    const std::pair<const char*, const char*> cases[] = {
        {"junk\n", "1: the first line must be 'sare-table 1'"},
        {"sare-table 1\npath 0 1 0\n", "2: unknown line 'path'; only 'route' is known"},
        {"sare-table 1\nroute 0 1 0 0\n", "2: unexpected '0' at the end of the line"},
        {"sare-table 1\nroute 0 1\n", "2: the port is missing"},
        {"sare-table 1\nroute 0\n", "2: the node is missing"},
        {"sare-table 1\nroute 4 0 0\n", "2: the router is 4; it must be from 0 to 3"},
        {"sare-table 1\nroute 0 4 0\n", "2: the node is 4; it must be from 0 to 3"},
        {"sare-table 1\nroute 0 1 3\n", "2: the port is 3; it must be from 0 to 2"},
        {"sare-table 1\nroute 0 x 0\n", "2:9: there is no node 'x'; nodes are 0 to 3, and none has a name"},
        {"sare-table 1\nroute 0 1 0\nroute 0 1 0\n",
         "3: router 0 and node 1 are given twice, first on line 2"},
        {"sare-table 1\nroute 0 * 0\n\nroute 0 * 0\n",
         "4: router 0 and the rest of the nodes are given twice, first on line 2"},
        {"sare-table 1\nroute 0 1 1\n", "2: port 1 of router 0 is not plugged"},
        {"sare-table 1\nroute 0 1 2\n", "2: port 2 of router 0 leads to node 0"},
        {"sare-table 1\nroute 0 * 2\n", "2: port 2 of router 0 leads to node 0"},
        {"sare-table 1\nroute 0 0 0\n", "2: port 0 of router 0 leads away from node 0, which is on port 2"},
        {"sare-table 1\nroute 1 * 1\nroute 2 * 1\nroute 3 * 1\n",
         "4: router 0 has no port for node 1, and packets of node 0 come through it; 'partial: true' takes "
         "tables "
         "for some pairs of nodes"},
        {"sare-table 1\nroute 0 * 0\nroute 1 0 1\nroute 1 * 1\nroute 2 * 1\nroute 3 * 1\n",
         "2: packets of node 0 for node 2 come back to router 0 and never arrive"},
        {"sare-table 1\nroute 0 1 0 by 2\n", "2: unexpected 'by' at the end of the line"},
        {"sare-table 1\nroute 0 1 0 from\n", "2: the input port is missing"},
        {"sare-table 1\nroute 0 1 0 from 3\n", "2: the input port is 3; it must be from 0 to 2"},
        {"sare-table 1\nroute 0 1 0 from 1\n", "2: nothing comes in by port 1 of router 0"},
        {"sare-table 1\nroute 0 1 0 from 2 3\n", "2: unexpected '3' at the end of the line"},
        {"sare-table 1\nroute 0 1 0 from 2\nroute 0 1 0\nroute 0 1 0 from 2\n",
         "4: router 0 from port 2 and node 1 are given twice, first on line 2"},
        {"sare-table 1\nroute 0 * 0\nroute 1 0 1\nroute 1 * 0\nroute 2 * 1\nroute 2 3 0\nroute 3 * 1\n"
         "route 2 * 1 from 1\n",
         "4: packets of node 0 for node 3 come back to router 1 and never arrive"},
    };
    for (const auto& [text, problem] : cases)
        EXPECT_EQ(message([&, t = text] { make(t, *net); }), (m_folder / "t.txt").string() + ":" + problem)
            << text;
}

/// The way of a packet, as the routers that it comes to.
std::vector<std::uint32_t> way(const routing_function& f, const topology& net, std::uint32_t s,
                               std::uint32_t d) {
    route_header h = test::header(f, s, d);
    std::vector<std::uint32_t> routers;
    port_peer at{port_peer::kind::router, net.router_of(node_id(s)).value, net.port_of(node_id(s)).value};
    while (at.what == port_peer::kind::router) {
        routers.push_back(at.id);
        route_set out;
        f.route(at.id, at.port, 0, h, out);
        at = net.peer(router_id(at.id), port_id(out.candidates[0].port));
    }
    EXPECT_EQ(at.id, d);
    return routers;
}

/// On a ring of 4 packets go on in the direction that they have come in, so node 0 and node 2 are reached
/// from both sides, which a table by destination alone cannot say.
TEST_F(table_file, MayDependOnTheInputPort) {
    const auto net = network("ring n=4 concentration=2");
    std::string text = "sare-table 1\n";
    for (const char* r : {"0", "1", "2", "3"})  // port 0: +; 1: -; 2 and 3: nodes
        text += std::string("route ") + r + " * 0\nroute " + r + " * 1 from 3\nroute " + r + " * 1 from 0\n";
    const auto f = make(text, *net);
    EXPECT_FALSE(f->tabular());
    EXPECT_EQ(f->tabular_states(), 0U);
    EXPECT_TRUE(f->tabular_by_input());
    using routers = std::vector<std::uint32_t>;
    EXPECT_EQ(way(*f, *net, 0, 5), (routers{0, 1, 2}));
    EXPECT_EQ(way(*f, *net, 1, 5), (routers{0, 3, 2}));
    EXPECT_EQ(way(*f, *net, 1, 2), (routers{0, 3, 2, 1}));
    EXPECT_EQ(way(*f, *net, 1, 0), (routers{0}));
    EXPECT_EQ(check(*f, *net).result, deadlock_report::verdict::cycle);
    // A port that a router does not have, as a table of all ports asks for.
    route_header h = test::header(*f, 0, 5);
    route_set out;
    f->route(3, 60, 0, h, out);
    EXPECT_EQ(out.candidates[0].port, 0);
}

/// Of lines for one router the most special one holds: those of the input port before those of any.
TEST_F(table_file, PrefersLinesOfTheInputPort) {
    const auto net = network("torus dims=4,4");
    std::string text = "sare-table 1\n";
    const auto plain = test::routing("table", *net, 2);
    for (std::uint32_t r = 0; r < 16; ++r)
        for (std::uint32_t n = 0; n < 16; ++n) {
            route_header h = test::header(*plain, 0, n);
            route_set out;
            plain->route(r, 4, 0, h, out);
            if (r != n)
                text += "route " + std::to_string(r) + ' ' + std::to_string(n) + ' ' +
                        std::to_string(out.candidates[0].port) + '\n';
        }
    // From its own node router 0 sends all by port 2, but for node 2.
    const auto f = make(text + "route 0 * 2 from 4\nroute 0 2 1 from 4\n", *net);
    EXPECT_EQ(test::candidates_at(*f, 0, test::header(*f, 0, 1)), "0:11");  // comes in by port 0
    const auto port = [&](std::uint32_t n) {
        route_header h = test::header(*f, 0, n);
        route_set out;
        f->route(0, 4, 0, h, out);
        return int{out.candidates[0].port};
    };
    EXPECT_EQ(port(1), 2);
    EXPECT_EQ(port(2), 1);
    EXPECT_EQ(port(0), 4);
}

/// Tables for the pairs that a workload uses.
TEST_F(table_file, MayLeaveOutPairs) {
    const auto net = network("mesh dims=4");
    const char* text =
        "sare-table 1\nroute 0 3 0\nroute 1 3 0\nroute 2 3 0\nroute 3 0 1\nroute 2 0 1\nroute 1 0 1\n";
    EXPECT_NE(message([&] { make(text, *net); }), "");
    const auto f = make(text, *net, "true");
    EXPECT_EQ(way(*f, *net, 0, 3), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(way(*f, *net, 3, 0), (std::vector<std::uint32_t>{3, 2, 1, 0}));
    EXPECT_TRUE(check(*f, *net).ok()) << check(*f, *net).text;
    rng random(1, stream::test, 0);
    const auto send = [&](std::uint32_t s, std::uint32_t d) {
        return message([&] {
            route_header h;
            h.source = s;
            h.destination = d;
            f->begin(h, random);
        });
    };
    EXPECT_EQ(send(0, 3), "");
    EXPECT_EQ(send(1, 1), "");
    EXPECT_EQ(send(0, 1), (m_folder / "x.yaml").string() +
                              ":1:1: 'file' is t.txt; it has no way from node 0 to node 1, which a message "
                              "takes");
    std::vector<route_header> none;
    route_header h;
    h.source = 0;
    h.destination = 2;
    f->every_header(h, none);
    EXPECT_TRUE(none.empty());
    // Of what begins, all must arrive.
    EXPECT_EQ(message([&] { make("sare-table 1\nroute 0 3 0\nroute 1 3 0\n", *net, "true"); }),
              (m_folder / "t.txt").string() +
                  ":3: router 2 has no port for node 3, and packets of node 0 come through it");
    EXPECT_EQ(message([&] { test::routing("table partial=true", *net, 2); }),
              "test.yaml:2:1: 'partial' is for a table from a file, and 'file' is left out");
}

/// Nodes that are served elsewhere than where they send.
TEST_F(table_file, BeginsAtTheRouterThatANodeSendsTo) {
    const auto net = network("butterfly k=2 n=2");
    const auto plain = test::routing("table", *net, 2);
    std::string text = "sare-table 1\n";
    for (std::uint32_t r = 0; r < 2; ++r)
        for (std::uint32_t n = 0; n < 4; ++n) {
            route_header h = test::header(*plain, 0, n);
            route_set out;
            plain->route(r, 0, 0, h, out);
            text += "route " + std::to_string(r) + ' ' + std::to_string(n) + ' ' +
                    std::to_string(out.candidates[0].port) + '\n';
        }
    const auto f = make(text, *net);
    for (std::uint32_t s = 0; s < 4; ++s)
        for (std::uint32_t d = 0; d < 4; ++d) EXPECT_EQ(way(*f, *net, s, d).size(), 2U);
    EXPECT_NE(message([&] { make("sare-table 1\nroute 0 * 0\n", *net); }), "");
}

}  // namespace
}  // namespace sare::routing_table_test
