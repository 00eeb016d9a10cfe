// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/random_case.h"
#include "cosim/random/random_run.h"
#include "cosim/rtl/rtl_module.h"

#include <gtest/gtest.h>

#include <ostream>
#include <set>

/// The model's router and its RTL in lock step, on routers drawn at random: every output pin, every cycle.
/// Small ones, for each is built first; `sare cosim --random` and the target `campaign` take all sizes.
namespace sare::cosim::lockstep_test {
namespace {

class random_router : public testing::TestWithParam<std::uint64_t> {};

TEST_P(random_router, AgreesWithItsRtl) {
    random_run what;
    what.seed = GetParam();
    what.cycles = 50000;
    what.most_vcs = 16;
    what.speed = rtl_speed::checked;
    const random_outcome o = run(what);
    EXPECT_EQ(o.first ? o.first->text() : o.problem, "") << o.place << "\n" << o.parameters;
    EXPECT_GE(o.router_cycles, 50000u);
    EXPECT_GT(o.packets, 1000u);
}

INSTANTIATE_TEST_SUITE_P(drawn, random_router, testing::Range<std::uint64_t>(1, 17));

/// What is drawn rarely, once for sure: the first small router of it.
struct trait {
    const char* name;
    bool (*has)(const router_setting&);
    std::uint32_t most_vcs;

    friend std::ostream& operator<<(std::ostream& to, const trait& t) { return to << t.name; }
};

class router_with : public testing::TestWithParam<trait> {};

TEST_P(router_with, AgreesWithItsRtl) {
    random_run what;
    what.cycles = 20000;
    what.most_vcs = GetParam().most_vcs;
    what.speed = rtl_speed::checked;
    what.seed = 1000;
    while (!GetParam().has(draw_case(what.seed, what.most_vcs).setting)) ++what.seed;
    const random_outcome o = run(what);
    EXPECT_EQ(o.first ? o.first->text() : o.problem, "") << o.place << "\n" << o.parameters;
    EXPECT_GT(o.packets, 100u);
}

bool is_wavefront(const config::value& chosen) {
    return chosen.text() == "wavefront";
}

const trait traits[] = {
    {"wavefront_and_speculation",
     [](const router_setting& s) {
         return is_wavefront(s.model.va_allocator) && is_wavefront(s.model.sa_allocator) &&
                s.model.speculative && s.model.va_delay != 0 && s.model.vcs > 1 && s.ports > 2;
     },
     12},
    {"sixteen_vcs",
     [](const router_setting& s) { return s.model.vcs == 16 && s.flit_width < 100 && s.ports < 4; }, 32},
    {"stages_of_several_cycles",
     [](const router_setting& s) {
         return s.model.effective_rc_delay() > 1 && s.model.va_delay > 1 && s.model.sa_delay > 1 &&
                s.model.st_delay > 1;
     },
     12},
    {"the_next_packet_sooner_than_the_next_flit",
     [](const router_setting& s) {
         return s.model.sa_delay > 2 + s.model.effective_rc_delay() + s.model.va_delay;
     },
     12},
    {"shared_buffers",
     [](const router_setting& s) {
         return s.model.pool() != 0 && s.model.vcs > 2 && s.model.reserved == 1 && s.pool_beyond(0) != 0 &&
                !s.memory_buffers && s.model.depth < 9;
     },
     16},
    {"shared_buffers_in_memories",
     [](const router_setting& s) {
         return s.model.pool() != 0 && s.model.vcs > 1 && s.memory_buffers && s.clock_gating &&
                s.model.depth < 9;
     },
     12},
    {"private_buffers_beside_shared_ones",
     [](const router_setting& s) {
         return s.model.pool() == 0 && s.pool_beyond(1) != 0 && s.model.speculative &&
                s.model.va_delay != 0 && s.model.vcs > 1;
     },
     12},
    {"asynchronous_forking",
     [](const router_setting& s) {
         return s.model.forking == forking_rule::asynchronous && s.ports == 4 && s.model.vcs == 2 &&
                s.model.depth < 9 && s.memory_buffers && s.model.va_delay > 1;
     },
     8},
    {"synchronous_forking",
     [](const router_setting& s) {
         return s.model.forking == forking_rule::synchronous && s.ports == 4 && s.model.vcs == 2 &&
                s.model.depth < 9 && !s.memory_buffers && s.cut_through() && s.model.va_delay == 0;
     },
     8},
    {"memories",
     [](const router_setting& s) {
         return s.memory_buffers && !s.clock_gating && s.model.vcs > 1 && s.model.sa_delay == 1;
     },
     12},
    {"memories_and_gated_clocks",
     [](const router_setting& s) {
         return s.memory_buffers && s.clock_gating && s.model.vcs > 1 && s.model.sa_delay > 1;
     },
     12},
};

INSTANTIATE_TEST_SUITE_P(drawn, router_with, testing::ValuesIn(traits),
                         [](const auto& one) { return std::string(one.param.name); });

/// Everywhere in its grid, at both ends of every dimension and between them.
TEST(RandomRouter, StandsAtEveryPlaceOfItsGrid) {
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

/// What is drawn by cost is what compiles in seconds, and mostly small; and it is everything that is small.
TEST(RandomRouter, IsCheapByDefault) {
    constexpr int draws = 2000;
    int small = 0;
    std::set<std::uint32_t> ports, vcs;
    for (std::uint64_t seed = 1; seed <= draws; ++seed) {
        const router_setting s = draw_case(seed, by_cost).setting;
        EXPECT_LE(s.ports * s.model.vcs, 24u);
        small += s.ports * s.model.vcs <= 10 ? 1 : 0;
        ports.insert(s.ports);
        vcs.insert(s.model.vcs);
    }
    EXPECT_GT(small, draws / 2);
    EXPECT_EQ(ports.size(), 15u);
    EXPECT_EQ(vcs.size(), 10U);
    EXPECT_EQ(random_run().most_vcs, by_cost);
}

/// Parameters that are held are those of every draw, and all others are still drawn.
TEST(RandomRouter, HasTheParametersThatAreHeld) {
    config::value held = config::value::map({});
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
             {"switching", "cut_through"}, {"lookahead", "true"}, {"vcs", "4"}, {"routing", "table"}})
        held.set(name, config::value::scalar(value));
    std::set<std::uint32_t> depths, ports;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const router_setting s = draw_setting(seed, by_cost, held);
        EXPECT_TRUE(s.cut_through() && s.model.lookahead && s.model.vcs == 4 && s.table) << seed;
        EXPECT_EQ(s.problem(), "");
        depths.insert(s.model.depth);
        ports.insert(s.ports);
    }
    EXPECT_GT(depths.size(), 4U);
    EXPECT_GT(ports.size(), 2U);
    held.set("reallocation", config::value::scalar("atomic"));
    held.set("buffers", config::value::scalar("shared"));
    EXPECT_THROW(draw_setting(1, by_cost, held), config::error);
}

/// Where packets fork, a table has a mask of ports for each destination: of one port, of all, and between.
TEST(RandomRouter, ForksByTheMasksOfItsTable) {
    config::value held = config::value::map({});
    std::set<std::uint32_t> branches;
    for (const char* rule : {"asynchronous", "synchronous"}) {
        held.set("forking", config::value::scalar(rule));
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            const random_case c = draw_case(seed, by_cost, held);
            EXPECT_EQ(c.setting.problem(), "");
            for (route_header h; h.destination < c.setting.nodes; ++h.destination) {
                route_set ways;
                c.around->routes(h, {}, ways);
                EXPECT_TRUE(ways.fork);
                std::set<std::uint32_t> ports;
                for (std::uint32_t k = 0; k < ways.size; ++k) ports.insert(ways.candidates[k].port);
                EXPECT_EQ(ports.size(), ways.size);
                EXPECT_LT(*ports.rbegin(), c.setting.ports);
                branches.insert(ways.size == c.setting.ports ? 0 : ways.size);
            }
        }
    }
    EXPECT_GT(branches.size(), 4U);
    EXPECT_EQ(branches.count(0) + branches.count(1), 2U);
}

/// Each bit of a class's weight in arbiters is drawn.
TEST(RandomRouter, HasWeightsOfAllBits) {
    std::uint64_t seen = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        const router_setting s = draw_setting(seed);
        for (const config::value* arbiter : {&s.model.va_arbiter, &s.model.sa_arbiter})
            if (word_of(*arbiter) == "weighted")
                for (const config::value& w : config::to_list(*arbiter->find("weights"), "weights"))
                    seen |= static_cast<std::uint64_t>(config::to_integer(w, "weight", 1, 65535));
    }
    EXPECT_EQ(seen, 0xffffU);
}

/// A seed stands for the same router until there is more to draw.
TEST(RandomRouter, StaysTheSameForASeedAndABound) {
    struct drawn {
        std::uint32_t most_vcs, ports, vcs, depth, flit_width;
    };
    for (const drawn& d : {drawn{16, 8, 1, 5, 100}, drawn{24, 8, 1, 5, 100}, drawn{128, 14, 3, 12, 16}}) {
        const router_setting s = draw_case(7, d.most_vcs).setting;
        EXPECT_EQ(s.ports, d.ports);
        EXPECT_EQ(s.model.vcs, d.vcs);
        EXPECT_EQ(s.model.depth, d.depth);
        EXPECT_EQ(s.flit_width, d.flit_width);
    }
}

}  // namespace
}  // namespace sare::cosim::lockstep_test
