// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/topology/topology_support.h"
#include "tlm/network/simulation.h"
#include "tlm/router/agreement.h"
#include "tlm/router/vc/model.h"
#include "tlm/router_api/registry.h"

#include <gtest/gtest.h>

/// Which router of a network is what, and whether neighbours agree.
namespace sare::test::router_plan_test {
namespace {

using config::value;

/// A kind that brings its own routing and cannot deadlock, as far as it says. It never runs.
struct ring_params {
    std::uint32_t places = 3;
    bool padded = false;
};

struct ring_model final : router_model {
    explicit ring_model(const ring_params& p) : params(p) {}
    std::string kind() const override { return "test_ring"; }
    router_terms terms() const override {
        router_terms t;
        t.vcs = 4;
        t.depth = params.places;
        if (params.padded) t.on_links = "packets of 16 flits";
        return t;
    }
    bool equals(const router_model&) const override { return false; }
    value own_routing(const std::string&) const override {
        return value::map({{"function", value::scalar("dor")}, {"dateline", value::scalar("none")}});
    }
    std::string deadlock_free_by_design() const override { return "bubbles: there is always a free place"; }
    std::vector<std::unique_ptr<router_bank>> make_banks(router_context&,
                                                         const std::vector<router_instance>&) const override {
        throw std::logic_error("never made");
    }
    ring_params params;
};

config::schema<ring_params> ring_fields() {
    config::schema<ring_params> s;
    s.number("places", &ring_params::places, 1, 99, "flits", "Places.")
        .flag("padded", &ring_params::padded, "Pads packets.");
    return s;
}

const config::registration<router_model> ring("test_ring", "For tests.", ring_fields(),
                                              [](const ring_params& p, const value&) {
                                                  return std::make_unique<ring_model>(p);
                                              });

/// "at=0,4-7 depth=16": an entry of 'routers', at a line of its own.
value entries(const std::vector<std::string>& lines) {
    std::vector<value> all;
    for (const std::string& line : lines) {
        const config::location at{"test.yaml", static_cast<int>(all.size()) + 1, 1};
        value entry = value::map({}, at);
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            const auto equals = word.find('=');
            const std::string key = word.substr(0, equals), text = word.substr(equals + 1);
            std::vector<value> items;
            std::istringstream parts(text);
            for (std::string part; std::getline(parts, part, ',');) items.push_back(value::scalar(part, at));
            entry.set(key, key == "at" && text != "all" ? value::list(items, at) : value::scalar(text, at));
        }
        all.push_back(entry);
    }
    return value::list(std::move(all), {"test.yaml", 1, 1});
}

experiment mesh_with(const std::vector<std::string>& exceptions, const char* router = "vcs=4",
                     const char* network = "mesh dims=4,4") {
    experiment e;
    e.network = section(network, "topology");
    e.routing = section("dor", "function");
    e.traffic = section("bernoulli load=0.1", "workload");
    e.router = entries({router}).items().front();
    e.routers = entries(exceptions);
    return e;
}

router_plan plan_of(const experiment& e) {
    return router_plan(e, *e.make_map());
}

std::string names(const router_plan& plan) {
    std::string all;
    for (std::uint32_t g = 0; g < plan.groups().size(); ++g)
        all += plan.groups()[g].name + ": " + flow_style(config::from_number_set(plan.routers_of(g))) + "; ";
    return all;
}

TEST(RouterPlan, GroupsRoutersOfTheSameParameters) {
    EXPECT_EQ(names(plan_of(mesh_with({}))), "vc: [0-15]; ");
    EXPECT_EQ(names(plan_of(mesh_with({"at=3 depth=8"}))), "vc: [0-15]; ");  // as it was
    EXPECT_EQ(names(plan_of(mesh_with({"at=1,5-6 depth=16", "at=9 sa_delay=2", "at=15 depth=16"}))),
              "vc: [0, 2-4, 7-8, 10-14]; vc, depth 16: [1, 5-6, 15]; vc, sa_delay 2: [9]; ");
    const router_plan plan = plan_of(mesh_with({"at=1 depth=16", "at=3 depth=16"}));
    EXPECT_EQ(plan.of(1).model, plan.of(3).model);
    EXPECT_NE(plan.of(1).model, plan.of(2).model);
    EXPECT_EQ(plan.terms(3).depth, 16U);
}

TEST(RouterPlan, LetsLaterEntriesWin) {
    EXPECT_EQ(
        names(plan_of(mesh_with({"at=0-3 depth=16 va_delay=2", "at=2-5 depth=4"}, "vcs=4", "mesh dims=4,2"))),
        "vc, depth 16, va_delay 2: [0-1]; vc, depth 4, va_delay 2: [2-3]; vc, depth 4: [4-5]; "
        "vc: [6-7]; ");
    EXPECT_EQ(names(plan_of(mesh_with({"at=3 depth=16", "at=all depth=4"}, "vcs=4", "mesh dims=4,2"))),
              "vc: [0-7]; ");
    EXPECT_EQ(names(plan_of(mesh_with({"at=all depth=4", "at=3 depth=16"}, "vcs=4", "mesh dims=4,2"))),
              "vc: [0-2, 4-7]; vc, depth 16: [3]; ");
}

TEST(RouterPlan, StartsAnotherKindFromItsOwnDefaults) {
    const router_plan plan =
        plan_of(mesh_with({"at=all kind=test_ring", "at=3 kind=vc", "at=4 kind=test_ring places=5"},
                          "depth=16 sa_delay=2", "mesh dims=4,2"));
    EXPECT_EQ(names(plan), "test_ring: [0-2, 5-7]; vc: [3]; test_ring, places 5: [4]; ");
    EXPECT_EQ(plan.terms(3).depth, 8U);
    EXPECT_EQ(plan.model(4).kind(), "test_ring");
}

std::string refused(const std::vector<std::string>& exceptions, const char* router = "vcs=4",
                    std::uint32_t max_packet = 8) {
    return message([&] {
        const experiment e = mesh_with(exceptions, router);
        const auto map = e.make_map();
        router_plan(e, *map).check_links(*map, max_packet);
    });
}

TEST(RouterPlan, RefusesNeighboursThatDisagree) {
    EXPECT_EQ(refused({"at=5 depth=4 sa_delay=2"}), "");
    EXPECT_EQ(refused({"at=0-15 vcs=2"}), "");
    EXPECT_EQ(refused({"at=0-7 vcs=2"}),
              "test.yaml:1:1: router 4 has 2 VCs, and router 8, which it is linked to, has 4; 'vcs' must be "
              "the same at both ends of a link");
    EXPECT_EQ(refused({"at=0 depth=9", "at=1 switching=cut_through"}), "");
    EXPECT_EQ(refused({"at=1 switching=cut_through", "at=2 depth=4"}),
              "test.yaml:2:1: router 1 sends whole packets of up to 8 flits (nic.max_packet_flits) to router "
              "2, whose buffers have depth 4; it must be at least as large");
    EXPECT_EQ(refused({"at=1 switching=store_and_forward depth=4"}),
              "test.yaml:1:1: router 1 switches by whole packets, and its buffers have depth 4; they must "
              "hold packets of 8 flits (nic.max_packet_flits)");
    EXPECT_EQ(refused({"at=15 lookahead=true"}),
              "test.yaml:1:1: router 15 looks ahead, but router 11, which it is linked to, does not, and "
              "sends heads without the route they take there; 'lookahead' must be the same at both ends of "
              "a link");
    EXPECT_EQ(refused({"at=3 padded=true"}, "kind=test_ring"),
              "test.yaml:1:1: router 2 sends flits and credits, and router 3, which it is linked to, packets "
              "of 16 flits; it must be the same at both ends of a link");
    EXPECT_EQ(
        refused({"at=3 kind=test_ring"}),
        "test.yaml:1:1: router 3 is of kind test_ring, which brings its own routing ({function: dor, "
        "dateline: none}), but a network has one: choose this kind in 'router', with 'at: all', or for a "
        "level of a hierarchy");
}

value tree_of(const experiment& e, bool with_routing) {
    value tree = value::map({}, {"test.yaml", 1, 1});
    tree.set("network", e.network);
    tree.set("traffic", e.traffic);
    tree.set("router", e.router);
    tree.set("routers", e.routers);
    if (with_routing) tree.set("routing", value::scalar("dor", {"test.yaml", 9, 2}));
    return tree;
}

TEST(RouterPlan, TakesTheRoutingThatAKindBrings) {
    for (const experiment& e : {mesh_with({}, "kind=test_ring"), mesh_with({"at=all kind=test_ring"})}) {
        const experiment read = experiment::read(tree_of(e, false), "");
        EXPECT_EQ(flow_style(read.routing), "{function: dor, dateline: none}");
        EXPECT_EQ(read.resolved().find("routing"), nullptr);
        EXPECT_EQ(flow_style(experiment::read(read.resolved(), "").routing), flow_style(read.routing));
        EXPECT_EQ(message([&] { experiment::read(tree_of(e, true), ""); }),
                  "test.yaml:9:2: router kind test_ring brings its own routing ({function: dor, dateline: "
                  "none}); leave out 'routing'");
    }
    EXPECT_EQ(flow_style(experiment::read(tree_of(mesh_with({}), true), "").routing), "dor");
}

/// On a torus, where this routing function could deadlock without what the kind does.
TEST(RouterPlan, TakesTheReasonWhyAKindIsSafe) {
    const auto check = [](std::vector<std::string> exceptions) {
        return in_child([&] {
            experiment e = experiment::read(tree_of(mesh_with({}, "kind=test_ring"), false), "");
            e.network = section("torus dims=4,4", "topology");
            e.routers = entries(exceptions);
            simulation s(e);
            const deadlock_report& report = s.check_deadlock();
            return report.ok() ? report.text : "bad";
        });
    };
    EXPECT_EQ(check({}), "not needed: bubbles: there is always a free place");
    EXPECT_EQ(check({"at=3 kind=vc"}), "bad");
}

TEST(RouterPlan, RefusesRtlOfAnotherKind) {
    EXPECT_EQ(message([] {
                  vc_params(ring_model({}), 3, "RTL", {"test.yaml", 5, 1});
              }),
              "test.yaml:5:1: router 3 is of kind test_ring; RTL exists for kind vc only");
}

TEST(RouterPlan, MakesFewGroupsOfManyExceptions) {
    std::vector<std::string> lines;
    for (int r = 0; r < 300; ++r)
        lines.push_back("at=" + std::to_string(r) + "-65535 depth=" + std::to_string(1 + r % 7));
    const router_plan plan = plan_of(mesh_with(lines, "vcs=4", "mesh dims=256,256"));
    EXPECT_EQ(plan.groups().size(), 7U);
}

}  // namespace
}  // namespace sare::test::router_plan_test
