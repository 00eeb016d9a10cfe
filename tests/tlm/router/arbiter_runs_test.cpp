// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/arbiter/arbiter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

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

/// Packets of each node that have entered the network.
std::array<double, 4> injected(const config::value& chosen, std::uint32_t vcs, std::vector<sender> senders,
                               const char* allocator = "input_first") {
    fabric_setting s;
    s.network = "crossbar n=4";
    s.routing = "table";
    s.router.vcs = vcs;
    s.router.depth = 6;
    s.router.va_arbiter = s.router.sa_arbiter = chosen;
    s.router.va_allocator = s.router.sa_allocator = by_name(allocator);
    for (const sender& one : senders) s.classes = std::max(s.classes, one.message_class + 1);
    test_fabric f(s);
    EXPECT_EQ(f.net.view().bank_of(0).variant(), "vc") << "the fast one has not got this arbiter";
    std::vector<sare::message> script;
    for (cycle_t t = 0; t < cycles; ++t)
        for (const sender& one : senders) {
            if (t % one.every != 0) continue;
            sare::message m;
            m.source = one.node;
            m.destination = 0;
            m.flits = 1;
            m.message_class = one.message_class;
            m.generated = t;
            script.push_back(m);
        }
    scripted_traffic traffic(script);
    f.net.stepper().set_workload(&traffic);
    f.run(0, cycles);
    std::array<double, 4> all{};
    for (std::uint32_t n = 0; n < 4; ++n) all[n] = f.net.view().nic(n).injected_packets;
    return all;
}

const std::vector<sender> all_send{{1, 1}, {2, 1}, {3, 1}};

TEST(ArbiterRuns, WeightsOfInputs) {
    const config::value weighted = config::value::map(
        {{"name", by_name("weighted")},
         {"weights", config::value::list({by_name("1"), by_name("4"), by_name("2"), by_name("1")})}});
    for (const std::uint32_t vcs : {1U, 4U})
        for (const char* allocator : {"input_first", "output_first"}) {
            const auto sent = injected(weighted, vcs, all_send, allocator);
            EXPECT_NEAR(sent[1] / sent[3], 4, 0.3) << vcs << allocator;
            EXPECT_NEAR(sent[2] / sent[3], 2, 0.2) << vcs << allocator;
        }
}

TEST(ArbiterRuns, ClassesBelowStarve) {
    const auto sent = injected(by_name("priority"), 2, {{1, 1, 0}, {2, 1, 1}});
    EXPECT_GT(sent[2], 0.9 * cycles);
    EXPECT_LT(sent[1], 20);
    const auto fair = injected(by_name("matrix"), 2, {{1, 1, 1}, {2, 1, 0}});
    EXPECT_NEAR(fair[1] / fair[2], 1, 0.05);
}

/// Node 3 sends seldom: what it has is never in the longest queue, and of equal ones the lowest is served;
/// but it has soon waited longest, and is of the oldest packets.
TEST(ArbiterRuns, WhoSendsSeldom) {
    const std::vector<sender> seldom{{1, 1}, {2, 1}, {3, 40}};
    for (const std::uint32_t vcs : {1U, 2U}) {
        EXPECT_LT(injected(by_name("longest"), vcs, seldom)[3], 25) << vcs;
        EXPECT_LT(injected(by_name("fixed"), vcs, seldom)[3], 25) << vcs;
        for (const char* name : {"fifo", "age", "matrix", "random"})
            EXPECT_GT(injected(by_name(name), vcs, seldom)[3], cycles / 40 - 3) << name << vcs;
    }
}

TEST(ArbiterRuns, RandomIsFair) {
    for (const std::uint32_t vcs : {1U, 4U}) {
        const auto sent = injected(by_name("random"), vcs, all_send);
        for (const std::uint32_t n : {1U, 2U, 3U})
            EXPECT_NEAR(sent[n] / (sent[1] + sent[2] + sent[3]), 1.0 / 3, 0.03) << n;
    }
}

}  // namespace
}  // namespace sare::test
