// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/allocator.h"

#include <algorithm>

namespace sare {

/// Adapter that makes any `allocation`, of up to 4,096 rows and columns (not checked), a problem for the
/// policies that are templates (input_first_policy, output_first_policy, wavefront_policy). A request is a
/// choice that a row asks for; its number is row * 64 + choice.
class any_problem {
  public:
    static constexpr int most = 4096;  ///< most rows, and most columns
    /// True: columns are granted in the order in which they were first asked for.
    static constexpr bool in_order = true;
    using set = bits<most / 64>;
    using columns = set;
    using number = std::uint32_t;  ///< number of a request

    /// Keeps a reference to `a`, which must outlive this object.
    explicit any_problem(allocation& a) : m_a(a) {}

    /// Calls f(row, choices) for each row that asks for something, by rising row; `choices`: mask, not 0.
    template <class F>
    void for_each_row(F&& f) const {
        for (std::uint32_t row = 0; row < m_a.rows(); ++row)
            if (const vc_mask choices = m_a.choices(row); choices != 0) f(row, choices);
    }
    /// Request that pick() has picked: its number, and the column that it leads to.
    struct picked {
        std::uint32_t chosen, column;
    };
    /// Returns the request that the arbiter of row `row` picks from the mask `choices`, not 0.
    picked pick(std::uint32_t row, vc_mask choices) const {
        const std::uint32_t chosen = m_a.pick(row, choices);
        return {row * 64 + chosen, m_a.column(row, chosen)};
    }
    /// True if the arbiter of `column` prefers request `challenger` to request `holder`.
    bool beats(std::uint64_t column, std::uint32_t challenger, std::uint32_t holder) const {
        return m_a.beats(static_cast<std::uint32_t>(column), challenger / 64, holder / 64);
    }
    /// Grants request `chosen` its column.
    void grant(std::uint32_t chosen, std::uint64_t) const { m_a.grant(chosen / 64, chosen % 64); }

    // ---- offers of columns to rows, for output_first_policy
    /// Returns the columns that the mask `choices` of row `row` leads to.
    set columns_of(std::uint32_t row, vc_mask choices) const {
        set all = {};
        for (vc_mask rest = choices; rest != 0; rest &= rest - 1) all.set(m_a.column(row, low(rest)));
        return all;
    }
    /// True if the arbiter of `column` prefers row `challenger` to row `holder`.
    bool beats_in_column(std::uint64_t column, std::uint64_t challenger, std::uint64_t holder) const {
        return m_a.beats(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(challenger),
                         static_cast<std::uint32_t>(holder));
    }
    /// Returns the column that row `member` takes from the columns `offered`, not empty.
    std::uint32_t accept(std::uint64_t member, const set& offered) const {
        const auto row = static_cast<std::uint32_t>(member);
        vc_mask choices = 0;
        for (vc_mask rest = m_a.choices(row); rest != 0; rest &= rest - 1)
            if (offered.test(m_a.column(row, low(rest)))) choices |= rest & (0 - rest);
        return m_a.column(row, m_a.pick(row, choices));
    }
    /// Grants row `member` the column `column`, which it must ask for (not checked), by the choice that the
    /// row's arbiter picks.
    void grant_offer(std::uint64_t member, std::uint32_t column) const {
        const auto row = static_cast<std::uint32_t>(member);
        m_a.grant(row, m_a.pick(row, choices_to(row, column)));
    }

    /// True: wavefront_policy must make grants in the order of the diagonals.
    static constexpr bool order_matters() { return true; }
    // ---- diagonals, for wavefront_policy: (row + column - cycle) modulo the larger of rows() and columns()
    /// Returns the rows that ask for something.
    set rows_that_ask() const {
        set all = {};
        for_each_row([&](std::uint32_t row, vc_mask) { all.set(row); });
        return all;
    }
    /// Returns the first diagonal, not before `from`, on which row `row` asks for a column; ~0 if there is
    /// none.
    std::uint32_t next_diagonal(std::uint32_t row, std::uint32_t from) const {
        std::uint32_t best = ~0U;
        for (vc_mask rest = m_a.choices(row); rest != 0; rest &= rest - 1) {
            const std::uint32_t d = (row + m_a.column(row, low(rest)) + size() - first()) % size();
            if (d >= from && d < best) best = d;
        }
        return best;
    }
    /// Returns the column of row `row` on a diagonal; it may be none of the columns if there are more rows.
    std::uint32_t column_on(std::uint32_t row, std::uint32_t diagonal) const {
        return (diagonal + first() + size() - row) % size();
    }
    /// Returns the column of the first diagonal on which row `row` asks; the row must ask.
    std::uint32_t first_choice(std::uint32_t row) const { return column_on(row, next_diagonal(row, 0)); }
    /// Gives row `row` the column `column`: grant_offer().
    void take(std::uint32_t row, std::uint32_t column) { grant_offer(row, column); }

  private:
    static std::uint32_t low(vc_mask set) { return static_cast<std::uint32_t>(lowest(set)); }
    std::uint32_t size() const { return std::max(m_a.rows(), m_a.columns()); }
    std::uint32_t first() const { return static_cast<std::uint32_t>(m_a.cycle() % size()); }
    /// Returns the choices of row `row` that lead to `column`, as a mask.
    vc_mask choices_to(std::uint32_t row, std::uint32_t column) const {
        vc_mask found = 0;
        for (vc_mask rest = m_a.choices(row); rest != 0; rest &= rest - 1)
            if (m_a.column(row, low(rest)) == column) found |= rest & (0 - rest);
        return found;
    }

    allocation& m_a;
};

/// Solves any `allocation` by `Policy`, a policy whose run() is a template, such as wavefront_policy.
template <class Policy>
struct on_any_problem {
    static void run(allocation& a) {
        any_problem p(a);
        Policy::run(p);
    }
};

}  // namespace sare
