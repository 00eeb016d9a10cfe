// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/messages/matching.h"

#include "tlm/base/rng.h"

#include <gtest/gtest.h>

#include <list>

namespace sare::traffic::matching_test {
namespace {

/// By the definition: look through all that waits, in order.
class by_definition {
  public:
    std::uint32_t post(const envelope& e, std::uint32_t receive) {
        return meet(m_messages, m_receives, e, receive);
    }
    std::uint32_t arrive(const envelope& e, std::uint32_t message) {
        const std::uint32_t receive = meet(m_receives, m_messages, e, message);
        found.clear();
        if (receive != matching::none) return receive;
        for (auto p = m_probes.begin(); p != m_probes.end();)
            if (match(p->first, e)) {
                found.push_back(p->second);
                p = m_probes.erase(p);
            } else {
                ++p;
            }
        return receive;
    }
    bool probe(const envelope& e, std::uint32_t probe) {
        for (const auto& m : m_messages)
            if (match(m.first, e)) return true;
        m_probes.emplace_back(e, probe);
        return false;
    }

    std::vector<std::uint32_t> found;  ///< probes, by the last arrival

  private:
    using waiting = std::list<std::pair<envelope, std::uint32_t>>;
    static bool match(const envelope& a, const envelope& b) {
        const auto same = [](auto x, auto y, auto any) { return x == y || x == any || y == any; };
        return a.destination == b.destination && a.context == b.context &&
               same(a.source, b.source, any_source) && same(a.tag, b.tag, any_tag);
    }
    static std::uint32_t meet(waiting& there, waiting& else_here, const envelope& e, std::uint32_t number) {
        for (auto i = there.begin(); i != there.end(); ++i)
            if (match(i->first, e)) {
                const std::uint32_t found = i->second;
                there.erase(i);
                return found;
            }
        else_here.emplace_back(e, number);
        return matching::none;
    }
    waiting m_receives, m_messages, m_probes;
};

/// Receives, probes and messages at random, with so many tasks, tags and contexts, and wildcards in `wild` of
/// 100 receives.
void compare(std::uint64_t seed, std::uint32_t tasks, std::uint32_t tags, std::uint32_t wild,
             std::size_t& probes) {
    rng random(seed, stream::test, 0);
    matching quick(tasks);
    by_definition slow;
    for (std::uint32_t n = 0; n < 4000; ++n) {
        envelope e{random.below(tasks), random.below(tasks), random.below(tags), random.below(2)};
        // More of one kind for a while, so that many of it wait.
        if (random.below(100) < (n / 500 % 2 == 0 ? 70U : 30U)) {
            ASSERT_EQ(quick.arrive(e, n), slow.arrive(e, n)) << n;
            std::vector<std::uint32_t> found;
            for (std::uint32_t p; (p = quick.next_probed()) != matching::none;) found.push_back(p);
            ASSERT_EQ(found, slow.found) << n;
            probes += found.size();
            continue;
        }
        if (random.below(100) < wild) e.source = any_source;
        if (random.below(100) < wild) e.tag = any_tag;
        if (random.below(5) == 0)
            ASSERT_EQ(quick.probe(e, n), slow.probe(e, n)) << n;
        else
            ASSERT_EQ(quick.post(e, n), slow.post(e, n)) << n;
    }
}

TEST(Matching, FollowsItsDefinition) {
    std::uint64_t seed = 1;
    std::size_t waited = 0;
    for (const std::uint32_t tasks : {1U, 2U, 5U, 40U})
        for (const std::uint32_t tags : {1U, 3U, 50U})
            for (const std::uint32_t wild : {0U, 5U, 50U, 100U}) {
                SCOPED_TRACE(seed);
                compare(seed++, tasks, tags, wild, waited);
            }
    EXPECT_GT(waited, 500U);  // probes that did, and found one
}

/// Messages of one source and tag are taken in their order, however they are asked for.
TEST(Matching, KeepsTheOrderOfASource) {
    matching m(2);
    for (std::uint32_t n = 0; n < 4; ++n) EXPECT_EQ(m.arrive({0, 1, 7, 0}, n), matching::none);
    EXPECT_EQ(m.post({0, any_source, 7, 0}, 100), 0U);
    EXPECT_EQ(m.post({0, 1, 7, 0}, 101), 1U);
    EXPECT_EQ(m.post({0, 1, any_tag, 0}, 102), 2U);
    EXPECT_EQ(m.post({0, any_source, any_tag, 0}, 103), 3U);
    EXPECT_EQ(m.post({0, any_source, any_tag, 0}, 104), matching::none);
    EXPECT_EQ(m.post({0, 1, 7, 0}, 105), matching::none);
    EXPECT_EQ(m.arrive({0, 1, 7, 1}, 4), matching::none);  // another context
    EXPECT_EQ(m.arrive({0, 1, 7, 0}, 5), 104U);            // posted first
    EXPECT_EQ(m.arrive({0, 1, 7, 0}, 6), 105U);
}

/// A hundred thousand wait for each other in no time: each costs what one costs.
TEST(Matching, MatchesAHundredThousandWithoutSearching) {
    constexpr std::uint32_t many = 100000;
    matching m(1);
    for (std::uint32_t n = 0; n < many; ++n) m.arrive({0, n, 0, 0}, n);
    for (std::uint32_t n = many; n-- > 0;) EXPECT_EQ(m.post({0, n, 0, 0}, n), n);
    for (std::uint32_t n = 0; n < many; ++n) m.post({0, any_source, n, 0}, n);
    for (std::uint32_t n = many; n-- > 0;) EXPECT_EQ(m.arrive({0, 5, n, 0}, n), n);
}

}  // namespace
}  // namespace sare::traffic::matching_test
