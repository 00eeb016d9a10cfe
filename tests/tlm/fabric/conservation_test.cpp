// SPDX-License-Identifier: Apache-2.0
#include "tests/support/audit.h"
#include "tests/support/parameter_text.h"
#include "tests/support/random_setting.h"
#include "tlm/fabric/view/wait_for.h"

#include <gtest/gtest.h>

/// Random networks, watched cycle by cycle, emptied at the end: nothing is lost, nothing is made up, packets
/// stay whole and, where only one way is open to them, in order.
namespace sare::test::conservation_test {
namespace {

constexpr std::uint32_t shards = 10, runs_of_a_shard = 200;

std::string describe(const setting_source::drawn& d) {
    const fabric_setting& s = d.setting;
    return (d.graph.empty() ? s.network : d.graph) + " | " + s.routing + " | " + s.traffic + " | " +
           s.length + " | " + parameter_text(s.router) + " | " + parameter_text(s.nic) + " | classes " +
           std::to_string(s.classes) + ", seed " + std::to_string(s.seed) + ", plain " +
           std::to_string(s.compact_allowed);
}

std::unique_ptr<topology> map_of(const setting_source::drawn& d) {
    if (d.graph.empty()) return test::network(d.setting.network);
    std::istringstream in(d.graph);
    return read_graph(in, "random", {});
}

/// The static check finds no fault, and everything fits together.
bool may_run(const setting_source::drawn& d) {
    const fabric_setting& s = d.setting;
    try {
        const auto map = map_of(d);
        const auto way = test::routing(s.routing, *map, s.router.vcs / s.classes);
        deadlock_question q;
        q.network = map.get();
        q.routing = way.get();
        q.vcs = s.router.vcs / s.classes;
        q.atomic_or_cut_through = s.router.reallocation == reallocation_rule::atomic ||
                                  s.router.switching != switching_mode::wormhole;
        return check_deadlock(q).ok();
    } catch (const config::error&) {
        return false;
    }
}

setting_source::drawn next_that_runs(setting_source& source) {
    for (;;) {
        setting_source::drawn d = source.next();
        if (may_run(d)) return d;
    }
}

/// With one VC a class there is one queue from the source to the destination.
bool must_keep_order(const test_fabric& f, const fabric_setting& s) {
    return f.way().deterministic() && s.router.vcs == s.classes;
}

struct outcome {
    std::string problem;
    std::uint64_t flits = 0, overtaken = 0, fullest = 0;
    bool ordered = false;
};

outcome run(const setting_source::drawn& d, rng& random) {
    constexpr cycle_t too_long = 2'000'000;
    test_fabric f(d.setting, map_of(d));
    const auto traffic = traffic_of(d.setting.traffic, f.net.view().nodes(), d.setting.length);
    outcome o;
    o.ordered = must_keep_order(f, d.setting);
    audit watch(f, d.setting, *traffic, o.ordered);
    f.net.stepper().set_observer(&watch);
    f.net.stepper().set_workload(traffic.get());
    cycle_t t = 0;
    for (std::uint32_t k = 0; t < too_long && watch.problem().empty(); ++k) {
        t = f.run(t, k < 60 ? t + 1 : std::min(t + 1 + random.below(100), too_long));
        if (t != workload::never) watch.check(t - 1);
    }
    if (t == workload::never) watch.check_end(f.net.port().now());
    o.problem = watch.problem();
    if (t == too_long) o.problem = "it does not end: " + describe_wait_for_cycle(f.net.view());
    o.flits = f.net.view().flits_consumed();
    o.overtaken = watch.overtaken;
    o.fullest = watch.largest_count;
    return o;
}

class conservation : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(, conservation, testing::Range(0U, shards));

TEST_P(conservation, Holds) {
    setting_source source(1000 + GetParam());
    rng random(GetParam(), stream::test, 32);
    std::uint64_t flits = 0, ordered = 0, full = 0;
    for (std::uint32_t n = 0; n < runs_of_a_shard; ++n) {
        const setting_source::drawn d = next_that_runs(source);
        outcome o;
        ASSERT_NO_THROW(o = run(d, random)) << describe(d);
        ASSERT_EQ(o.problem, "") << "run " << n << ": " << describe(d);
        flits += o.flits;
        ordered += o.ordered;
        full += o.fullest == d.setting.router.depth;
    }
    EXPECT_GT(flits, 200'000U);
    EXPECT_GE(ordered, 8U);
    EXPECT_GE(full, runs_of_a_shard / 4);  // the bound of the buffers was reached
    RecordProperty("flits", std::to_string(flits));
}

/// Escape channels and cut-through switching: a head that took a free VC, but one whose buffer is full,
/// could not escape any more, and the network locked up.
TEST(Escape, IsKeptUntilThePacketFits) {
    rng random(1, stream::test, 33);
    for (const char* routing : {"dor dateline=improved", "duato"})
        for (const auto mode : {switching_mode::cut_through, switching_mode::store_and_forward})
            for (const std::uint32_t vcs : {3U, 5U}) {
                setting_source::drawn d;
                d.setting.network = "torus dims=4,4 concentration=2";
                d.setting.routing = routing;
                d.setting.traffic = "bernoulli load=1 stop_cycle=700";
                d.setting.length = "bimodal first=1 second=7 probability=0.5";
                d.setting.router.vcs = vcs;
                d.setting.router.depth = 6;
                d.setting.router.switching = mode;
                d.setting.nic.max_packet_flits = 5;
                d.setting.router.selection = selection_policy::same_vc;
                ASSERT_TRUE(may_run(d));
                EXPECT_EQ(run(d, random).problem, "") << describe(d);
            }
}

/// What the shards run, counted: every feature often enough.
TEST(ConservationCampaign, CoversEverything) {
    std::map<std::string, std::uint32_t> seen;
    std::uint32_t runs = 0;
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
        setting_source source(1000 + shard);
        for (std::uint32_t n = 0; n < runs_of_a_shard; ++n, ++runs) {
            const setting_source::drawn d = next_that_runs(source);
            const router_params& p = d.setting.router;
            const auto word = [](const std::string& line) { return line.substr(0, line.find(' ')); };
            ++seen[d.graph.empty() ? word(d.setting.network) : "graph"];
            ++seen[word(d.setting.routing)];
            ++seen[word(d.setting.traffic)];
            ++seen["switching " + std::to_string(static_cast<int>(p.switching))];
            ++seen["va_allocator " + config::name_of<allocator>(p.va_allocator)];
            ++seen["sa_allocator " + config::name_of<allocator>(p.sa_allocator)];
            ++seen["va_arbiter " + config::name_of<arbiter>(p.va_arbiter)];
            ++seen["sa_arbiter " + config::name_of<arbiter>(p.sa_arbiter)];
            ++seen["selection " + std::to_string(static_cast<int>(p.selection))];
            for (const char* dateline : {"trc", "basic", "improved"})
                seen[dateline] += d.setting.network.find("dims=") != std::string::npos &&
                                  d.setting.routing.find(dateline) != std::string::npos;
            seen["speculative"] += p.speculative;
            seen["lookahead"] += p.lookahead;
            seen["not pipelined"] += !p.pipelined;
            seen["atomic"] += p.reallocation == reallocation_rule::atomic;
            seen["batched"] += p.credit_batch > 1;
        }
    }
    EXPECT_GE(runs, 300U);
    for (const char* name : {"mesh",
                             "torus",
                             "ring",
                             "crossbar",
                             "star",
                             "graph",
                             "dor",
                             "duato",
                             "west_first",
                             "odd_even",
                             "o1turn",
                             "valiant",
                             "up_down",
                             "table",
                             "bernoulli",
                             "burst",
                             "request_reply",
                             "trc",
                             "basic",
                             "improved",
                             "speculative",
                             "lookahead",
                             "not pipelined",
                             "atomic",
                             "batched",
                             "circulant",
                             "midimew",
                             "triangular_torus",
                             "hypercube",
                             "circulant_minimal",
                             "triangular_minimal",
                             "negative_first",
                             "north_last",
                             "romm",
                             "smart_dor",
                             "shortest_path"})
        EXPECT_GE(seen[name], 5U) << name;
    for (const auto& [name, count] : seen) EXPECT_GE(count, 5U) << name;
}

}  // namespace
}  // namespace sare::test::conservation_test
