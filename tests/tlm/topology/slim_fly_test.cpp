// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tests/tlm/routing/routing_mutants.h"
#include "tlm/topology/dragonfly/galois_field.h"
#include "tlm/topology/properties.h"

#include <gtest/gtest.h>

/// The Slim Fly, the fields that it is made of, and its routing.
namespace sare::test::slim_fly_test {
namespace {

using verdict = deadlock_report::verdict;

TEST(GaloisField, IsAField) {
    for (const std::uint32_t q : {2U, 3U, 4U, 5U, 8U, 9U, 16U, 25U, 27U}) {
        const galois_field f(q);
        ASSERT_EQ(f.size(), q);
        std::set<std::uint32_t> powers;
        for (std::uint32_t e = 0; e + 1 < q; ++e) powers.insert(f.power(e));
        EXPECT_EQ(powers.size(), q - 1);
        EXPECT_EQ(powers.count(0), 0U);
        for (std::uint32_t a = 0; a < q; ++a) {
            EXPECT_EQ(f.add(a, 0), a);
            EXPECT_EQ(f.multiply(a, 1), a);
            EXPECT_EQ(f.subtract(a, a), 0U);
            for (std::uint32_t b = 0; b < q; ++b) {
                EXPECT_EQ(f.add(a, b), f.add(b, a));
                EXPECT_EQ(f.subtract(f.add(a, b), b), a);
                EXPECT_EQ(f.multiply(a, b), f.multiply(b, a));
                for (std::uint32_t c = 0; c < q; ++c) {
                    ASSERT_EQ(f.multiply(a, f.add(b, c)), f.add(f.multiply(a, b), f.multiply(a, c)));
                    ASSERT_EQ(f.multiply(a, f.multiply(b, c)), f.multiply(f.multiply(a, b), c));
                }
            }
        }
    }
    for (const std::uint32_t q : {0U, 1U, 6U, 12U, 36U}) EXPECT_EQ(galois_field(q).size(), 0U);
    EXPECT_EQ(galois_field(7).multiply(3, 5), 1U);
    EXPECT_EQ(galois_field(7).add(3, 5), 1U);
}

TEST(SlimFly, HasDiameterTwo) {
    for (const std::uint32_t q :
         {3U, 4U, 5U, 7U, 8U, 9U, 11U, 13U, 16U, 17U, 19U, 23U, 25U, 27U, 29U, 31U, 32U, 37U, 41U}) {
        const auto net = test::network("slim_fly concentration=1 q=" + std::to_string(q));
        const topology_properties p = measure(*net);
        EXPECT_EQ(p.routers, 2 * q * q);
        EXPECT_EQ(p.distances, topology_properties::origin::search);
        EXPECT_EQ(p.diameter, 2U);
        const std::uint32_t degree = (3 * q + (q % 4 == 3 ? 1 : 0) - (q % 4 == 1 ? 1 : 0)) / 2;
        EXPECT_EQ(p.degrees.size(), 1U);
        EXPECT_EQ(p.degrees.begin()->first, degree) << q;
        EXPECT_EQ(net->known().diameter, p.diameter);
        EXPECT_NEAR(*net->known().mean_distance, p.mean_distance, 1e-12);
        if (q > 13) continue;
        for (const auto& row : distances(*net))
            for (const std::uint32_t n : row) ASSERT_LE(n, 2U) << q;
    }
}

/// q = 5 is the Hoffman-Singleton graph: as many routers of degree 7 as can be within two links, so no two
/// ways of two links lead to the same.
TEST(SlimFly, IsAMooreGraphForFive) {
    const auto net = test::network("slim_fly q=5 concentration=4");
    const topology_properties p = measure(*net);
    EXPECT_EQ(p.routers, 1U + 7 + 7 * 6);
    EXPECT_EQ(p.degrees.begin()->first, 7U);
    EXPECT_EQ(p.nodes, 200U);
    EXPECT_EQ(p.radix, 11U);
}

const char* const networks[] = {"slim_fly q=3 concentration=2", "slim_fly q=4 concentration=1",
                                "slim_fly q=5 concentration=1", "slim_fly q=7 concentration=1"};

TEST(SlimFly, RoutesMinimallyOrThroughOneRouter) {
    for (const char* line : networks) {
        const auto net = test::network(line);
        const auto distance = distances(*net);
        every_path(*net, *test::routing("slim_fly_minimal", *net, 2), [&](const auto& way, const auto&) {
            EXPECT_EQ(way.size() - 1, distance[way.front()][way.back()]);
        });
        every_path(*net, *test::routing("slim_fly_valiant", *net, 4), [&](const auto& way, const auto& h) {
            EXPECT_EQ(way.size() - 1, h.phase == 1
                                          ? distance[way.front()][way.back()]
                                          : distance[way.front()][h.via] + distance[h.via][way.back()]);
        });
    }
}

TEST(SlimFly, IsFreeOfDeadlockByItsClassesOnly) {
    for (const char* line : networks) {
        const auto net = test::network(line);
        for (const std::uint32_t vcs : {4U, 7U})
            for (const char* function : {"slim_fly_minimal", "slim_fly_valiant"})
                EXPECT_EQ(test::check(function, *net, vcs, false).result, verdict::acyclic) << line;
        EXPECT_EQ(test::check("slim_fly_minimal", *net, 2, false).result, verdict::acyclic) << line;
        EXPECT_EQ(check_on_one_vc("slim_fly_minimal", *net, 2).result, verdict::cycle) << line;
        EXPECT_EQ(check_on_one_vc("slim_fly_valiant", *net, 4).result, verdict::cycle) << line;
    }
}

TEST(SlimFly, UsesItsVcClasses) {
    const auto net = test::network(networks[2]);
    const auto f = test::routing("slim_fly_valiant", *net, 6);
    const auto m = test::routing("slim_fly_minimal", *net, 5);
    const auto distance = distances(*net);
    std::uint32_t far = 0;
    while (distance[0][far] != 2) ++far;
    route_set out;
    route_header h = header(*m, 0, far);
    m->route(0, 11, 0, h, out);
    EXPECT_EQ(out.candidates[0].vcs, 7U);
    const std::uint32_t middle = net->peer(router_id(0), port_id(out.candidates[0].port)).id;
    m->route(middle, 0, 0, h, out);
    EXPECT_EQ(out.candidates[1].vcs, 24U);
    out.size = 0;
    const auto vcs = [&](std::uint32_t r, std::uint8_t phase) {
        route_header v = header(*f, 0, far, 0);
        v.phase = phase;
        out.size = 0;
        f->route(r, 0, 0, v, out);
        return out.candidates[0].vcs;
    };
    EXPECT_EQ(vcs(0, 0), 3U);
    EXPECT_EQ(vcs(middle, 0), 12U);
    EXPECT_EQ(vcs(0, 1), 16U);
    EXPECT_EQ(vcs(middle, 1), 32U);
}

}  // namespace
}  // namespace sare::test::slim_fly_test
