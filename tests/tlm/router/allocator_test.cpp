// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/allocator.h"

#include "tlm/base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sare::test {
namespace {

/// Requests drawn at random, with round-robin arbiters; every grant is checked as it comes.
class drawn final : public allocation {
  public:
    static constexpr std::uint32_t none = ~0U;

    explicit drawn(rng& random)
        : m_asks(1 + random.below(12)),
          m_to(m_asks.size()),
          m_has(m_asks.size(), none),
          m_turns(m_asks.size(), 15),
          m_row_of(1 + random.below(12), none),
          m_column_turns(m_row_of.size(), rows() - 1),
          m_cycle(random.below(1000)) {
        const std::uint32_t most = 1 + random.below(random.bernoulli(0.5) ? 8 : 64);
        for (std::uint32_t row = 0; row < rows(); ++row) {
            m_asks[row] = random.below(3) == 0 ? 0 : random.next() & lowest_bits(most);
            for (std::uint32_t k = 0; k < most; ++k) m_to[row].push_back(random.below(columns()));
        }
        begin();
    }

    std::uint32_t rows() const override { return static_cast<std::uint32_t>(m_asks.size()); }
    std::uint32_t columns() const override { return static_cast<std::uint32_t>(m_row_of.size()); }
    std::uint64_t cycle() const override { return m_cycle; }
    vc_mask choices(std::uint32_t row) const override { return m_open[row]; }
    std::uint32_t column(std::uint32_t row, std::uint32_t choice) const override { return m_to[row][choice]; }
    std::uint32_t pick(std::uint32_t row, vc_mask choices) const override {
        EXPECT_NE(choices, 0U);
        EXPECT_EQ(choices & ~m_open[row], 0U);
        return round_robin(choices, m_turns[row]);
    }
    bool beats(std::uint32_t column, std::uint32_t challenger, std::uint32_t holder) const override {
        EXPECT_LT(holder, challenger);
        return holder <= m_column_turns[column] && challenger > m_column_turns[column];
    }
    void grant(std::uint32_t row, std::uint32_t choice) override {
        const std::uint32_t c = column(row, choice);
        EXPECT_TRUE(m_open[row] >> choice & 1) << "row " << row << " has what it did not ask for";
        EXPECT_EQ(m_has[row], none) << "row " << row << " has two columns";
        EXPECT_EQ(m_row_of[c], none) << "column " << c << " has two rows";
        m_has[row] = c;
        m_row_of[c] = row;
        m_turns[row] = choice;
        m_column_turns[c] = row;
        ++m_grants;
    }

    /// How many a run of a policy grants of what is left.
    std::uint32_t run(const std::string& policy) {
        begin();
        const std::uint32_t before = m_grants;
        config::make_chosen<allocator>(config::value::scalar(policy))->run(*this);
        return m_grants - before;
    }
    /// What rows without a column ask for, of columns without a row.
    void begin() {
        m_open.assign(rows(), 0);
        for (std::uint32_t row = 0; row < rows(); ++row)
            for (std::uint32_t k = 0; k < m_to[row].size(); ++k)
                if ((m_asks[row] >> k & 1) != 0 && m_has[row] == none && m_row_of[m_to[row][k]] == none)
                    m_open[row] |= vc_mask{1} << k;
    }
    bool asks() const {
        return std::any_of(m_open.begin(), m_open.end(), [](vc_mask open) { return open != 0; });
    }
    /// Nothing that asks is left with a row and a column that are free.
    bool is_maximal() {
        begin();
        return !asks();
    }
    bool has(std::uint32_t row) const { return m_has[row] != none; }
    bool is_taken(std::uint32_t column) const { return m_row_of[column] != none; }

  private:
    std::vector<vc_mask> m_asks, m_open;
    std::vector<std::vector<std::uint32_t>> m_to;
    std::vector<std::uint32_t> m_has, m_turns, m_row_of, m_column_turns;
    std::uint64_t m_cycle;
    std::uint32_t m_grants = 0;
};

template <class F>
void for_drawn(F&& f) {
    rng random(1, stream::test, 4);
    for (int n = 0; n < 2000; ++n) {
        drawn a(random);
        f(a);
    }
}

/// Every policy, those of plug-ins too: drawn::grant() looks at the rest.
TEST(Allocator, GrantsSomethingAndNothingTwice) {
    for (const auto& [name, v] : allocator_registry::instance().variants())
        for_drawn([policy = name](drawn& a) {
            const bool asks = a.asks();
            EXPECT_EQ(a.run(policy) != 0, asks) << policy;
        });
}

TEST(Allocator, IsMaximalAsAWavefront) {
    for_drawn([](drawn& a) {
        a.run("wavefront");
        EXPECT_TRUE(a.is_maximal());
    });
}

TEST(Allocator, IsMaximalInTheEndIfSeparable) {
    bool in_one = true;
    for (const char* policy : {"input_first", "output_first"})
        for_drawn([&](drawn& a) {
            a.run(policy);
            in_one = in_one && a.is_maximal();
            while (a.run(policy) != 0) {
            }
            EXPECT_TRUE(a.is_maximal()) << policy;
        });
    EXPECT_FALSE(in_one) << "then they would be no separable ones";
}

TEST(Allocator, GrantsEveryColumnThatARowPicksInputFirst) {
    for_drawn([](drawn& a) {
        std::vector<std::uint32_t> picked;
        for (std::uint32_t row = 0; row < a.rows(); ++row)
            if (a.choices(row) != 0) picked.push_back(a.column(row, a.pick(row, a.choices(row))));
        a.run("input_first");
        for (const std::uint32_t column : picked) EXPECT_TRUE(a.is_taken(column));
    });
}

TEST(Allocator, ServesEveryRowThatAColumnPicksOutputFirst) {
    for_drawn([](drawn& a) {
        std::vector<std::uint32_t> offered(a.columns(), drawn::none);
        for (std::uint32_t row = 0; row < a.rows(); ++row)
            for (std::uint32_t k = 0; k < 64; ++k) {
                if ((a.choices(row) >> k & 1) == 0) continue;
                std::uint32_t& to = offered[a.column(row, k)];
                if (to == drawn::none || (to != row && a.beats(a.column(row, k), row, to))) to = row;
            }
        a.run("output_first");
        for (const std::uint32_t row : offered) EXPECT_TRUE(row == drawn::none || a.has(row));
    });
}

}  // namespace
}  // namespace sare::test
