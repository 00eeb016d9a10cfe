// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing_support.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>

namespace sare {
namespace {

using test::message;
using test::network;
using test::routing;

TEST(routing_errors, are_one_line) {
    struct {
        const char *function, *network;
        std::uint32_t vcs;
        const char* text;
    } const cases[] = {
        {"dal", "hyperx dims=30,4 concentration=1", 2,
         "test.yaml:1:1: 'function' is dal, which chooses among at most 31 links along 16 dimensions; a "
         "router of the network has 32 along 2"},
        {"dal", "hyperx dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'dal' needs at least 2: the escape VC "
         "and 1 adaptive VC"},
        {"min_adaptive", "hyperx dims=4,1,4,4", 2,
         "test.yaml:1:1: 'vcs' gives 2 to each port and message class; 'min_adaptive' needs at least 3: one "
         "for each hop, as many as dimensions"},
        {"hyperx_valiant", "hyperx", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'hyperx_valiant' needs at least 2: "
         "one for each of the two phases"},
        {"hyperx_minimal", "mesh dims=4,4", 1,
         "test.yaml:1:1: 'function' is hyperx_minimal, which needs a hyperx, not a mesh"},
        {"dorr", "mesh dims=4", 1, "test.yaml:1:1: unknown routing function 'dorr'; did you mean 'dor'?"},
        {"dor", "crossbar n=4", 1,
         "test.yaml:1:1: 'function' is dor, which needs a mesh, torus, ring or hypercube, not a crossbar"},
        {"dor", "torus dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'dor' needs at least 2: one for each "
         "of the two "
         "classes of dateline trc on a network with wrap links"},
        {"dor", "mesh dims=4,4", 17,
         "test.yaml:1:1: 'vcs' gives 17 to each port and message class; a routing function can use at most "
         "16"},
        {"dor", "mesh dims=4,4", 0,
         "test.yaml:1:1: 'vcs' gives 0 to each port and message class; 'dor' needs at least 1: packets "
         "travel on it"},
        {"dor dateline=basic", "ring n=4 unidirectional=true", 2,
         "test.yaml:2:1: 'dateline' is basic; round one-way links packets may cross the wrap link after any "
         "part of "
         "the ring, and only trc keeps them from deadlock"},
        {"dor dateline=improved", "ring n=4 unidirectional=true", 2,
         "test.yaml:2:1: 'dateline' is improved; round one-way links packets may cross the wrap link after "
         "any part "
         "of the ring, and only trc keeps them from deadlock"},
        {"dor", "torus dims=2,2,2,2,2,2,2,2,2", 2,
         "test.yaml:1:1: 'function' is dor, which takes at most 8 dimensions where there are wrap links; the "
         "network "
         "has 9"},
        {"dor dateline=tcr", "mesh dims=4", 1, "test.yaml:2:1: unknown dateline 'tcr'; did you mean 'trc'?"},
        {"dor ties=first", "mesh dims=4", 1,
         "test.yaml:2:1: unknown ties 'first'; one of: random, positive, negative"},
        {"dragonfly_minimal", "mesh dims=4,4", 2,
         "test.yaml:1:1: 'function' is dragonfly_minimal, which needs a dragonfly, not a mesh"},
        {"dragonfly_minimal", "dragonfly p=1 a=2 h=1 g=3", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'dragonfly_minimal' needs at least 2: "
         "one for the local links of each of the two groups on a way"},
        {"ugal_g", "dragonfly p=1 a=2 h=1 g=3", 2,
         "test.yaml:1:1: 'vcs' gives 2 to each port and message class; 'ugal_g' needs at least 3: one for "
         "the local links of each of the three groups on a way through another group"},
        {"duato", "mesh dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'duato' needs at least 2: 1 escape VC "
         "and 1 "
         "adaptive VC"},
        {"duato", "torus dims=4,4", 2,
         "test.yaml:1:1: 'vcs' gives 2 to each port and message class; 'duato' needs at least 3: 2 escape "
         "VCs on a "
         "network with wrap links and 1 adaptive VC"},
        {"duato dateline=trc", "torus dims=4,4", 3,
         "test.yaml:2:1: unknown key 'dateline' in 'duato'; known: function, ties, escape"},
        {"west_first", "mesh dims=4,4,4", 1,
         "test.yaml:1:1: 'function' is west_first, which needs 2 dimensions; the network has 3"},
        {"odd_even", "torus dims=4,4", 1,
         "test.yaml:1:1: 'function' is odd_even, which needs a mesh; the network has wrap links"},
        {"o1turn", "mesh dims=4", 2,
         "test.yaml:1:1: 'function' is o1turn, which needs 2 dimensions; the network has 1"},
        {"o1turn", "mesh dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'o1turn' needs at least 2: one for "
         "each of the "
         "orders XY and YX"},
        {"o1turn", "torus dims=4,4", 3,
         "test.yaml:1:1: 'vcs' gives 3 to each port and message class; 'o1turn' needs at least 4: two "
         "dateline classes "
         "for each of the orders XY and YX on a network with wrap links"},
        {"valiant", "mesh dims=4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'valiant' needs at least 2: one for "
         "each of the "
         "two phases"},
        {"valiant", "torus dims=4,4", 3,
         "test.yaml:1:1: 'vcs' gives 3 to each port and message class; 'valiant' needs at least 4: two "
         "dateline "
         "classes for each of the two phases on a network with wrap links"},
        {"valiant", "torus dims=2,2,2,2,2", 4,
         "test.yaml:1:1: 'function' is valiant, which takes at most 4 dimensions where there are wrap links; "
         "the "
         "network has 5"},
        {"slim_fly_valiant", "slim_fly", 3,
         "test.yaml:1:1: 'vcs' gives 3 to each port and message class; 'slim_fly_valiant' needs at least 4: "
         "one for each of two hops of the two phases"},
        {"slim_fly_minimal", "hyperx", 2,
         "test.yaml:1:1: 'function' is slim_fly_minimal, which needs a slim_fly, not a hyperx"},
        {"up_down root=16", "mesh dims=4,4", 1,
         "test.yaml:2:1: 'root' is 16; the network has 16 routers, numbered from 0"},
        {"up_down", "ring n=4 unidirectional=true", 1,
         "test.yaml:1:1: 'function' is up_down, which needs links in both directions; router 0 has a link to "
         "router 1 "
         "but none back"},
        {"up_down adaptive=true", "mesh dims=80,80", 1,
         "test.yaml:1:1: 'function' is up_down, whose table for 6400 routers would take 655360000 bytes; at "
         "most "
         "536870912 (adaptive: false takes an eighth)"},
        {"dor", "twisted_torus dims=4,4", 2,
         "test.yaml:1:1: 'function' is dor, which needs a mesh, torus, ring or hypercube, not a "
         "twisted_torus"},
        {"twisted_minimal", "torus dims=4,4", 2,
         "test.yaml:1:1: 'function' is twisted_minimal, which needs a twisted_torus, not a torus"},
        {"twisted_minimal", "twisted_torus dims=4,4 degree=1 jump=1,2", 2,
         "test.yaml:1:1: 'function' is twisted_minimal, which needs a twist along dimensions that are not "
         "twisted themselves: there the order of hops matters; up_down works"},
        {"twisted_minimal", "twisted_torus dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'twisted_minimal' needs at least 2: "
         "one for each of the two classes of dateline trc"},
        {"twisted_minimal dateline=basic", "twisted_torus dims=4,4 unidirectional=true", 2,
         "test.yaml:2:1: 'dateline' is basic; round one-way links packets may cross the wrap link after any "
         "part of the ring, and only trc keeps them from deadlock"},
        {"twisted_minimal", "twisted_torus dims=300,300 twist=0,0;1,0", 2,
         "test.yaml:1:1: 'function' is twisted_minimal; along dimension 1 are rings of 90000 routers, and it "
         "takes at most 65536"},
        {"tree_static", "mesh dims=4,4", 1,
         "test.yaml:1:1: 'function' is tree_static, which needs a kary_ntree, thin_tree, tree or xgft, not a "
         "mesh"},
        {"tree_adaptive", "kary_ntree", 0,
         "test.yaml:1:1: 'vcs' gives 0 to each port and message class; 'tree_adaptive' needs at least 1: "
         "packets travel on it"},
        {"tree_adaptive", "xgft m=2,2 w=1,33", 1,
         "test.yaml:1:1: 'function' is tree_adaptive, which chooses among at most 32 up ports; the network "
         "has 33"},
        {"table", "mesh dims=100,100", 1,
         "test.yaml:1:1: 'function' is table, which would hold 10000 x 10000 next ports; at most 67108864"},
        {"table file=none.txt", "mesh dims=4", 1,
         "test.yaml:2:1: 'file' is none.txt; cannot read none.txt: No such file or directory"},
    };
    for (const auto& c : cases)
        EXPECT_EQ(message([&] { routing(c.function, *network(c.network), c.vcs); }), c.text) << c.function;
}

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
    std::unique_ptr<routing_function> make(const std::string& text, const topology& net) {
        std::ofstream(m_folder / "t.txt") << text;
        const config::location at{(m_folder / "x.yaml").string(), 1, 1};
        return routing_registry::instance().make(
            config::value::map({{"function", config::value::scalar("table", at)},
                                {"file", config::value::scalar("t.txt", at)}},
                               at),
            routing_context{&net, 2});
    }

    std::filesystem::path m_folder;
};

TEST_F(table_file, gives_the_next_ports) {
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

TEST_F(table_file, that_closes_a_cycle_is_refused) {
    const auto net = network("ring n=4");
    const auto f = make("sare-table 1\nroute 0 * 0\nroute 1 * 0\nroute 2 * 0\nroute 3 * 0\n", *net);
    deadlock_question q;
    q.network = net.get();
    q.routing = f.get();
    q.vcs = 2;
    const auto report = check_deadlock(q);
    EXPECT_EQ(report.result, deadlock_report::verdict::cycle);
    EXPECT_EQ(report.text.find("routing function 'table' can deadlock: r3.p0.vc0 -> r0.p0.vc0 -> "), 0U)
        << report.text;
}

TEST_F(table_file, mistakes_are_one_line) {
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
        {"sare-table 1\nroute 0 x 0\n", "2: the node must be a number, not 'x'"},
        {"sare-table 1\nroute 0 1 0\nroute 0 1 0\n",
         "3: router 0 and node 1 are given twice, first on line 2"},
        {"sare-table 1\nroute 0 * 0\n\nroute 0 * 0\n",
         "4: router 0 and the rest of the nodes are given twice, first on line 2"},
        {"sare-table 1\nroute 0 1 1\n", "2: port 1 of router 0 is not plugged"},
        {"sare-table 1\nroute 0 1 2\n", "2: port 2 of router 0 leads to node 0"},
        {"sare-table 1\nroute 0 * 2\n", "2: port 2 of router 0 leads to node 0"},
        {"sare-table 1\nroute 0 0 0\n", "2: port 0 of router 0 leads away from node 0, which is on port 2"},
        {"sare-table 1\nroute 1 * 1\nroute 2 * 1\nroute 3 * 1\n",
         "4: router 0 has no port for node 1, and packets of node 0 come through it"},
        {"sare-table 1\nroute 0 * 0\nroute 1 0 1\nroute 1 * 1\nroute 2 * 1\nroute 3 * 1\n",
         "2: packets of node 0 for node 2 come back to router 0 and never arrive"},
    };
    for (const auto& [text, problem] : cases)
        EXPECT_EQ(message([&, t = text] { make(t, *net); }), (m_folder / "t.txt").string() + ":" + problem)
            << text;
}

}  // namespace
}  // namespace sare
