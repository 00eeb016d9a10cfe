// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/arbiter/arbiter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

/// Arbiters in a router: what they ask of those that compete is what is so. Nodes 1, 2 and 3 of a crossbar
/// send single flits to node 0, which takes one a cycle.
namespace sare::test {
namespace {

constexpr cycle_t cycles = 4000;

/// A node that sends `every` so many cycles.
struct sender {
    std::uint32_t node;
    cycle_t every;
    std::uint32_t message_class = 0;
};

config::value by_name(const std::string& name) {
    return config::value::scalar(name);
}

struct outcome {
    std::array<double, 4> injected{};     ///< packets of each node that have entered the network
    std::array<std::uint32_t, 4> left{};  ///< flits at each input of router 0
};

outcome run(const config::value& chosen, std::uint32_t vcs, std::uint32_t flits,
            const std::vector<sender>& senders, const char* allocator = "input_first") {
    fabric_setting s;
    s.network = "crossbar n=4";
    s.routing = "table";
    s.router.vcs = vcs;
    s.router.depth = 6;
    s.router.va_arbiter = s.router.sa_arbiter = chosen;
    s.router.va_allocator = s.router.sa_allocator = by_name(allocator);
    for (const sender& one : senders) s.classes = std::max(s.classes, one.message_class + 1);
    test_fabric f(s);
    std::vector<sare::message> script;
    for (cycle_t t = 0; t < cycles; ++t)
        for (const sender& one : senders) {
            if (t % one.every != 0) continue;
            sare::message m;
            m.source = one.node;
            m.destination = 0;
            m.flits = flits;
            m.message_class = one.message_class;
            m.generated = t;
            script.push_back(m);
        }
    scripted_traffic traffic(script);
    f.net.stepper().set_workload(&traffic);
    f.run(0, cycles);
    outcome o;
    for (std::uint32_t n = 0; n < 4; ++n) {
        o.injected[n] = f.net.view().nic(n).injected_packets;
        for (std::uint32_t v = 0; v < vcs; ++v) o.left[n] += f.net.view().bank_of(0).in(0, n, v).count;
    }
    return o;
}

const std::vector<sender> all_send{{1, 1}, {2, 1}, {3, 1}};

config::value weighted(const std::vector<const char*>& weights) {
    std::vector<config::value> all;
    for (const char* w : weights) all.push_back(by_name(w));
    return config::value::map({{"name", by_name("weighted")}, {"weights", config::value::list(all)}});
}

/// An input whose packet has just left asks again a few cycles later, so that the proportion is less than
/// that of the weights; that these are of the right inputs is what is to be seen.
TEST(ArbiterRuns, FollowWeightsOfInputs) {
    for (const char* allocator : {"input_first", "output_first"}) {
        const auto first = run(weighted({"1", "4", "2", "1"}), 1, 1, all_send, allocator).injected;
        EXPECT_GT(first[1] / first[3], 1.8) << allocator;
        const auto last = run(weighted({"1", "1", "2", "4"}), 1, 1, all_send, allocator).injected;
        EXPECT_GT(last[3] / last[1], 1.8) << allocator;
    }
}

/// Of packets so long that the link is what is short; each class has VCs of its own.
TEST(ArbiterRuns, StarveClassesOfLowerPriority) {
    const std::vector<sender> two{{1, 4, 0}, {2, 4, 1}};
    const auto sent = run(by_name("priority"), 4, 4, two).injected;
    EXPECT_GT(sent[2], 0.9 * cycles / 4);
    EXPECT_LT(sent[1], 0.15 * cycles / 4);
    const auto fair = run(by_name("matrix"), 4, 4, two).injected;
    EXPECT_NEAR(fair[1] / fair[2], 1, 0.05);
}

/// Node 3 sends seldom: what it has is never in the longest queue, and has the highest number; but it has
/// soon waited longest.
TEST(ArbiterRuns, ServeARareSenderAsTheirPolicySays) {
    const std::vector<sender> seldom{{1, 1}, {2, 1}, {3, 700}};
    for (const char* name : {"longest", "fixed"})
        EXPECT_GE(run(by_name(name), 1, 1, seldom).left[3], 4U) << name;
    for (const char* name : {"fifo", "matrix", "random"})
        EXPECT_LE(run(by_name(name), 1, 1, seldom).left[3], 1U) << name;
}

/// Grants one row, and counts how often it is asked in each cycle.
struct one_row {
    static std::map<cycle_t, std::uint32_t>& calls() {
        static std::map<cycle_t, std::uint32_t> all;
        return all;
    }
    static void run(allocation& a) {
        ++calls()[a.cycle()];
        for (std::uint32_t row = 0; row < a.rows(); ++row)
            if (const vc_mask open = a.choices(row); open != 0) return a.grant(row, a.pick(row, open));
    }
};
const allocator_registration<one_row> with_one_row("one_row", "The first row that asks.");

/// Only separable allocators have several iterations: another one runs once in a cycle, in VA as in SA.
TEST(ArbiterRuns, AskAnAllocatorThatIsNotSeparableOnceInACycle) {
    for (const bool in_va : {true, false}) {
        one_row::calls().clear();
        fabric_setting s;
        s.network = "crossbar n=4";
        s.routing = "table";
        s.router.iterations = 4;
        (in_va ? s.router.va_allocator : s.router.sa_allocator) = by_name("one_row");
        test_fabric f(s);
        std::vector<sare::message> script(30);
        for (std::uint32_t k = 0; k < script.size(); ++k) {
            script[k].source = k % 3;
            script[k].destination = 3 - k % 2;
        }
        scripted_traffic traffic(script);
        f.net.stepper().set_workload(&traffic);
        f.run(0, 200);
        EXPECT_EQ(f.net.view().leftovers(), "");
        EXPECT_GE(one_row::calls().size(), 30U);
        for (const auto& [cycle, calls] : one_row::calls()) EXPECT_EQ(calls, 1U) << cycle << " " << in_va;
    }
}

TEST(ArbiterRuns, AreFairAtRandom) {
    for (const std::uint32_t vcs : {1U, 4U}) {
        const auto sent = run(by_name("random"), vcs, 1, all_send).injected;
        for (const std::uint32_t n : {1U, 2U, 3U})
            EXPECT_NEAR(sent[n] / (sent[1] + sent[2] + sent[3]), 1.0 / 3, 0.03) << n;
    }
}

}  // namespace
}  // namespace sare::test
