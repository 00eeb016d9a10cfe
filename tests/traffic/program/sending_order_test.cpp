// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/messages/sending_order.h"

#include "tests/traffic/scripted_workload.h"
#include "tlm/base/rng.h"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <tuple>

namespace sare::test::sending_order_test {
namespace {

using namespace testing_support;
using testing_support::message;  // not the one of the network
using traffic::any_source;
using traffic::any_tag;
using traffic::envelope;
using traffic::sending_order;

/// Messages come in any order; they are handed on by pair and context in that of sending, as soon as can be.
TEST(SendingOrder, IsKeptForEachPairAndContext) {
    using pair = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    rng draw(1, stream::test, 0);
    sending_order order;
    std::map<pair, std::list<std::uint32_t>> sent;  // and not handed on
    std::map<std::uint32_t, pair> under_way;        // and has not come
    std::vector<bool> here(5000);
    std::vector<std::uint32_t> free;
    for (std::uint32_t k = 5000; k != 0; --k) free.push_back(k - 1);
    std::uint64_t held = 0;
    for (int step = 0; step < 60000; ++step) {
        const bool sends = step < 30000 ? draw.below(3) != 0 : draw.below(3) == 0;
        if (sends && !free.empty()) {
            const std::uint32_t m = free.back();
            free.pop_back();
            const pair p{draw.below(20), draw.below(20), draw.below(2)};
            order.sent(m, {std::get<1>(p), std::get<0>(p), 0, std::get<2>(p)});
            sent[p].push_back(m);
            under_way[m] = p;
            here[m] = false;
        } else if (!under_way.empty()) {
            auto i = under_way.lower_bound(draw.below(5000));
            if (i == under_way.end()) i = under_way.begin();
            const auto [m, p] = *i;
            under_way.erase(i);
            here[m] = true;
            auto& queue = sent[p];
            const bool first = queue.front() == m;
            ASSERT_EQ(order.came(m), first);
            held += first ? 0 : 1;
            if (!first) continue;
            for (std::uint32_t next = m;;) {
                ASSERT_EQ(queue.front(), next);
                queue.pop_front();
                free.push_back(next);
                next = order.next();
                if (next == sending_order::none) break;
            }
            ASSERT_TRUE(queue.empty() || !here[queue.front()]);
        }
    }
    EXPECT_GT(held, 1000U);
}

/// Eight tasks at one side of a mesh send pairs of messages across it, a long one with tag 1 before a short
/// one with tag 2. Their receivers take any tag, and then tag 2: with the short one first, that never comes.
std::unique_ptr<scripted> pairs_of_messages() {
    std::vector<std::vector<operation>> all(64);
    for (std::uint32_t k = 0; k < 8; ++k) {
        const std::uint32_t from = 8 * k, to = 8 * (7 - k) + 7;
        for (int round = 0; round < 40; ++round) {
            all[from].push_back(message(op::isend, to, 400, 1));
            all[from].push_back(message(op::isend, to, 8, 2));
            all[to].push_back(message(op::recv, from, 400, any_tag));
            all[to].push_back(message(op::recv, from, 8, 2));
        }
    }
    return std::make_unique<scripted>(std::move(all));
}

TEST(SendingOrder, IsKeptWhereTheNetworkDoesNot) {
    script() = pairs_of_messages;
    for (const char* const routing : {"odd_even", "dor"})
        for (const char* const fidelity : {"flit", "analytic"}) {
            config::value all = config::value::map({});
            all.set("fidelity", config::value::scalar(fidelity));
            all.set("network", section("mesh dims=8,8", "topology"));
            all.set("routing", section(routing, "function"));
            all.set("traffic", section("scripted", "workload"));
            all.set_path("router.vcs", config::value::scalar("4"));
            all.set_path("nic.max_packet_flits", config::value::scalar("8"));
            EXPECT_EQ(answer_of(all, [](const run_result& r) { return r.workload.find("messages")->text(); }),
                      "640")
                << routing << ' ' << fidelity;
        }
}

/// A message inside a node is as long on its way as it is large.
TEST(SendingOrder, IsKeptInsideANode) {
    traffic::executor_parameters p;
    p.tasks_per_node = 2;
    p.local_bandwidth = 1e9;
    const scripted_run r(std::make_unique<scripted>(std::vector<std::vector<operation>>{
                             {message(op::isend, 1, 1000, 1), message(op::isend, 1, 1, 2)},
                             {message(op::recv, 0, 1000, any_tag), mark(1), message(op::recv, 0, 1, 2)}}),
                         p, 1);
    EXPECT_TRUE(r.w->finished());
    EXPECT_EQ(config::flow_style(*r.w->results().find("phases")),
              "{phase 1: {first_cycle: 1000, last_cycle: 1000, count: 1}}");
}

}  // namespace
}  // namespace sare::test::sending_order_test
