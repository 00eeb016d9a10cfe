// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/classes/class_links.h"
#include "tests/support/in_child.h"
#include "tests/support/seed.h"
#include "tlm/base/rng.h"
#include "tlm/config/yaml.h"
#include "tlm/network/classes/class_routing.h"
#include "tlm/network/simulation.h"
#include "tlm/topology/graph/graph.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <sstream>

/// Links that carry some message classes only.
namespace sare::test::class_links_test {
namespace {

std::unique_ptr<topology> graph_of(const std::string& text) {
    std::istringstream in("sare-graph 1\n" + text);
    return read_graph(in, "test.graph", {});
}

config::value section_of(const std::string& yaml) {
    return config::parse_yaml(yaml, "test");
}

/// By the ports of routers: pairs of nodes whose packets of a class take the link.
using link_use = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

link_use use_of(const topology& net, const routing_function& routing, const class_vcs& shares,
                std::uint32_t message_class) {
    link_use all;
    for (std::uint32_t s = 0; s < net.nodes(); ++s)
        for (std::uint32_t d = 0; d < net.nodes(); ++d) {
            route_header plain;
            plain.source = s;
            plain.destination = d;
            plain.vc_base = static_cast<std::uint8_t>(shares.first(message_class));
            std::vector<route_header> headers;
            routing.every_header(plain, headers);
            for (route_header h : headers) {
                std::uint32_t r = net.router_of(node_id(s)).value, in = net.port_of(node_id(s)).value;
                for (std::uint32_t hops = 0; hops <= net.routers(); ++hops) {
                    route_set ways;
                    routing.route(r, in, shares.first(message_class), h, ways);
                    const std::uint32_t p = ways.candidates[0].port;
                    const port_peer to = net.peer(router_id(r), port_id(p));
                    EXPECT_LT(hops, net.routers());
                    if (to.what != port_peer::kind::router) {
                        EXPECT_EQ(to.id, d);
                        break;
                    }
                    ++all[{r, p}];
                    r = to.id;
                    in = to.port;
                }
            }
        }
    return all;
}

/// Two routers of 6 nodes each, and 5 links: class 1 has two of them, class 0 the others.
TEST(ClassLinks, AreSharedOutEvenlyWithinAClass) {
    std::string text;
    for (const char* name : {"fast0", "bulk0", "fast1", "bulk1", "bulk2"})
        text += std::string("link 0 1 name=") + name + "\n";
    for (int n = 0; n < 12; ++n) text += "node " + std::to_string(n) + (n < 6 ? " 0\n" : " 1\n");
    const auto net = graph_of(text);
    const config::value links = section_of("[{name: bulk*, classes: [0]}, {name: fast*, classes: [1]}]");
    const class_vcs shares(4, 2);
    const class_links own(links, *net, 2);
    for (const char* function : {"table", "shortest_path", "up_down"}) {
        const auto routing =
            make_class_routing(section_of(std::string("{function: ") + function + "}"), *net, shares, &own);
        for (const std::uint32_t c : {0U, 1U}) {
            const link_use use = use_of(*net, *routing, shares, c);
            EXPECT_EQ(use.size(), c == 0 ? 6U : 4U) << function;
            for (const auto& [link, pairs] : use) {
                EXPECT_EQ(net->names().link(link.first, link.second).substr(0, 4), c == 0 ? "bulk" : "fast");
                EXPECT_EQ(pairs, c == 0 ? 12U : 18U) << function;  // of 36 each way
            }
        }
    }
}

/// A tree that carries all classes, and links beside it that carry some.
TEST(ClassLinks, AreRespectedInRandomNetworks) {
    rng random(test_seed(3), stream::test, 31);
    for (int n = 0; n < 30; ++n) {
        const std::uint32_t routers = 4 + random.below(8), classes = 2 + random.below(2);
        std::string text, entries;
        for (std::uint32_t r = 0; r < routers; ++r) {
            text += "node " + std::to_string(r) + " " + std::to_string(r) + "\n";
            if (r != 0) text += "link " + std::to_string(r) + " " + std::to_string(random.below(r)) + "\n";
        }
        for (std::uint32_t k = 0; k < routers; ++k) {
            const std::uint32_t a = random.below(routers), b = (a + 1 + random.below(routers - 1)) % routers;
            text +=
                "link " + std::to_string(a) + " " + std::to_string(b) + " name=l" + std::to_string(k) + "\n";
            entries += std::string(entries.empty() ? "" : ", ") + "{name: l" + std::to_string(k) +
                       ", classes: [" + std::to_string(random.below(classes)) + "]}";
        }
        const auto net = graph_of(text);
        const class_links own(section_of("[" + entries + "]"), *net, classes);
        const class_vcs shares(2 * classes, classes);
        for (const char* function : {"table", "shortest_path", "up_down"}) {
            const auto routing = make_class_routing(section_of(std::string("{function: ") + function + "}"),
                                                    *net, shares, &own);
            for (std::uint32_t c = 0; c < classes; ++c)
                for (const auto& [link, pairs] : use_of(*net, *routing, shares, c))
                    EXPECT_TRUE(own.carries(link.first, link.second, c)) << text << entries << function;
            if (std::string(function) == "table") continue;
            const auto all = all_classes(*routing, shares);
            deadlock_question q;
            q.network = net.get();
            q.routing = all.get();
            q.vcs = shares.vcs();
            EXPECT_EQ(check_deadlock(q).result, deadlock_report::verdict::acyclic) << text << entries;
        }
    }
}

/// In a run.
TEST(ClassLinks, CarryFlitsOfTheirClassesAlone) {
    const std::string said = in_child([] {
        const std::string file =
            testing::TempDir() + "/sare-class-links-" + std::to_string(getpid()) + ".graph";
        std::ofstream(file) << "sare-graph 1\nlink 0 1 name=a\nlink 0 1 name=b\nlink 1 2\nnode 0 0\nnode 1 "
                               "1\nnode 2 2\n";
        const experiment e = experiment::read(
            section_of("network: {topology: graph, file: " + file +
                       "}\nrouting: up_down\nrouter: {vcs: 2, depth: 8}\n"
                       "links: [{name: a, classes: 0}, {name: b, classes: [1]}]\n"
                       "traffic: {workload: bernoulli, load: 0.3, length: 4, classes: {0: 0.5, 1: 0.5}}\n"),
            "");
        const run_result r = simulation(e).run(e);
        std::remove(file.c_str());
        std::string text = to_string(r.status);
        for (const link_result& l : r.link_loads) {
            const std::string& name = r.names.link(l.from, l.from_port);
            if (l.kind != "router" || name.empty()) continue;
            text += " " + name + (l.vc_flits[0] != 0 ? "0" : "") + (l.vc_flits[1] != 0 ? "1" : "");
        }
        return text + " " + r.deadlock_check;
    });
    EXPECT_EQ(said.rfind("completed a0 b1 a0 b1 free of deadlock", 0), 0U) << said;
}

TEST(ClassLinks, RefuseImpossibleSettings) {
    const auto net = graph_of("link 0 1 name=one\nlink 0 1 name=two\nnode 0 0\nnode 1 1\n");
    const auto error = [&net](const std::string& links, const std::string& routing,
                              const class_vcs& shares) -> std::string {
        try {
            const class_links own(section_of(links), *net, shares.classes());
            make_class_routing(section_of("{function: " + routing + "}"), *net, shares, &own);
        } catch (const config::error& e) {
            return e.what();
        }
        return "";
    };
    const class_vcs two(4, 2);
    EXPECT_EQ(error("[{name: one, classes: 1}]", "table", two), "");
    EXPECT_EQ(error("[{name: t*, classes: 2}]", "table", two),
              "test: there is no message class 2; this traffic has 2, 0 and up");
    EXPECT_EQ(error("[{name: three, classes: 1}]", "table", two),
              "test: no link is called 'three'; there is 'one', for one");
    EXPECT_EQ(error("[{between: [0, 1], classes: 1}]", "table", two),
              "test: 'links' leaves message class 0 no way from node 0 to node 1; every class needs links "
              "between all nodes");
    EXPECT_EQ(error("[{name: one, classes: 1}]", "dor", two),
              "test: 'links' gives some to certain message classes, and routing function 'dor' would take "
              "any; table, shortest_path, up_down and up_down_escape look at the class");
    EXPECT_EQ(error("[{name: one, classes: 1}]", "table", class_vcs(4, std::vector<std::uint32_t>{1, 1})),
              "test: 'links' gives some to certain message classes, which cannot share VCs then; give all "
              "VCs away in 'classes.vcs'");
}

}  // namespace
}  // namespace sare::test::class_links_test
