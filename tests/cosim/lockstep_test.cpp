// SPDX-License-Identifier: Apache-2.0
#include "cosim/random_case.h"
#include "cosim/random_run.h"

#include <gtest/gtest.h>

#include <set>

/// The model's router and its RTL in lock step, on routers drawn at random: every output pin, every cycle.
/// Small ones, for each is built first; `sare cosim --random` and the target `campaign` take all sizes.
namespace sare::cosim {
namespace {

class random_router : public testing::TestWithParam<std::uint64_t> {};

TEST_P(random_router, agrees_with_its_rtl) {
    random_run what;
    what.seed = GetParam();
    what.cycles = 50000;
    what.most_vcs = 16;
    what.speed = rtl_speed::quick;
    const random_outcome o = run(what);
    EXPECT_EQ(o.first ? o.first->text() : o.problem, "") << o.place << "\n" << o.parameters;
    EXPECT_GE(o.router_cycles, 50000u);
    EXPECT_GT(o.packets, 1000u);
}

INSTANTIATE_TEST_SUITE_P(drawn, random_router, testing::Range<std::uint64_t>(1, 41));

/// Everywhere in its grid, at both ends of every dimension and between them.
TEST(RandomRouter, StandsAnywhere) {
    std::set<std::uint32_t> first, last, between;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        const random_case drawn = draw_case(seed);
        std::uint32_t rest = drawn.around->router();
        for (std::uint32_t d = 0; !drawn.setting.table && d < drawn.setting.dims(); ++d) {
            const std::uint32_t size = drawn.setting.sizes[d], place = rest % size;
            rest /= size;
            if (size < 3) continue;
            (place == 0 ? first : place == size - 1 ? last : between).insert(d);
        }
    }
    for (const auto* seen : {&first, &last, &between}) EXPECT_EQ(seen->size(), 8u);
}

}  // namespace
}  // namespace sare::cosim
