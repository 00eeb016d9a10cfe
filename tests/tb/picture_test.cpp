// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// Pictures of networks: `sare topo --svg`, and what a run says of them for its report.
namespace sare::test::picture_test {
namespace {

class picture : public program {
  protected:
    void network(const std::string& text) const {
        write("net.yaml", "network: {" + text + "}\nrouting: shortest_path\ntraffic: bernoulli\n");
    }
    /// Paths in the group of the SVG that is called `id`.
    std::size_t paths(const std::string& svg, const std::string& id) const {
        const std::size_t from = svg.find("<g id=\"" + id + "\"");
        if (from == std::string::npos) return 0;
        std::size_t count = 0;
        const std::size_t to = svg.find("</g>", from);
        for (std::size_t at = from; (at = svg.find("<path ", at)) < to; ++at) ++count;
        return count;
    }
    std::size_t property(const std::string& name) const {
        const std::string text = "\n" + sare("topo net.yaml").out;
        return std::stoul(text.substr(text.find("\n" + name + ": ") + name.size() + 3));
    }
    bool well_formed(const std::string& file) const {
        return shell("/usr/bin/python3 -c \"import sys, xml.dom.minidom as m; m.parse(sys.argv[1])\" " + file)
                   .status == 0;
    }
};

TEST_F(picture, HasEveryRouterAndLink) {
    write("odd.txt",
          "sare-graph 1\nlink 0 1\nlink 1 2\narc 2 0\narc 0 3\narc 3 0\nlink 3 1\nlink 0 1\nnode 0 0\nnode 1 "
          "3\n");
    for (const char* text :
         {"topology: mesh, dims: [3, 4]", "topology: torus, dims: [4, 3, 2]", "topology: torus, dims: [2, 2]",
          "topology: ring, n: 5, unidirectional: true", "topology: hypercube, n: 5",
          "topology: triangular_torus, w: 4, h: 3", "topology: crossbar", "topology: star, n: 4",
          "topology: thin_tree", "topology: dragonfly, p: 1, a: 3, h: 2, g: 7",
          "topology: hyperx, dims: [3, 3, 4]", "topology: slim_fly, q: 4", "topology: butterfly",
          "topology: graph, file: odd.txt"}) {
        network(text);
        const outcome o = sare("topo net.yaml --svg --out net.svg");
        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.out + o.err, "");
        const std::string svg = read("net.svg");
        EXPECT_TRUE(well_formed("net.svg")) << text;
        EXPECT_EQ(paths(svg, "routers"), property("routers")) << text;
        EXPECT_EQ(paths(svg, "links"), property("links") - property("nodes")) << text;
    }
    EXPECT_EQ(sare("topo net.yaml --svg").out, read("net.svg"));  // again the same
}

TEST_F(picture, IsRefusedForTooLargeANetwork) {
    network("topology: torus, dims: [65, 64]");
    const outcome routers = sare("topo net.yaml --svg --out net.svg");
    EXPECT_EQ(routers.status, 1);
    EXPECT_EQ(routers.err,
              "sare: net.yaml:1:1: 4160 routers are too many for a picture, which shows at most 4096; "
              "--graphviz and "
              "--edges write networks of any size, a run's report maps their load\n");
    EXPECT_FALSE(std::filesystem::exists(at("net.svg")));
    network("topology: hyperx, dims: [32, 32], concentration: 1");
    EXPECT_EQ(sare("topo net.yaml --svg")
                  .err.rfind("sare: net.yaml:1:1: 63488 channels between routers are too many", 0),
              0U);
}

TEST_F(picture, ReportsAMissingScriptInOneLine) {
    network("topology: ring");
    const outcome o = shell("SARE_SCRIPTS=/nowhere sare topo net.yaml --svg");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "sare: /nowhere/report: No such file or directory; SARE_SCRIPTS names its folder\n");
}

TEST_F(picture, HasItsPlacesInTheTablesOfARun) {
    write("small.yaml", small);
    ASSERT_EQ(sare("run small.yaml --out r --no-report --quiet --set network.topology=torus").status, 0);
    const std::string routers = read("r/routers.csv"), links = read("r/links.csv");
    EXPECT_EQ(routers.rfind("router,x,y,group,utilisation\n0,0,0,,0.", 0), 0U) << routers;
    EXPECT_NE(routers.find("\n1,1,0,,0."), std::string::npos) << routers;
    EXPECT_EQ(
        links.rfind(
            "from,from_port,to,to_port,kind,flits,load,utilisation,waits_vc,waits_credit,waits_turn,stub,vc0",
            0),
        0U)
        << links;
    EXPECT_NE(links.find("\n3,0,0,1,router,"), std::string::npos);
    const std::string line = links.substr(links.find("\n3,0,0,1,router,") + 1);
    std::istringstream cells(line.substr(0, line.find('\n')));
    std::string cell;
    for (int i = 0; i < 12; ++i) std::getline(cells, cell, ',');
    EXPECT_EQ(cell, "0");  // round the right edge
}

}  // namespace
}  // namespace sare::test::picture_test
