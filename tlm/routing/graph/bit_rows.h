// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"

#include <cstddef>
#include <vector>

namespace sare {

/// Many sets of numbers below one bound, such as sets of ports by router: a row of bits for each set. All
/// sets are empty at first. Numbers of rows and members are not checked.
class bit_rows {
  public:
    bit_rows() = default;
    /// Makes `rows` sets of numbers from 0 to `bits` - 1.
    bit_rows(std::size_t rows, std::uint32_t bits) : m_each(words(bits)), m_words(rows * m_each) {}
    /// Number of 64-bit words that a set of numbers below `bits` takes; 0 for 0.
    static std::uint32_t words(std::uint32_t bits) { return (bits + 63) / 64; }

    /// True if `i` is in set `row`.
    bool test(std::size_t row, std::uint32_t i) const { return is_member(word(row, i), i % 64); }
    /// Adds `i` to set `row`; clear() removes it. Either may be called twice.
    void set(std::size_t row, std::uint32_t i) { add_member(word(row, i), i % 64); }
    void clear(std::size_t row, std::uint32_t i) { remove_member(word(row, i), i % 64); }
    /// Calls f(i) for every member of a set, in ascending order.
    template <class F>
    void for_each(std::size_t row, const F& f) const {
        for (std::uint32_t w = 0; w < m_each; ++w)
            for (std::uint64_t rest = m_words[row * m_each + w]; rest != 0; rest &= rest - 1)
                f(static_cast<std::uint32_t>(w * 64 + lowest(rest)));
    }

  private:
    std::uint64_t& word(std::size_t row, std::uint32_t i) { return m_words[row * m_each + i / 64]; }
    std::uint64_t word(std::size_t row, std::uint32_t i) const { return m_words[row * m_each + i / 64]; }

    std::uint32_t m_each = 0;  ///< number of 64-bit words of a set
    std::vector<std::uint64_t> m_words;
};

}  // namespace sare
