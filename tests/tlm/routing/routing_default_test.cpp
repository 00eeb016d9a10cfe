// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/topology/topology_support.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/network/router_plan.h"
#include "tlm/router_api/registry.h"
#include "tlm/routing/routing.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace sare::routing_default_test {
namespace {

/// What a network without the section 'routing' needs besides the name of its topology, to be small.
std::string parameters_of(const std::string& topology) {
    static const std::map<std::string, std::string> known{
        {"dragonfly", "p: 2, a: 4, h: 2, g: 9"},
        {"graph", "file: routing-default.txt"},
        {"hierarchical", "levels: [{topology: mesh, dims: [2, 2]}, {topology: mesh, dims: [2, 2]}]"},
        {"kary_ntree", "k: 2, n: 3"},
        {"planes", "planes: [{topology: mesh, dims: [2, 2]}, {topology: ring, n: 4}]"},
        {"twisted_torus", "dims: [4, 2], twist: [[0, 0], [2, 0]]"},
        {"xgft", "m: [2, 2, 2], w: [1, 2, 2]"}};
    const auto found = known.find(topology);
    return found == known.end() ? "" : ", " + found->second;
}

/// What is said against a network of a kind of routers, "" if it has a routing function that fits.
std::string complaint(const std::string& topology, const std::string& kind) {
    const std::string file = testing::TempDir() + "routing-default.yaml";
    std::ofstream(testing::TempDir() + "routing-default.txt")
        << "sare-graph 1\nlink 0 1\nlink 1 2\nlink 2 0\nnode 0 0\nnode 1 1\nnode 2 2\n";
    return test::message([&] {
        const experiment e = experiment::read(
            config::parse_document("network: {topology: " + topology + parameters_of(topology) +
                                       "}\nrouter: {kind: " + kind + "}\n",
                                   file),
            testing::TempDir());
        const auto map = e.make_map();
        const router_plan plan(e, *map);
        EXPECT_NE(routing_registry::instance().make(e.routing, {map.get(), plan.terms(0).vcs}), nullptr);
    });
}

/// Where 'routing' is left out, every topology has a function that fits, with kinds that take any, and kinds
/// that are for others say for which, and which fit.
TEST(default_routing, FitsOrNamesTheKindsThatDo) {
    for (const auto& [topology, about] : topology_registry::instance().variants()) {
        if (topology == "test_shape") continue;
        std::string fitting;
        std::map<std::string, std::string> against;
        for (const auto& [kind, of_it] : router_registry::instance().variants()) {
            const std::string what = complaint(topology, kind);
            if (what.empty())
                fitting += (fitting.empty() ? "" : ", ") + kind;
            else
                against[kind] = what;
        }
        EXPECT_NE(fitting.find("apenet"), std::string::npos) << topology;
        EXPECT_NE(fitting.find("vc"), std::string::npos) << topology << ": " << against["vc"];
        for (const auto& [kind, what] : against) {
            EXPECT_NE(what.find(":2:9: router kind " + kind + " is for "), std::string::npos) << what;
            const std::string names = "and not for " + topology + "; kinds for that: " + fitting;
            EXPECT_TRUE(topology == "hierarchical" || what.find(names) != std::string::npos) << what;
        }
    }
}

TEST(default_routing, NamesTheKindsThatFitANetwork) {
    const std::string at = testing::TempDir() + "routing-default.yaml:2:9: ";
    EXPECT_EQ(complaint("kary_ntree", "bubble"),
              at + "router kind bubble is for direct networks (mesh, torus, ring, hypercube, twisted_torus, "
                   "circulant, midimew, triangular_torus), and not for kary_ntree; kinds for that: apenet, "
                   "multistage, vc");
    EXPECT_EQ(
        complaint("mesh", "multistage"),
        at + "router kind multistage is for trees (kary_ntree, thin_tree, tree, xgft), and not for mesh; "
             "kinds for that: apenet, bubble, dally, deflection, vc");
    EXPECT_EQ(
        complaint("circulant", "dally, policy: adaptive, vcs: 3"),
        at + "router kind dally is for grids with 'policy: adaptive' (mesh, torus, ring, hypercube), with "
             "other policies for all direct networks, and not for circulant; kinds for that: apenet, "
             "bubble, dally, vc");
    EXPECT_EQ(complaint("hierarchical", "deflection, vcs: 2"),
              at + "router kind deflection is for grids (mesh, torus, ring, hypercube), and not for mesh in "
                   "hierarchical; kinds for that: apenet, bubble, dally, vc");
}

TEST(default_routing, IsThatOfTheTopology) {
    const std::pair<const char*, const char*> cases[] = {
        {"mesh", "dor"},         {"midimew", "circulant_minimal"},   {"star", "shortest_path"},
        {"tree", "tree_static"}, {"dragonfly", "dragonfly_minimal"}, {"omega", "destination_tag"},
        {"planes", "planes"},    {"hierarchical", "hierarchical"},   {"hyperx", "hyperx_minimal"}};
    for (const auto& [topology, function] : cases) {
        const experiment e = experiment::read(
            config::parse_document(
                std::string("network: {topology: ") + topology + parameters_of(topology) + "}\n", "test"),
            "");
        EXPECT_EQ(routing_registry::instance().chosen(e.routing).name, function);
    }
}

}  // namespace
}  // namespace sare::routing_default_test
