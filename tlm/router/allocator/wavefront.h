// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/sets.h"
#include "tlm/router/allocator/allocator.h"

namespace sare {

/// Order in which a wavefront allocator looks at requests (Dally & Towles, section 19.4): diagonal by
/// diagonal, and on a diagonal by rows. The diagonal of a request is row + column modulo the number of
/// diagonals. Diagonals without requests are left out. `N`: most rows, and most diagonals; `Set`: type of a
/// set of row or diagonal numbers.
template <int N, class Set>
class wavefront_order {
  public:
    /// Answer of `next` of run() for a row without a further request.
    static constexpr std::uint32_t none = 0xffffffff;
    /// Calls grant(row, diagonal) for the requests of the rows `rows`, diagonal by diagonal. `next(row,
    /// from)` must return the first diagonal, `from` or later, on which the row asks for a column, or `none`.
    /// `grant` returns true if the row has got the column; otherwise the row's next request follows in its
    /// turn.
    template <class Next, class Grant>
    SARE_INLINE void run(const Set& rows, Next&& next, Grant&& grant) {
        for (const std::uint64_t row : members(rows)) {
            add(static_cast<std::uint32_t>(row), next(static_cast<std::uint32_t>(row), 0));
        }
        while (some(m_diagonals)) {
            const auto diagonal = static_cast<std::uint32_t>(lowest(m_diagonals));
            remove_member(m_diagonals, diagonal);
            for (std::uint32_t row = m_first[diagonal], after; row != end; row = after) {
                after = m_after[row];
                if (!grant(row, diagonal)) add(row, next(row, diagonal + 1));
            }
        }
    }

  private:
    /// End of a list of rows: larger than any row.
    static constexpr std::uint16_t end = 0xffff;

    /// Puts a row into the list of `diagonal`, by rising row; does nothing for `none`.
    SARE_INLINE void add(std::uint32_t row, std::uint32_t diagonal) {
        if (diagonal == none) return;
        if (!is_member(m_diagonals, diagonal)) {
            add_member(m_diagonals, diagonal);
            m_first[diagonal] = end;
        }
        std::uint16_t* place = &m_first[diagonal];
        while (*place < row) place = &m_after[*place];  // `end` is larger than any row
        m_after[row] = *place;
        *place = static_cast<std::uint16_t>(row);
    }

    /// Diagonals on which rows wait.
    Set m_diagonals = {};
    /// First row that waits, by diagonal; next row on the same diagonal, by row; `end`: none.
    std::uint16_t m_first[N], m_after[N];
};

/// Allocation policy `wavefront`: grants requests whose row and column are still free, diagonal by diagonal;
/// the first diagonal moves on by one in every cycle. The result is maximal: no request is left whose row and
/// column are both free. The functions that a problem must have are those of any_problem.
struct wavefront_policy {
    /// Solves the problem `p` of one cycle, by calls of p.take(). Each row gets its first choice if all of
    /// these differ and order does not matter (p.order_matters()); otherwise rows are served diagonal by
    /// diagonal.
    template <class Problem>
    static SARE_INLINE void run(Problem& p) {
        typename Problem::set chosen = {};
        std::uint16_t column[Problem::most];
        bool clash = false;
        for (const std::uint64_t member : members(p.rows_that_ask())) {
            const auto row = static_cast<std::uint32_t>(member);
            column[row] = static_cast<std::uint16_t>(p.first_choice(row));
            clash = clash || is_member(chosen, column[row]);
            add_member(chosen, column[row]);
        }
        if (clash || p.order_matters()) return serve_in_order(p);
        for (const std::uint64_t row : members(p.rows_that_ask()))  // each has its first choice
            p.take(static_cast<std::uint32_t>(row), column[row]);
    }

  private:
    /// Serves the requests diagonal by diagonal.
    template <class Problem>
    static SARE_INLINE void serve_in_order(Problem& p) {
        typename Problem::set taken = {};
        const auto next = [&](std::uint32_t row, std::uint32_t from)
                              SARE_INLINED { return p.next_diagonal(row, from); };
        wavefront_order<Problem::most, typename Problem::set>().run(
            p.rows_that_ask(), next, [&](std::uint32_t row, std::uint32_t diagonal) SARE_INLINED {
                const std::uint32_t column = p.column_on(row, diagonal);
                if (is_member(taken, column)) return false;
                add_member(taken, column);
                p.take(row, column);
                return true;
            });
    }
};

}  // namespace sare
