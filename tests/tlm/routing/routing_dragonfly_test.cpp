// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tests/tlm/routing/idle_view.h"
#include "tests/tlm/routing/routing_mutants.h"
#include "tlm/topology/dragonfly/dragonfly.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

/// Routing on dragonflies: ways, classes of VCs, and what they carry.
namespace sare::test::routing_dragonfly_test {
namespace {

using verdict = deadlock_report::verdict;

const char* const functions[] = {"dragonfly_minimal", "dragonfly_valiant", "ugal_l", "ugal_g", "par"};

/// VCs that a function needs, or one more than the others.
std::uint32_t least_vcs(const std::string& function) {
    return function == "par" ? 4 : 3;
}

/// Balanced; not; two links between groups and one unplugged; three groups of routers with one node; one
/// router a group; two groups.
const char* const networks[] = {"dragonfly p=2 a=4 h=2 g=9", "dragonfly p=1 a=3 h=2 g=7",
                                "dragonfly p=1 a=3 h=3 g=5", "dragonfly p=1 a=2 h=3 g=3",
                                "dragonfly p=2 a=1 h=4 g=5", "dragonfly p=1 a=4 h=1 g=2"};

const dragonfly_shape& shape_of(const topology& net) {
    return dynamic_cast<const dragonfly_shape&>(*net.shape());
}

/// Links of a way that lead to other groups, and the groups it comes through.
std::vector<std::uint32_t> groups_of(const topology& net, const std::vector<std::uint32_t>& way) {
    std::vector<std::uint32_t> groups;
    for (const std::uint32_t r : way) {
        const std::uint32_t group = r / shape_of(net).a;
        if (groups.empty() || groups.back() != group) groups.push_back(group);
    }
    return groups;
}

/// Links of the shortest way that leads from group to group at most once.
std::vector<std::vector<std::uint32_t>> hierarchical(const topology& net) {
    const std::uint32_t all = net.routers(), a = shape_of(net).a;
    std::vector<std::vector<std::uint32_t>> links(all, std::vector<std::uint32_t>(all, unreached));
    const auto within = [&](std::uint32_t x, std::uint32_t y) { return x == y ? 0U : 1U; };
    for (std::uint32_t s = 0; s < all; ++s)
        for (std::uint32_t d = 0; d < all; ++d) {
            if (s / a == d / a) links[s][d] = within(s, d);
            for (std::uint32_t r = s / a * a; r < s / a * a + a; ++r)
                for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p)
                    if (const port_peer to = net.peer(router_id(r), port_id(p));
                        to.what == port_peer::kind::router && to.id / a != s / a && to.id / a == d / a)
                        links[s][d] = std::min(links[s][d], within(s, r) + 1 + within(to.id, d));
        }
    return links;
}

TEST(DragonflyRouting, TakesTheFewestLinksOnMinimalRoutes) {
    for (const char* line : networks) {
        const auto net = test::network(line);
        const auto links = hierarchical(*net);
        every_path(*net, *test::routing("dragonfly_minimal", *net, 3), [&](const auto& way, const auto&) {
            EXPECT_EQ(way.size() - 1, links[way.front()][way.back()]) << line;
        });
    }
}

/// With one link between each two groups a way has no local hop at either end once in a routers.
TEST(DragonflyRouting, HasTheMeanLengthOfMinimalRoutes) {
    for (const auto& [line, a, g] :
         {std::tuple<const char*, double, double>{networks[0], 4, 9}, {networks[1], 3, 7}}) {
        const auto net = test::network(line);
        double sum = 0, ways = 0;
        every_path(*net, *test::routing("dragonfly_minimal", *net, 2), [&](const auto& way, const auto&) {
            sum += static_cast<double>(way.size() - 1);
            ++ways;
        });
        EXPECT_NEAR(sum / ways, (a - 1) / a / g + (g - 1) / g * (1 + 2 * (a - 1) / a), 1e-12);
    }
}

TEST(DragonflyRouting, PassesOneGroupInFiveHopsAtMostOnOtherRoutes) {
    for (const char* line : networks)
        for (const char* function : {"dragonfly_valiant", "ugal_l", "ugal_g"}) {
            const auto net = test::network(line);
            std::map<std::size_t, int> ways;
            every_path(*net, *test::routing(function, *net, 3), [&](const auto& way, const auto&) {
                EXPECT_LE(way.size() - 1, 5U);
                const auto groups = groups_of(*net, way);
                EXPECT_LE(groups.size(), 3U);
                EXPECT_TRUE(groups.size() < 3 || groups.front() != groups.back());
                ++ways[groups.size()];
            });
            EXPECT_EQ(ways[3] > 0, shape_of(*net).g > 2) << function << " on " << line;
            EXPECT_TRUE(ways[2] == 0 || shape_of(*net).g == 2 || function[0] == 'u');
        }
}

TEST(DragonflyRouting, DrawsAllOtherGroups) {
    const auto net = test::network(networks[0]);
    const auto f = test::routing("dragonfly_valiant", *net, 3);
    rng random(1, stream::test, 0);
    std::map<std::uint32_t, int> drawn;
    for (int i = 0; i < 7000; ++i) {
        route_header h;
        h.source = 3 * 8;
        h.destination = 5 * 8 + 1;
        f->begin(h, random);
        ++drawn[h.state];
    }
    EXPECT_EQ(drawn.size(), 7U);
    for (const auto& [state, count] : drawn) EXPECT_NEAR(count, 1000, 150);
}

TEST(DragonflyRouting, UsesVcClassesAsSpecified) {
    const auto net = test::network(networks[0]);  // ports 0-2 local, 3 and 4 global
    const auto way = [&](const char* line, std::uint32_t vcs, std::uint32_t r, route_header h) {
        return candidates_at(*test::routing(line, *net, vcs), r, h);
    };
    // Group 0 to 5: link 4 of group 0, of router 2; link 0 of group 5, to its router 0.
    const auto m = header(*test::routing("dragonfly_minimal", *net, 5), 0, 5 * 8 + 7);
    EXPECT_EQ(way("dragonfly_minimal", 5, 0, m), "1:111");
    EXPECT_EQ(way("dragonfly_minimal", 5, 2, m), "3:11111");
    EXPECT_EQ(way("dragonfly_minimal", 5, 20, m), "2:11000");
    EXPECT_EQ(way("dragonfly_minimal", 5, 23, m), "6:11111");
    const auto within = header(*test::routing("dragonfly_minimal", *net, 5), 0, 7);
    EXPECT_EQ(way("dragonfly_minimal", 5, 0, within), "2:11111");
    // By group 8: link 7 of group 0, of router 3; link 0 of group 8, link 5 of it, of router 2, to group 5.
    route_header v = header(*test::routing("dragonfly_valiant", *net, 7), 0, 5 * 8 + 7, 6);
    EXPECT_EQ(way("dragonfly_valiant", 7, 0, v), "2:111");
    EXPECT_EQ(way("dragonfly_valiant", 7, 3, v), "4:1111");
    EXPECT_EQ(way("dragonfly_valiant", 7, 32, v), "1:11000");
    EXPECT_EQ(way("dragonfly_valiant", 7, 34, v), "4:1110000");
    EXPECT_EQ(way("dragonfly_valiant", 7, 20, v), "2:1100000");
    EXPECT_EQ(way("ugal_l", 7, 2, header(*test::routing("ugal_l", *net, 7), 0, 5 * 8 + 7)), "3:1110000");
}

/// The check is given some of the headers only; all of them add nothing.
class every_detour final : public routing_function {
  public:
    explicit every_detour(const topology& net) : m_net(net), m_inner(test::routing("ugal_l", net, 3)) {}
    std::string name() const override { return "every_detour"; }
    bool knows_routers_only() const override { return m_inner->knows_routers_only(); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const std::uint32_t a = shape_of(m_net).a;
        const std::uint32_t i = m_net.router_of(node_id(plain.source)).value / a,
                            j = m_net.router_of(node_id(plain.destination)).value / a;
        m_inner->every_header(plain, out);
        const std::uint32_t copies = shape_of(m_net).links_of_pair();
        for (std::uint32_t state = 1 + copies; i != j && state < m_inner->tabular_states(); ++state) {
            const std::uint32_t via = (state - 1) / copies - 1;
            if (via == i || via == j) continue;
            out.push_back(plain);
            out.back().state = static_cast<std::uint16_t>(state);
        }
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t vc, route_header& h,
               route_set& out) const override {
        m_inner->route(r, in, vc, h, out);
    }

  private:
    const topology& m_net;
    std::unique_ptr<routing_function> m_inner;
};

TEST(DragonflyRouting, IsFreeOfDeadlockByItsClassesOnly) {
    for (const char* line : networks) {
        const auto net = test::network(line);
        for (const char* function : functions)
            for (const std::uint32_t more : {0U, 2U}) {
                const auto report = test::check(function, *net, least_vcs(function) + more, false);
                EXPECT_EQ(report.result, verdict::acyclic) << function << ": " << report.text;
            }
        const auto all = test::check(every_detour(*net), *net, 3);
        EXPECT_EQ(all.result, verdict::acyclic) << all.text;
        EXPECT_EQ(all.dependencies, test::check("ugal_l", *net, 3).dependencies) << line;
    }
    for (const char* function : functions) {
        const auto report = check_on_one_vc(function, *test::network(networks[0]), least_vcs(function));
        EXPECT_EQ(report.result, verdict::cycle) << function << ": " << report.text;
    }
}

/// Queues by router and port.
struct a_view final : idle_view {
    std::uint32_t router = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> queues;
    std::map<std::uint32_t, std::uint32_t> by_vc;  ///< of port 1
    std::uint32_t of(std::uint32_t r, std::uint32_t p) const {
        const auto found = queues.find({r, p});
        return found == queues.end() ? 0 : found->second;
    }
    std::uint32_t used(std::uint32_t p, std::uint32_t v) const override {
        const auto found = by_vc.find(v);
        return p != 1 || found == by_vc.end() ? 0 : found->second;
    }
    std::uint32_t queue(std::uint32_t p) const override { return of(router, p); }
    std::uint32_t told(std::uint32_t r, std::uint32_t p) const override { return of(r, p); }
};

/// The port that a packet of node 0 for group 5 takes at router 0, where the other way is by group `via`; 8:
/// to router 2 (port 1) on a minimal way of three hops, to router 3 (port 2) on the other one of four.
std::uint32_t chosen(const char* line, const a_view& view, std::uint32_t via = 8, std::uint32_t vcs = 3,
                     std::uint32_t* vc = nullptr) {
    const auto net = test::network(networks[0]);
    const auto f = test::routing(line, *net, vcs);
    route_header h;
    h.source = 0;
    h.destination = 5 * 8 + 7;
    h.state = 1;
    h.via = 1 + 1 + via;
    h.vc_base = 3;
    route_set out;
    f->route_seeing(0, shape_of(*net).first_node_port(), 0, h, view, out);
    // Decided once: no queue changes it at the next router.
    route_set next;
    const route_header decided = h;
    f->route_seeing(0, 0, 0, h, a_view(), next);
    EXPECT_EQ(h.state, decided.state);
    EXPECT_EQ(next.candidates[0].port, out.candidates[0].port);
    if (vc != nullptr) *vc = out.candidates[0].vcs;
    return out.candidates[0].port;
}

TEST(DragonflyRouting, ComparesQueuesTimesHopsInUgal) {
    for (const char* line : {"ugal_l", "ugal_g"}) {
        const bool local = std::string(line) == "ugal_l";
        // ugal_l: the first hops; ugal_g: global link 4 is on port 3 of router 2, link 7 on port 4 of 3.
        const std::pair<std::uint32_t, std::uint32_t> direct{local ? 0 : 2, local ? 1 : 3},
            other{local ? 0 : 3, local ? 2 : 4};
        a_view view;
        EXPECT_EQ(chosen(line, view), 1U);
        view.queues = {{direct, 12}, {other, 9}};  // 3 * 12 and 4 * 9: as long
        EXPECT_EQ(chosen(line, view), 1U);
        view.queues = {{direct, 12}, {other, 8}};
        EXPECT_EQ(chosen(line, view), 2U);
        EXPECT_EQ(chosen(local ? "ugal_l threshold=4" : "ugal_g threshold=4", view), 1U);
        EXPECT_EQ(chosen(local ? "ugal_l threshold=3" : "ugal_g threshold=3", view), 2U);
        view.queues = {{{local ? 2 : 0, local ? 3 : 1}, 100}};  // of routers that it does not look at
        EXPECT_EQ(chosen(line, view), 1U);
    }
}

/// Where both ways begin with the hop to router 2 (by group 6, five hops in all), the classes tell them
/// apart.
TEST(DragonflyRouting, TellsRoutesOfOnePortApartInLocalUgal) {
    std::uint32_t vcs = 0;
    a_view view;
    view.by_vc = {{3, 9}, {4, 16}};  // VCs 0 and 1 of the packet's class
    EXPECT_EQ(chosen("ugal_l", view, 6, 3, &vcs), 1U);
    EXPECT_EQ(vcs, 1U);  // 3 * 16 above 5 * 9
    view.by_vc = {{3, 9}, {4, 15}};
    EXPECT_EQ(chosen("ugal_l", view, 6, 3, &vcs), 1U);
    EXPECT_EQ(vcs, 2U);
}

/// A packet of node 0 for group 5, whose minimal path leaves by port 3 of router 2, turns there to the detour
/// by group 8, which leaves by port 4 of router 3, if that queue is shorter, and not behind a global link.
TEST(DragonflyRouting, TurnsAtTheSecondRouterInPar) {
    const auto net = test::network(networks[0]);
    const auto f = test::routing("par", *net, 8);
    const auto text_at = [&](std::uint32_t r, std::uint32_t in, std::uint32_t on_minimal,
                             std::uint32_t state) {
        a_view view;
        view.router = r;
        view.queues = {{{2, 3}, on_minimal}, {{2, 2}, 9}};
        route_header h;
        h.source = 0;
        h.destination = 5 * 8 + 7;
        h.state = static_cast<std::uint16_t>(state);
        h.via = 1 + 1 + 8;
        route_set out;
        f->route_seeing(r, in, 0, h, view, out);
        return text_of(out) + (h.state == h.via ? " round" : "");
    };
    EXPECT_EQ(text_at(0, 5, 0, 1), "1:11");           // node's port: minimal, in the lowest class
    EXPECT_EQ(text_at(2, 0, 9, 1), "3:11110000");     // 9 x 2 links against 9 x 4
    EXPECT_EQ(text_at(2, 0, 18, 1), "3:11110000");    // as long
    EXPECT_EQ(text_at(2, 0, 19, 1), "2:1100 round");  // to router 3 in the second class
    EXPECT_EQ(text_at(20, 3, 99, 1), "2:11000000");   // in group 5, behind the global link
    EXPECT_EQ(text_at(2, 0, 0, 10), "2:1100 round");  // decided before
}

/// Flits accepted a node and cycle.
double accepted(const std::string& routing, const char* pattern, double load) {
    fabric_setting s;
    s.network = networks[0];
    s.routing = routing;
    s.router.vcs = 2 * least_vcs(routing);
    s.router.depth = 16;
    s.router.input_speedup = 2;
    s.router.va_allocator = s.router.sa_allocator = config::value::scalar("wavefront");
    test_fabric f(s);
    config::value all = section("bernoulli load=" + std::to_string(load), "workload");
    all.set("pattern", section(pattern, "name"));
    const auto traffic = workload_registry::instance().make(all, workload_context{"", f.net.view().nodes()});
    f.net.stepper().set_workload(traffic.get());
    f.run(0, 2000);
    const std::uint64_t before = f.net.view().flits_consumed();
    f.run(2000, 6000);
    return static_cast<double>(f.net.view().flits_consumed() - before) / (4000.0 * f.net.view().nodes());
}

/// All of a group's a p = 8 nodes send to the next group. Minimal ways share the one link between the two.
/// Through one of the other g - 2 = 7 groups a packet loads a link of its own group, and one of that group:
/// each of the links but the direct one carries 2 * 8 / 7 of what a node sends. UGAL uses both: the direct
/// link carries 1, the others 2 * (8 x - 1) / 7 = 1.
TEST(DragonflyRouting, CarriesMoreOnOtherRoutesThanOnMinimalOnes) {
    const std::tuple<const char*, double, double> bounds[] = {{"dragonfly_minimal", 1.0 / 8, 0.95},
                                                              {"dragonfly_valiant", 7.0 / 16, 0.9},
                                                              {"ugal_l", 9.0 / 16, 0.85},
                                                              {"ugal_g", 9.0 / 16, 0.9},
                                                              {"par", 9.0 / 16, 0.85}};
    for (const auto& [function, bound, reached] : bounds) {
        const double flits = accepted(function, "bad_dragonfly group=8", 0.6);
        EXPECT_LE(flits, bound * 1.002) << function;
        EXPECT_GE(flits, bound * reached) << function;
        RecordProperty(function, std::to_string(flits));
    }
}

/// Where no link is loaded more than others, UGAL leaves packets on minimal ways.
TEST(DragonflyRouting, IsNearlyMinimalInUgalUnderUniformTraffic) {
    for (const char* function : {"ugal_l", "ugal_g", "par"}) {
        EXPECT_NEAR(accepted(function, "uniform", 0.7), 0.7, 0.01) << function;
        EXPECT_LE(accepted("dragonfly_valiant", "uniform", 0.7), 0.5);
    }
}

}  // namespace
}  // namespace sare::test::routing_dragonfly_test
