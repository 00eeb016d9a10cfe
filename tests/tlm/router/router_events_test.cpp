// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_script.h"
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

namespace sare::test::router_events_test {
namespace {

/// Sums of the events of all routers.
struct sums {
    std::uint64_t va_bids = 0, va_grants = 0, sa_bids = 0, sa_grants = 0, flits = 0;

    explicit sums(const network_view& net) {
        for (std::uint32_t r = 0; r < net.routers(); ++r)
            for (std::uint32_t p = 0; p < net.ports(r); ++p) {
                const auto count = [&](router_event e) { return net.events(e, r, p); };
                std::uint64_t sent = 0;
                for (std::uint32_t v = 0; v < net.vcs(); ++v)
                    sent += net.bank_of(r).flits_sent(net.in_bank(r), p, v);
                EXPECT_EQ(count(router_event::sa_grant), sent) << "router " << r << ", port " << p;
                EXPECT_LE(count(router_event::va_grant), count(router_event::va_bid));
                EXPECT_LE(count(router_event::sa_grant), count(router_event::sa_bid));
                va_bids += count(router_event::va_bid);
                va_grants += count(router_event::va_grant);
                sa_bids += count(router_event::sa_bid);
                sa_grants += count(router_event::sa_grant);
                flits += sent;
            }
    }
};

sums run(const fabric_setting& setting, workload& traffic, cycle_t cycles) {
    fabric_setting s = setting;
    s.counts_events = true;
    test_fabric f(s);
    f.net.stepper().set_workload(&traffic);
    f.run(0, cycles);
    return sums(f.net.view());
}

TEST(RouterEvents, CountsALonePacketOnceInEachRouter) {
    fabric_setting s;
    s.network = "mesh dims=4";
    sare::message m;
    m.destination = 3;
    m.flits = 5;
    scripted_traffic traffic({m});
    const sums n = run(s, traffic, 200);
    EXPECT_EQ(n.va_bids, 4U);  // 4 routers, one head
    EXPECT_EQ(n.va_grants, 4U);
    EXPECT_EQ(n.sa_bids, 20U);  // of 5 flits
    EXPECT_EQ(n.sa_grants, 20U);
}

TEST(RouterEvents, GrantsAreFlitsAndPacketsWhateverTheParameters) {
    for (const bool speculative : {false, true})
        for (const char* allocator : {"input_first", "output_first", "wavefront"}) {
            fabric_setting s;
            s.traffic = "bernoulli load=0.5";
            s.length = "fixed flits=3";
            s.router.vcs = 2;
            s.router.speculative = speculative;
            s.router.va_allocator = s.router.sa_allocator = config::value::scalar(allocator);
            const auto traffic = traffic_of(s.traffic, 16, s.length);
            const sums n = run(s, *traffic, 1500);
            EXPECT_GT(n.flits, 5000U);
            EXPECT_GT(n.va_bids, n.va_grants);  // beyond saturation some fail
            EXPECT_GT(n.sa_bids, n.sa_grants);
            // Each packet has three flits; those under way have not sent all of them.
            EXPECT_NEAR(static_cast<double>(n.va_grants) * 3, static_cast<double>(n.flits),
                        0.05 * static_cast<double>(n.flits));
        }
}

TEST(RouterEvents, AreNotThereUnlessAsked) {
    const test_fabric f{fabric_setting()};
    EXPECT_THROW(f.net.view().events(router_event::va_bid, 0, 0), std::logic_error);
}

}  // namespace
}  // namespace sare::test::router_events_test
