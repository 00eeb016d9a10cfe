// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/rng.h"
#include "tlm/systemc/posted.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <vector>

namespace {

using sare::cycle_t;
using sare::posted;

posted message_at(cycle_t at, std::uint32_t source, std::uint64_t tag) {
    posted p{at, posted::kind::message, 0, {}, 0};
    p.what.source = source;
    p.what.tag = tag;
    return p;
}

/// As posted_queue says, without its shortcuts.
struct plain_queue {
    std::vector<posted> waiting;
    std::vector<std::uint64_t> take_before(cycle_t now) {
        std::stable_sort(waiting.begin(), waiting.end());
        std::vector<std::uint64_t> tags;
        while (!waiting.empty() && waiting.front().at < now) {
            tags.push_back(waiting.front().what.tag);
            waiting.erase(waiting.begin());
        }
        return tags;
    }
};

/// Messages for this cycle and later ones, of few sources, so that many are equal; sometimes none is taken
/// for long.
TEST(PostedQueue, ReturnsMessagesInOrder) {
    sare::rng random(1, sare::stream::test, 0);
    sare::posted_queue queue;
    plain_queue plain;
    std::uint64_t tag = 0;
    for (cycle_t now = 0; now < 3000; ++now) {
        for (std::uint32_t k = random.below(6); k != 0; --k) {
            const posted p = message_at(now + random.below(3) * random.below(20), random.below(4), ++tag);
            plain.waiting.push_back(p);
            EXPECT_EQ(queue.add(p).what.tag, tag);
        }
        EXPECT_EQ(queue.size(), plain.waiting.size());
        if (now % 500 < 100) continue;
        std::vector<std::uint64_t> taken;
        queue.take_before(now, [&](const posted& p) { taken.push_back(p.what.tag); });
        ASSERT_EQ(taken, plain.take_before(now)) << "cycle " << now;
        EXPECT_GE(queue.first(), now);
    }
}

TEST(PostedQueue, TakesMessagesThatAddMore) {
    sare::posted_queue queue;
    for (std::uint64_t tag = 1; tag <= 3; ++tag) queue.add(message_at(1, 0, tag));
    std::vector<std::uint64_t> taken;
    queue.take_before(2, [&](const posted& p) {
        taken.push_back(p.what.tag);
        for (std::uint64_t more = 0; more < 100; ++more) queue.add(message_at(2, 0, 10));
    });
    EXPECT_EQ(taken, (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(queue.size(), 300U);
    EXPECT_EQ(queue.first(), 2U);
}

}  // namespace
