// SPDX-License-Identifier: Apache-2.0
#include "tests/support/clocked.h"
#include "tests/support/leaky_switch.h"
#include "tests/support/sources_add_up.h"
#include "tests/support/test_fabric.h"
#include "tests/support/told_traffic.h"

#include <gtest/gtest.h>

/// Reset of a whole network.
namespace sare::test::reset_test {
namespace {

/// Far enough that no wavefront, batch of credits or clock knows the difference.
constexpr cycle_t begin = 5040;

/// Messages at random, from cycle `first` on.
std::vector<sare::message> script(std::uint32_t nodes, std::uint32_t classes, cycle_t first) {
    rng random(5, stream::test, 3);
    std::vector<sare::message> all;
    for (cycle_t t = 0; t < 200; ++t)
        for (std::uint32_t n = 0; n < nodes; ++n) {
            if (!random.bernoulli(0.05)) continue;
            sare::message m;
            m.source = n;
            m.destination = random.below(nodes);
            m.flits = 1 + random.below(6);
            m.message_class = random.below(classes);
            m.generated = first + t;
            all.push_back(m);
        }
    return all;
}

/// What becomes of the script from cycle `first` on, in cycles from there.
std::vector<std::uint64_t> log_from(test_fabric& f, const fabric_setting& s, cycle_t first) {
    scripted_traffic traffic(script(f.map().nodes(), s.classes, first));
    packet_log log;
    f.net.stepper().set_observer(&log);
    f.net.stepper().set_workload(&traffic, first);
    f.run(first, first + 1'000'000);
    EXPECT_EQ(f.net.view().leftovers(), "");
    f.net.stepper().set_observer(nullptr);
    f.net.stepper().set_workload(nullptr);
    for (std::size_t k = 0; k < log.lines.size(); k += 8) {
        log.lines[k] -= 2 * first;
        log.lines[k + 6] -= first;
        log.lines[k + 7] -= first;
    }
    return log.lines;
}

struct reset_case {
    const char* name;
    fabric_setting setting;
    std::uint32_t clock = 1;
};
void PrintTo(const reset_case& c, std::ostream* out) {
    *out << c.name;
}

reset_case make(
    const char* name, const std::string& network, bool fast,
    const std::function<void(fabric_setting&)>& change = [](fabric_setting&) {}) {
    reset_case c{name, {}, 1};
    c.setting.network = network;
    c.setting.compact_allowed = fast;
    c.setting.classes = 2;
    c.setting.router.vcs = 4;
    c.setting.router.depth = 5;
    c.setting.nic.max_packet_flits = 4;
    change(c.setting);
    return c;
}

std::vector<reset_case> cases() {
    const auto of_kind = [](const char* kind) {
        return [kind](fabric_setting& s) {
            s.kind = kind;
            s.classes = 1;
        };
    };
    std::vector<reset_case> all{
        make("readable", "mesh dims=4,3 link_latency=2", false),
        make("fast", "mesh dims=4,3 link_latency=2", true),
        make("fast_in_list", "mesh dims=18,17", true, [](fabric_setting& s) { s.router.depth = 3; }),
        make("adaptive", "torus dims=4,4", true,
             [](fabric_setting& s) {
                 s.routing = "duato";
                 s.classes = 1;
                 s.router.reallocation = reallocation_rule::atomic;
             }),
        make("random_choice", "torus dims=4,4", false,
             [](fabric_setting& s) {
                 s.routing = "duato";
                 s.classes = 1;
                 s.router.reallocation = reallocation_rule::atomic;
                 s.router.selection = selection_policy::random;
             }),
        make("valiant", "mesh dims=4,4", true,
             [](fabric_setting& s) {
                 s.routing = "valiant";
                 s.classes = 1;
             }),
        make("store_and_forward", "mesh dims=3,3", false,
             [](fabric_setting& s) { s.router.switching = switching_mode::store_and_forward; }),
        make("rich", "mesh dims=3,3", true,
             [](fabric_setting& s) {
                 s.router.switching = switching_mode::cut_through;
                 s.router.speculative = true;
                 s.router.va_allocator = config::value::scalar("wavefront");
             }),
        make("batches_matrix", "ring n=6 link_cycles_per_flit=2", false,
             [](fabric_setting& s) {
                 s.router.credit_batch = 3;
                 s.router.sa_arbiter = config::value::scalar("matrix");
             }),
        make("several_clocks", "mesh dims=3,3", true),
        make("bubble", "torus dims=4,4", true, of_kind("bubble")),
        make("dally", "torus dims=4,4", true, of_kind("dally")),
        make("deflection", "torus dims=4,4", true, of_kind("deflection choice=random")),
        make("spinet", "omega k=2 n=4 extra=1", true,
             [](fabric_setting& s) {
                 s.kind = "spinet duration=8";  // slots of 8 cycles: `begin` starts one
                 s.routing = "destination_tag";
                 s.classes = 1;
             }),
        make("buffered", "torus dims=4,4", true, of_kind("plain vcs=4 depth=5")),  // buffered_bank_test.cpp
        make("apenet", "torus dims=4,4 link_latency=2", true,
             of_kind("apenet vcs=4 depth=8 output_depth=5 sync=1 credit_interval=7 service=random")),
        make("apenet_wormhole", "torus dims=4,4", true,
             of_kind("apenet vcs=4 depth=3 sync=1 switching=wormhole")),
    };
    all[9].clock = 3;
    return all;
}

std::unique_ptr<topology> map_of(const reset_case& c) {
    return std::make_unique<clocked>(network(c.setting.network),
                                     [&c](std::uint32_t r) { return r % 2 == 0 ? 1 : c.clock; });
}

class network_reset : public testing::TestWithParam<reset_case> {};
INSTANTIATE_TEST_SUITE_P(, network_reset, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

/// What follows is what follows in a new network; what was under way is dropped and told, once a message.
TEST_P(network_reset, BeginsAnew) {
    const reset_case& c = GetParam();
    test_fabric fresh(c.setting, map_of(c)), used(c.setting, map_of(c));
    const auto expected = log_from(fresh, c.setting, 0);
    ASSERT_GT(expected.size(), 1000U);

    told_messages before(7, begin - 20, 0.2, 6);
    used.net.stepper().set_workload(&before, begin - 320);
    used.run(begin - 320, begin - 10);
    const std::uint64_t inside = used.net.view().packets_inside(), flits = used.net.view().flits_inside();
    ASSERT_GT(inside, 10U);
    std::vector<std::uint32_t> sent;
    for (std::uint32_t r = 0; r < used.net.view().routers(); ++r)
        sent.push_back(used.net.view().flits_sent(r));
    ASSERT_EQ(used.net.reset().obstacle(), "");
    used.net.reset().all(begin - 10);
    for (std::uint32_t r = 0; r < used.net.view().routers(); ++r)
        EXPECT_EQ(used.net.view().flits_sent(r), sent[r]);
    used.net.stepper().step(begin - 10);
    EXPECT_EQ(used.net.view().leftovers(), "");
    EXPECT_EQ(used.net.view().packets_inside(), 0U);
    EXPECT_EQ(used.net.view().flits_inside(), 0U);
    EXPECT_EQ(used.net.view().changes().dropped_by_cause.at("reset").packets, inside);
    EXPECT_EQ(used.net.view().changes().dropped_by_cause.at("reset").flits, flits);
    EXPECT_EQ(before.unaccounted(), 0U);
    expect_sources_add_up(used.net.view(), before.made);
    EXPECT_EQ(before.cause, "reset");
    EXPECT_EQ(before.told.size(), before.lost());
    EXPECT_EQ(used.net.view().changes().lost_messages, before.lost());
    EXPECT_GE(before.lost(), 10U);
    EXPECT_EQ(log_from(used, c.setting, begin), expected);
}

/// Whoever is told is told in an order that blocks and pools have no part in.
TEST_P(network_reset, DoesNotDependOnTheOrderOfEvaluation) {
    const reset_case& c = GetParam();
    const auto told = [&](std::uint64_t shuffle, bool listens) {
        test_fabric f(c.setting, map_of(c));
        if (shuffle != 0) f.net.stepper().shuffle_evaluation(shuffle);
        told_messages traffic(7, 250, 0.2, 6);
        traffic.listens = listens;
        f.net.stepper().set_workload(&traffic);
        f.run(0, 200);
        f.net.reset().all(200);
        f.run(200, 1'000'000);
        EXPECT_EQ(f.net.view().leftovers(), "");
        if (listens) {
            EXPECT_EQ(traffic.unaccounted(), 0U);
        }
        EXPECT_GE(traffic.told.size(), 10U);
        return traffic.told;
    };
    EXPECT_EQ(told(0, true), told(17, true));
    // Nobody asks for deliveries: messages end where and when NICs are run.
    EXPECT_EQ(told(0, false), told(17, false));
}

TEST(NetworkReset, NamesBlocksThatKnowNoReset) {
    fabric_setting s;
    s.router.vcs = 2;
    test_fabric f(s, nullptr, std::make_shared<leaky_model>(leaky_parameters{}));
    EXPECT_EQ(f.net.reset().obstacle(),
              "router 0 (" + f.net.view().bank_of(0).variant() + ") is of a kind that knows no reset");
    EXPECT_EQ(f.net.reset().obstacle_to_blocks(), f.net.reset().obstacle());
    test_fabric fast(fabric_setting{});
    EXPECT_EQ(fast.net.reset().obstacle(), "");
    EXPECT_EQ(
        fast.net.reset().obstacle_to_blocks(),
        "router 0 (vc, scanned) can only be reset with the whole network; routers are wide, which can, if "
        "allow_block_resets() is called before elaboration ends");
    EXPECT_EQ(fabric(2, 1, 1).reset().obstacle(), "it is not elaborated yet");
}

}  // namespace
}  // namespace sare::test::reset_test
