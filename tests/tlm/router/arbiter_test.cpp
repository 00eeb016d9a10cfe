// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/rng.h"
#include "tlm/router/arbiter/arbiter_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

namespace sare::test {
namespace {

/// What competes, told by hand.
struct contest final : arbiter_requests {
    std::vector<std::uint64_t> born, arrived;
    std::vector<std::uint32_t> flits, at, classes;
    std::uint64_t cycle = 0;

    explicit contest(std::uint32_t n) : born(n), arrived(n), flits(n), at(n), classes(n) {
        std::iota(at.begin(), at.end(), 0U);
    }
    std::uint64_t age(std::uint32_t i) const override { return born[i]; }
    std::uint64_t since(std::uint32_t i) const override { return arrived[i]; }
    std::uint32_t queue(std::uint32_t i) const override { return flits[i]; }
    std::uint32_t port(std::uint32_t i) const override { return at[i]; }
    std::uint32_t message_class(std::uint32_t i) const override { return classes[i]; }
    std::uint64_t random(std::uint32_t i, std::uint32_t arbiter) const override {
        return rng(7 + cycle, stream::test, arbiter * 64 + i).next();
    }
};

auto told(const contest& of) {
    return [&of]() -> const contest& { return of; };
}

/// One arbiter of a policy.
class single {
  public:
    single(const config::value& chosen, std::uint32_t n, std::uint32_t classes = 2)
        : m_policy(config::make_chosen<arbiter>(chosen)),
          m_each(m_policy->words({n, n, classes})),
          m_words(m_each),
          m_last(static_cast<std::uint16_t>(n - 1)),
          m_row{&m_last, n, m_policy.get(), m_words.data(), m_each} {}
    single(const char* name, std::uint32_t n) : single(config::value::scalar(name), n) {}

    std::uint32_t pick(std::uint64_t requests, const contest& of) const {
        return m_row.pick(0, requests, told(of));
    }
    bool beats(std::uint32_t challenger, std::uint32_t holder, const contest& of) const {
        return m_row.beats(0, challenger, holder, told(of));
    }
    std::uint32_t serve(std::uint64_t requests, contest& of) {
        const std::uint32_t winner = pick(requests, of);
        m_row.served(0, winner, told(of));
        ++of.cycle;
        return winner;
    }

  private:
    std::shared_ptr<const arbiter> m_policy;
    std::uint32_t m_each;
    std::vector<std::uint32_t> m_words;
    std::uint16_t m_last;
    arbiter_row m_row;
};

std::uint64_t some(rng& random, std::uint32_t n) {
    const std::uint64_t all = (std::uint64_t{1} << n) - 1;
    const std::uint64_t drawn = (std::uint64_t{random.next()} << 32 | random.next()) & all;
    return drawn != 0 ? drawn : all;
}

void draw(contest& of, rng& random) {
    for (std::size_t i = 0; i < of.born.size(); ++i) {
        of.born[i] = random.below(20);
        of.arrived[i] = random.below(20);
        of.flits[i] = random.below(9);
        of.classes[i] = random.below(2);
    }
}

/// The member of `requests` that is least by `key`, of equal ones the lowest.
template <class Key>
std::uint32_t least(std::uint64_t requests, Key key) {
    std::uint32_t best = 64;
    for (std::uint32_t i = 0; i < 64; ++i)
        if ((requests >> i & 1) != 0 && (best == 64 || key(i) < key(best))) best = i;
    return best;
}

/// Of every policy, plug-ins' and parameters' defaults too.
TEST(Arbiter, PicksTheSameRequesterHoweverItIsAsked) {
    const auto& all = arbiter_registry::instance().variants();
    EXPECT_GE(all.size(), 9U);
    for (const auto& [name, v] : all) {
        rng random(1, stream::test, 3);
        contest of(11);
        single one(config::value::scalar(name), 11);
        for (int n = 0; n < 500; ++n) {
            draw(of, random);
            const std::uint64_t requests = some(random, 11);
            auto leads = static_cast<std::uint32_t>(lowest(requests));
            for (std::uint64_t rest = requests & (requests - 1); rest != 0; rest &= rest - 1)
                if (one.beats(static_cast<std::uint32_t>(lowest(rest)), leads, of))
                    leads = static_cast<std::uint32_t>(lowest(rest));
            EXPECT_EQ(one.pick(requests, of), leads) << name;
            EXPECT_EQ(one.pick(requests, of), leads) << name << ": not served, and another";
            EXPECT_TRUE(requests >> leads & 1) << name;
            one.serve(requests, of);
        }
    }
}

TEST(Arbiter, BeginsWithNumberZero) {
    for (const char* name :
         {"round_robin", "matrix", "fixed", "weighted", "priority", "age", "fifo", "longest"}) {
        contest of(5);
        EXPECT_EQ(single(name, 5).pick(31, of), 0U) << name;
    }
}

/// The one compiled into routers is the one registered.
TEST(Arbiter, MatchesTheCompiledRoundRobin) {
    rng random(2, stream::test, 3);
    contest of(9);
    single registered("round_robin", 9);
    std::uint16_t last = 8;
    const arbiter_row compiled{&last, 9};
    for (int n = 0; n < 1000; ++n) {
        const std::uint64_t requests = some(random, 9);
        const std::uint32_t winner = compiled.pick(0, requests, told(of));
        EXPECT_EQ(registered.serve(requests, of), winner);
        compiled.served(0, winner, told(of));
    }
}

/// One that goes on asking waits for each of the others once at most; when all ask, each has its turn in N.
TEST(Arbiter, IsFairAsRoundRobin) {
    constexpr std::uint32_t n = 7;
    rng random(3, stream::test, 3);
    contest of(n);
    single one("round_robin", n);
    std::array<std::uint32_t, n> waited{};
    for (int k = 0; k < 2000; ++k) {
        const std::uint64_t requests = some(random, n) | std::uint64_t{1} << 2;
        const std::uint32_t winner = one.serve(requests, of);
        waited[2] = winner == 2 ? 0 : waited[2] + 1;
        EXPECT_LT(waited[2], n);
    }
    std::uint32_t before = one.serve(127, of);
    for (int k = 0; k < 50; ++k) {
        const std::uint32_t winner = one.serve(127, of);
        EXPECT_EQ(winner, (before + 1) % n);
        before = winner;
    }
}

TEST(Arbiter, ServesTheLeastRecentlyServedAsMatrix) {
    rng random(4, stream::test, 3);
    contest of(6);
    single one("matrix", 6);
    std::vector<std::uint32_t> order{0, 1, 2, 3, 4, 5};
    for (int k = 0; k < 2000; ++k) {
        const std::uint64_t requests = some(random, 6);
        const auto expected =
            std::find_if(order.begin(), order.end(), [&](auto i) { return requests >> i & 1; });
        const std::uint32_t winner = *expected;
        EXPECT_EQ(one.serve(requests, of), winner);
        order.erase(expected);
        order.push_back(winner);
    }
}

TEST(Arbiter, ServesTheLeastOfWhatItsPolicyCompares) {
    rng random(5, stream::test, 3);
    contest of(13);
    single fixed("fixed", 13), age("age", 13), fifo("fifo", 13), longest("longest", 13);
    for (int k = 0; k < 1000; ++k) {
        draw(of, random);
        const std::uint64_t requests = some(random, 13);
        EXPECT_EQ(fixed.serve(requests, of), lowest(requests));
        EXPECT_EQ(age.serve(requests, of), least(requests, [&](auto i) { return of.born[i]; }));
        EXPECT_EQ(fifo.serve(requests, of), least(requests, [&](auto i) { return of.arrived[i]; }));
        EXPECT_EQ(longest.serve(requests, of), least(requests, [&](auto i) { return 100 - of.flits[i]; }));
    }
}

/// What comes later is served later, whatever queue it comes to.
TEST(Arbiter, KeepsTheOrderOfArrivalAsFifo) {
    rng random(6, stream::test, 3);
    contest of(8);
    single one("fifo", 8);
    std::uint64_t asking = 0, last = 0;
    for (std::uint64_t t = 1; t < 3000; ++t) {
        const std::uint32_t i = random.below(8);
        if ((asking >> i & 1) == 0) of.arrived[i] = t;
        asking |= std::uint64_t{1} << i;
        if (random.below(3) != 0) continue;
        const std::uint32_t winner = one.serve(asking, of);
        EXPECT_GT(of.arrived[winner], last);
        last = of.arrived[winner];
        asking &= ~(std::uint64_t{1} << winner);
        if (asking == 0) last = 0;
    }
}

config::value weighted(const char* by, const std::vector<std::uint32_t>& weights) {
    std::vector<config::value> all;
    for (const std::uint32_t w : weights) all.push_back(config::number(w));
    return config::value::map({{"name", config::value::scalar("weighted")},
                               {"by", config::value::scalar(by)},
                               {"weights", config::value::list(all)}});
}

/// Of as many grants in a row as all weights together, wherever they begin, each has its weight, to one.
TEST(Arbiter, KeepsWeightsInEveryWindow) {
    const std::vector<std::uint32_t> weights{5, 1, 3, 2};
    const std::uint32_t window = 11;
    for (const bool by_class : {false, true}) {
        contest of(8);
        // Inputs 0 to 3 by themselves; or two requesters of each of four classes.
        for (std::uint32_t i = 0; i < 8; ++i) of.at[i] = of.classes[i] = i % 4;
        single one(weighted(by_class ? "class" : "input", weights), 8, 4);
        std::vector<std::uint32_t> served;
        rng random(8, stream::test, 3);
        for (int k = 0; k < 37; ++k) one.serve(some(random, 8), of);  // somewhere in a round
        for (int k = 0; k < 400; ++k) served.push_back(one.serve(255, of) % 4);
        for (std::size_t begin = window; begin + window <= served.size(); ++begin)
            for (std::uint32_t g = 0; g < 4; ++g) {
                const auto had = std::count(served.begin() + static_cast<std::ptrdiff_t>(begin),
                                            served.begin() + static_cast<std::ptrdiff_t>(begin + window), g);
                EXPECT_NEAR(static_cast<double>(had), weights[g], 1) << "from " << begin << ", group " << g;
            }
    }
}

/// What does not ask leaves its share to the others, in their proportion.
TEST(Arbiter, SharesWeightsAmongThoseThatAsk) {
    contest of(4);
    single one(weighted("input", {6, 1, 2, 1}), 4);
    std::map<std::uint32_t, int> served;
    for (int k = 0; k < 300; ++k) ++served[one.serve(6, of)];
    EXPECT_NEAR(served[1], 100, 1);
    EXPECT_NEAR(served[2], 200, 1);
}

TEST(Arbiter, NeedsAtLeastOneWeight) {
    EXPECT_THROW(config::make_chosen<arbiter>(weighted("input", {})), config::error);
    EXPECT_THROW(config::make_chosen<arbiter>(weighted("input", {0})), config::error);
}

TEST(Arbiter, StarvesLowerClassesByPriority) {
    contest of(6);
    of.classes = {1, 1, 2, 1, 2, 0};
    single one("priority", 6);
    std::map<std::uint32_t, int> served;
    for (int k = 0; k < 300; ++k) ++served[one.serve(63, of)];
    EXPECT_EQ(served, (std::map<std::uint32_t, int>{{2, 150}, {4, 150}}));
    served.clear();
    for (int k = 0; k < 300; ++k) ++served[one.serve(63 & ~20U, of)];
    EXPECT_EQ(served, (std::map<std::uint32_t, int>{{0, 100}, {1, 100}, {3, 100}}));
}

/// Chi-square of 8 requesters, 8000 grants: 24.3 is passed by one in a thousand; and of pairs that follow.
TEST(Arbiter, IsUniformAtRandom) {
    contest of(8);
    single one("random", 8);
    std::array<double, 8> served{};
    std::array<double, 64> pairs{};
    std::uint32_t before = 0;
    for (int k = 0; k < 8000; ++k) {
        const std::uint32_t winner = one.serve(255, of);
        ++served[winner];
        ++pairs[before * 8 + winner];
        before = winner;
    }
    const auto chi_square = [](const auto& counts) {
        const double expected = 8000.0 / static_cast<double>(counts.size());
        double sum = 0;
        for (const double n : counts) sum += (n - expected) * (n - expected) / expected;
        return sum;
    };
    EXPECT_LT(chi_square(served), 24.3);
    EXPECT_LT(chi_square(pairs), 103.4);
}

}  // namespace
}  // namespace sare::test
