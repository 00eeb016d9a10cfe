// SPDX-License-Identifier: Apache-2.0
#include "cosim/lockstep.h"
#include "cosim/random_case.h"
#include "cosim/router_bench.h"

#include <gtest/gtest.h>

#include "tlm/topology/topology.h"

/// The model's router and its RTL in lock step, on routers drawn at random: every output pin, every cycle.
namespace sare::cosim {
namespace {

struct outcome {
    std::string problem;
    std::uint64_t cycles = 0, flits = 0;
};

outcome run(std::uint64_t seed, std::uint64_t cycles) {
    const random_case c = draw_case(seed, 40);
    router_bench bench(c.setting, *c.around, seed);
    const auto library = rtl_library::get({"sare_router", c.setting.rtl_parameters()});
    lockstep pair("r", c.setting, *c.around, bench.packets(), *library);
    pair.rtl().put_noise_on_idle_pins(true);
    std::vector<port_out> out(c.setting.ports);
    outcome o;
    cycle_t t = 1;
    const auto one = [&](bool closing) {
        const bool same = pair.step(t++, bench.inputs(closing), out);
        bench.outputs(out);
        return same;
    };
    while (t <= cycles && one(false)) {
    }
    for (cycle_t end = t + 40000; t < end && !bench.empty() && one(true);) {
    }
    for (cycle_t end = t + 600; t < end && one(true);) {
    }
    if (pair.first_divergence())
        o.problem = pair.first_divergence()->text();
    else if (!bench.empty())
        o.problem = "does not drain";
    else
        o.problem = pair.model().leftovers();
    o.cycles = pair.cycles_compared();
    o.flits = bench.flits_received();
    if (!o.problem.empty()) o.problem += "\n" + c.place + "\n" + c.setting.text();
    return o;
}

class random_router : public testing::TestWithParam<std::uint64_t> {};

TEST_P(random_router, agrees_with_its_rtl) {
    const outcome o = run(GetParam(), 50000);
    EXPECT_EQ(o.problem, "");
    EXPECT_GE(o.cycles, 50000u);
    EXPECT_GT(o.flits, 1000u);
    RecordProperty("router_cycles", std::to_string(o.cycles));
}

INSTANTIATE_TEST_SUITE_P(drawn, random_router, testing::Range<std::uint64_t>(1, 41));

}  // namespace
}  // namespace sare::cosim
