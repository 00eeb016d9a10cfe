// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tests/tlm/routing/idle_view.h"
#include "tests/tlm/routing/routing_mutants.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

/// Routing on a HyperX: ways, classes of VCs, and what they carry.
namespace sare::test::routing_hyperx_test {
namespace {

using verdict = deadlock_report::verdict;

const char* const networks[] = {"hyperx dims=4,4 concentration=2", "hyperx dims=3,2,3 concentration=1",
                                "hyperx dims=5 concentration=2", "hyperx dims=3,1,4 concentration=1"};

std::uint32_t most_links(const std::vector<std::vector<std::uint32_t>>& distance) {
    std::uint32_t most = 0;
    for (const auto& row : distance) most = std::max(most, *std::max_element(row.begin(), row.end()));
    return most;
}

TEST(HyperxRouting, IsMinimalOrWithinItsBound) {
    for (const char* line : networks) {
        const auto net = test::network(line);
        const auto distance = distances(*net);
        for (const char* function : {"hyperx_minimal", "min_adaptive"})
            every_path(*net, *test::routing(function, *net, 3), [&](const auto& way, const auto&) {
                EXPECT_EQ(way.size() - 1, distance[way.front()][way.back()]) << function;
            });
        every_path(*net, *test::routing("hyperx_valiant", *net, 2), [&](const auto& way, const auto& h) {
            const std::uint32_t rest = distance[h.via][way.back()];
            EXPECT_EQ(way.size() - 1,
                      h.phase == 1 ? distance[way.front()][way.back()] : distance[way.front()][h.via] + rest);
        });
        std::uint64_t astray = 0;
        every_path(*net, *test::routing("dal", *net, 2), [&](const auto& way, const auto&) {
            const std::uint32_t direct = distance[way.front()][way.back()];
            EXPECT_GE(way.size() - 1, direct);
            EXPECT_LE(way.size() - 1, 2 * direct);  // once astray in each dimension
            astray += way.size() - 1 - direct;
        });
        EXPECT_GT(astray, 0U);
        EXPECT_LE(most_links(distance), 3U);
    }
}

TEST(HyperxRouting, OffersDetoursOnceInADimensionInDal) {
    // Ports 0-2 along dimension 0, 3-5 along dimension 1. From (0, 0) to (3, 2).
    const auto net = test::network("hyperx dims=4,4 concentration=1");
    const auto f = test::routing("dal", *net, 3);
    route_header h = header(*f, 0, 11);
    const auto ports = [&](std::uint32_t r, std::uint32_t in) {
        route_set out;
        f->route(r, in, 1, h, out);
        std::string all;
        for (std::uint32_t i = 0; i < out.size; ++i)
            all += std::to_string(out.candidates[i].port) + (out.candidates[i].escape ? "!" : " ");
        return all;
    };
    EXPECT_EQ(ports(0, 6), "2 4 0 1 3 5 2!");
    EXPECT_EQ(ports(1, 0), "2 4 3 5 2!");  // to (1, 0): no more detours along dimension 0
    EXPECT_EQ(ports(9, 3), "2 2!");        // to (1, 2): dimension 1 is finished
    EXPECT_EQ(ports(11, 1), "6 ");
}

/// Queues by port.
struct a_view final : idle_view {
    std::map<std::uint32_t, std::uint32_t> queues;
    std::uint32_t queue(std::uint32_t p) const override {
        const auto found = queues.find(p);
        return found == queues.end() ? 0 : found->second;
    }
};

TEST(HyperxRouting, ComparesQueuesTimesHopsInDal) {
    const auto net = test::network("hyperx dims=4,4 concentration=1");
    const auto f = test::routing("dal", *net, 3);
    const auto chosen = [&](const std::map<std::uint32_t, std::uint32_t>& queues) {
        a_view view;
        view.queues = queues;
        route_header h = header(*f, 0, 11);
        route_set out;
        f->route_seeing(0, 6, 0, h, view, out);
        EXPECT_EQ(out.size, 2U);
        EXPECT_EQ(out.candidates[0].vcs, 6U);
        EXPECT_TRUE(out.candidates[1].escape && out.candidates[1].port == 2 && out.candidates[1].vcs == 1);
        return std::uint32_t{out.candidates[0].port};
    };
    EXPECT_EQ(chosen({}), 2U);
    EXPECT_EQ(chosen({{2, 1}}), 4U);
    EXPECT_EQ(chosen({{0, 6}, {1, 6}, {2, 9}, {3, 6}, {4, 9}, {5, 6}}), 2U);  // 2 * 9 and 3 * 6
    EXPECT_EQ(chosen({{0, 6}, {1, 6}, {2, 9}, {3, 5}, {4, 9}, {5, 6}}), 3U);
}

TEST(HyperxRouting, UsesItsVcClasses) {
    const auto net = test::network("hyperx dims=4,1,4 concentration=1");
    const auto way = [&](const char* line, std::uint32_t vcs, std::uint32_t r) {
        const auto f = test::routing(line, *net, vcs);
        return candidates_at(*f, r, header(*f, 0, 11));
    };
    EXPECT_EQ(way("hyperx_minimal", 3, 0), "2:111");
    EXPECT_EQ(way("hyperx_minimal", 3, 3), "4:111");
    EXPECT_EQ(way("min_adaptive", 3, 0), "2:11 4:11");
    EXPECT_EQ(way("min_adaptive", 3, 3), "4:100");
    EXPECT_EQ(way("min_adaptive", 3, 11), "6:111");
    const auto f = test::routing("hyperx_valiant", *net, 3);
    route_header h = header(*f, 0, 11);
    h.via = 7;
    EXPECT_EQ(candidates_at(*f, 3, h), "3:11");
    EXPECT_EQ(candidates_at(*f, 7, h), "4:100");
}

TEST(HyperxRouting, IsFreeOfDeadlockOnlyWithItsClasses) {
    for (const char* line : networks) {
        const auto net = test::network(line);
        for (const char* function : {"hyperx_minimal", "min_adaptive", "hyperx_valiant"})
            for (const std::uint32_t vcs : {3U, 5U})
                EXPECT_EQ(test::check(function, *net, vcs, false).result, verdict::acyclic) << function;
        EXPECT_EQ(test::check("hyperx_minimal", *net, 1, false).result, verdict::acyclic);
        EXPECT_EQ(test::check("dal", *net, 2).result, verdict::acyclic) << line;
        EXPECT_EQ(test::check("dal", *net, 3).result, verdict::acyclic) << line;
        EXPECT_EQ(test::check("dal", *net, 2, false).result, verdict::unsafe) << line;
    }
    const auto net = test::network(networks[0]);
    EXPECT_EQ(check_on_one_vc("min_adaptive", *net, 2).result, verdict::cycle);
    EXPECT_EQ(check_on_one_vc("dal", *net, 2).result, verdict::cycle);
}

/// The check is given the two phases apart; here in one piece.
class every_via final : public routing_function {
  public:
    every_via(const topology& net, bool one_vc)
        : m_routers(net.routers()), m_one_vc(one_vc), m_inner(test::routing("hyperx_valiant", net, 2)) {}
    std::string name() const override { return "every_via"; }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        for (std::uint32_t r = 0; r < m_routers; ++r) {
            out.push_back(plain);
            out.back().via = r;
        }
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t vc, route_header& h,
               route_set& out) const override {
        m_inner->route(r, in, vc, h, out);
        if (m_one_vc) out.candidates[0].vcs = 1;
    }

  private:
    std::uint32_t m_routers;
    bool m_one_vc;
    std::unique_ptr<routing_function> m_inner;
};

TEST(HyperxRouting, NeedsAClassForEachPhaseInValiant) {
    for (const char* line : networks) {
        const auto net = test::network(line);
        EXPECT_EQ(test::check(every_via(*net, false), *net, 2).result, verdict::acyclic);
        EXPECT_EQ(test::check(every_via(*net, true), *net, 1).result, verdict::cycle) << line;
    }
}

/// Flits accepted a node and cycle where all nodes of a router send to those of the next one.
double accepted(const char* routing, double load) {
    fabric_setting s;
    s.network = "hyperx dims=8 concentration=8";
    s.routing = routing;
    s.router.vcs = 6;
    s.router.depth = 16;
    s.router.input_speedup = 2;
    s.router.switching = switching_mode::cut_through;  // what the escape of dal asks for
    s.nic.max_packet_flits = 8;
    s.router.va_allocator = s.router.sa_allocator = config::value::scalar("wavefront");
    test_fabric f(s);
    config::value all = section("bernoulli load=" + std::to_string(load), "workload");
    all.set("pattern", section("bad_dragonfly group=8", "name"));
    const auto traffic = workload_registry::instance().make(all, workload_context{"", f.net.view().nodes()});
    f.net.stepper().set_workload(traffic.get());
    f.run(0, 1000);
    const std::uint64_t before = f.net.view().flits_consumed();
    f.run(1000, 4000);
    return static_cast<double>(f.net.view().flits_consumed() - before) / (3000.0 * f.net.view().nodes());
}

/// 8 nodes send over one link: minimal ways carry 1/8 a node. Through a random router, or each of the six
/// others as often as two of its links are free, a packet takes two of the seven links: 1/2.
TEST(HyperxRouting, CarriesMoreOnDetoursThanOnMinimalRoutes) {
    const std::tuple<const char*, double> bounds[] = {
        {"hyperx_minimal", 1.0 / 8}, {"min_adaptive", 1.0 / 8}, {"hyperx_valiant", 0.5}, {"dal", 0.5}};
    for (const auto& [function, bound] : bounds) {
        const double flits = accepted(function, 0.6);
        EXPECT_LE(flits, bound * 1.002) << function;
        EXPECT_GE(flits, bound * 0.9) << function;
        RecordProperty(function, std::to_string(flits));
    }
}

}  // namespace
}  // namespace sare::test::routing_hyperx_test
