// SPDX-License-Identifier: Apache-2.0
#include "tests/support/audit.h"
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

/// Networks with groups, full graphs and trees of any shape, simulated: every pair of nodes, by routers of
/// each kind that can carry them.
namespace sare::test::network_families_test {
namespace {

struct a_case {
    const char *network, *routing;
    std::uint32_t vcs;
    const char* kind = "";  ///< of routers that bring their own routing; "": vc
};
void PrintTo(const a_case& c, std::ostream* out) {
    *out << c.network << ", " << c.routing << c.kind;
}

const a_case cases[] = {
    {"butterfly k=2 n=4", "destination_tag", 1},
    {"clos m=5 n=3 r=4", "destination_tag", 2},
    {"omega k=3 n=3", "table", 2},
    {"dragonfly p=2 a=3 h=2 g=7", "dragonfly_minimal", 2},
    {"dragonfly p=1 a=3 h=3 g=5", "dragonfly_minimal", 3},
    {"dragonfly p=2 a=3 h=2 g=7", "dragonfly_valiant", 3},
    {"dragonfly p=2 a=3 h=2 g=7 global_link_latency=9", "ugal_l", 3},
    {"dragonfly p=2 a=3 h=2 g=7 global_link_latency=9", "ugal_g", 4},
    {"dragonfly p=2 a=3 h=2 g=7 global_link_latency=9", "par", 5},
    {"dragonfly_plus p=2 l=3 s=2 h=2 g=5 global_link_latency=9", "dragonfly_plus_minimal", 1},
    {"dragonfly_plus p=1 l=2 s=3 h=3 g=4", "dragonfly_plus_valiant", 2},
    {"express_mesh dims=7,3 express=3 express_latency=3", "express_dor", 1},
    {"ruche dims=7,4 express=2,3 everywhere=false", "express_dor", 2},
    {"hyperx dims=4,3 concentration=2", "hyperx_minimal", 1},
    {"hyperx dims=4,3 concentration=2", "min_adaptive", 2},
    {"hyperx dims=4,3 concentration=2", "hyperx_valiant", 2},
    {"hyperx dims=4,3 concentration=2", "dal", 3},
    {"hyperx dims=4,3 concentration=2", "up_down", 1},
    {"slim_fly q=3 concentration=2", "slim_fly_minimal", 2},
    {"slim_fly q=4 concentration=1", "slim_fly_valiant", 4},
    {"tree degree=3 depth=3", "tree_static", 2},
    {"tree degree=3 depth=3", "tree_adaptive", 1},
    {"tree degree=3 depth=3", "", 3, "multistage vcs=3"},
    {"xgft m=3,2,4 w=1,3,2", "tree_static", 1},
    {"xgft m=3,2,4 w=1,3,2", "tree_adaptive", 2},
    {"xgft m=3,2,4 w=1,3,2", "", 2, "multistage vcs=2"},
    {"xgft m=3,2,4 w=1,3,2", "", 2, "multistage vcs=2 routing=adaptive"},
};

class every_family : public testing::TestWithParam<std::tuple<a_case, switching_mode>> {};
INSTANTIATE_TEST_SUITE_P(, every_family,
                         testing::Combine(testing::ValuesIn(cases),
                                          testing::Values(switching_mode::wormhole,
                                                          switching_mode::cut_through)));

TEST_P(every_family, DeliversEveryPair) {
    const auto& [with, switching] = GetParam();
    fabric_setting s;
    s.network = with.network;
    s.routing = with.routing;
    s.kind = with.kind;
    s.router.vcs = with.vcs;
    s.router.depth = 8;
    s.router.switching = switching;
    // What dal asks for, of routers with a choice.
    s.router.reallocation = s.kind.empty() ? reallocation_rule::atomic : reallocation_rule::tail;
    s.nic.max_packet_flits = 8;
    test_fabric f(s);
    const std::uint32_t packet = f.model().terms().packet;  // all are of this length, if it is not 0
    if (packet != 0) s.nic.max_packet_flits = packet;
    s.router.depth = f.model().terms().depth;
    std::vector<sare::message> script;
    for (std::uint32_t k = 1; k < f.net.view().nodes(); ++k)
        for (std::uint32_t n = 0; n < f.net.view().nodes(); ++n) {
            script.emplace_back();
            script.back().source = n;
            script.back().destination = (n + k) % f.net.view().nodes();
            script.back().flits = packet != 0 ? packet : 1 + k % 5;
            script.back().generated = 4 * k;
        }
    scripted_traffic traffic(script);
    audit all(f, s, traffic, false);
    f.net.stepper().set_observer(&all);
    f.net.stepper().set_workload(&traffic);
    cycle_t last = 0;
    for (cycle_t t = 0; t < 100000; t = f.net.stepper().next_work(t)) {
        f.net.stepper().step(t);
        all.check(t);
        last = t;
    }
    all.check_end(last);
    EXPECT_EQ(all.problem(), "");
}

}  // namespace
}  // namespace sare::test::network_families_test
