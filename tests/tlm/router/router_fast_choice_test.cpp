// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

#include <functional>

/// Routers are fast where fast code has all that they want, and nowhere else.
namespace sare::test::router_fast_choice_test {
namespace {

using change = std::function<void(router_params&)>;

struct setting {
    std::string network = "mesh dims=3,3", routing = "dor";
    network_scale scale = network_scale::small;
};

struct choice {
    std::string variant;
    std::uint32_t write_ahead;
};

/// What the middle router of a 3x3 network is, where all are so.
choice choice_of(const change& change_it, const setting& s) {
    router_params p;
    change_it(p);
    const auto map = network(s.network);
    const auto way = routing(s.routing, *map, p.vcs);
    fabric net(p.vcs, 1, 1);
    net.builder().run_as(s.scale);
    net.builder().set_routing(*map, *way);
    const auto model = std::make_shared<vc_model>(p);
    for (std::uint32_t r = 0; r < map->routers(); ++r)
        net.builder().add_router(model, map->ports(router_id(r)));
    for (std::uint32_t n = 0; n < map->nodes(); ++n) net.builder().add_nic({});
    connect(net, *map);
    net.builder().finish();
    return {net.view().bank_of(4).variant(), net.view().bank_of(4).acceleration()->write_ahead()};
}
std::string variant_of(const change& change_it, const setting& s = {}) {
    return choice_of(change_it, s).variant;
}

const change nothing = [](router_params&) {};

TEST(LayoutChoice, ScansSmallNetworksWhateverTheirFeatures) {
    const change all[] = {nothing,
                          [](router_params& p) { p.vcs = 8; },
                          [](router_params& p) { p.depth = 255; },
                          [](router_params& p) { p.rc_delay = 0; },
                          [](router_params& p) { p.rc_delay = p.va_delay = p.sa_delay = 2; },
                          [](router_params& p) { p.va_delay = p.sa_delay = p.st_delay = 0; },
                          [](router_params& p) { p.st_delay = 5; },
                          [](router_params& p) { p.credit_delay = 5; },
                          [](router_params& p) { p.lookahead = p.input_register = true; },
                          [](router_params& p) { p.pipelined = false, p.st_delay = 2; },
                          [](router_params& p) { p.speculative = true; },
                          [](router_params& p) { p.va_allocator = config::value::scalar("wavefront"); },
                          [](router_params& p) { p.sa_allocator = config::value::scalar("output_first"); },
                          [](router_params& p) { p.va_arbiter = config::value::scalar("matrix"); },
                          [](router_params& p) { p.sa_arbiter = config::value::scalar("age"); },
                          [](router_params& p) { p.iterations = 2; },
                          [](router_params& p) { p.input_speedup = 5; },
                          [](router_params& p) { p.output_speedup = 2; },
                          [](router_params& p) { p.reallocation = reallocation_rule::atomic; },
                          [](router_params& p) { p.selection = selection_policy::same_vc; }};
    for (const change& c : all) EXPECT_EQ(variant_of(c), "vc, scanned") << &c - all;
    EXPECT_EQ(variant_of(nothing, {"torus dims=3,3 link_latency=3", "duato"}), "vc, scanned");
    EXPECT_EQ(variant_of(nothing, {"mesh dims=3,3 link_cycles_per_flit=2", "dor"}), "vc, scanned");
    EXPECT_EQ(variant_of([](router_params& p) { p.selection = selection_policy::random; },
                         {"torus dims=3,3", "duato"}),
              "vc, scanned");
    EXPECT_EQ(variant_of(nothing, {"mesh dims=3,3", "dor", network_scale::large}), "vc, listed");
}

TEST(LayoutChoice, WhatACompactBlockCannotHoldIsWide) {
    const change all[] = {[](router_params& p) { p.vcs = 9; }, [](router_params& p) { p.depth = 256; },
                          [](router_params& p) { p.input_speedup = 13; },
                          [](router_params& p) { p.credit_batch = 2; }};
    for (const change& c : all) EXPECT_EQ(variant_of(c), "vc, wide") << &c - all;
    // Of 16 ports, eight VCs each.
    EXPECT_EQ(variant_of([](router_params& p) { p.vcs = 8; }, {"mesh dims=3,3 concentration=12", "dor"}),
              "vc, wide");
}

/// There, credits that come wake nothing, and what is there of a packet is all there is to know of it.
TEST(LayoutChoice, ListsOnlySimpleRouters) {
    const change all[] = {
        [](router_params& p) { p.speculative = true; },
        [](router_params& p) { p.va_allocator = config::value::scalar("wavefront"); },
        [](router_params& p) { p.sa_allocator = config::value::scalar("output_first"); },
        [](router_params& p) { p.input_speedup = 2; },
        [](router_params& p) { p.reallocation = reallocation_rule::atomic; },
        [](router_params& p) { p.switching = switching_mode::cut_through, p.depth = 64; },
        [](router_params& p) { p.switching = switching_mode::store_and_forward, p.depth = 64; }};
    for (const change& c : all) {
        EXPECT_EQ(variant_of(c), "vc, scanned") << &c - all;
        EXPECT_EQ(variant_of(c, {"mesh dims=3,3", "dor", network_scale::large}), "vc, wide") << &c - all;
    }
}

/// A lone flit is in a router for two cycles exactly, and has one way.
TEST(LayoutChoice, ForeseesWhereRcAndVaTakeACycle) {
    const setting list{"mesh dims=3,3", "dor", network_scale::large};
    const auto foresees = [&list](const change& c) {
        const choice made = choice_of(c, list);
        EXPECT_EQ(made.variant, "vc, listed");
        return made.write_ahead != 0;
    };
    EXPECT_TRUE(foresees(nothing));
    EXPECT_TRUE(foresees([](router_params& p) { p.sa_delay = 0, p.st_delay = 3; }));
    EXPECT_FALSE(foresees([](router_params& p) { p.rc_delay = 0; }));
    EXPECT_FALSE(foresees([](router_params& p) { p.lookahead = true; }));
    EXPECT_FALSE(foresees([](router_params& p) { p.va_delay = 0; }));
    const choice adaptive = choice_of(nothing, {"mesh dims=3,3", "odd_even", network_scale::large});
    EXPECT_EQ(adaptive.variant, "vc, listed");
    EXPECT_EQ(adaptive.write_ahead, 0U);
    EXPECT_EQ(choice_of(nothing, {}).write_ahead, 0U);
}

/// Those that would foresee from lists; others are run from these.
TEST(LayoutChoice, TakesDenseRoutersWhereRcAndVaTakeACycle) {
    const setting dense{"mesh dims=3,3", "dor", network_scale::dense};
    EXPECT_EQ(variant_of(nothing, dense), "vc, scanned, dense");
    EXPECT_EQ(variant_of([](router_params& p) { p.va_delay = 0; }, dense), "vc, listed");
    EXPECT_EQ(variant_of(nothing, {"mesh dims=3,3", "odd_even", network_scale::dense}), "vc, listed");
}

}  // namespace
}  // namespace sare::test::router_fast_choice_test
