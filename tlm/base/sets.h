// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"

/// Functions on sets of small numbers that are the same whether a set is a machine word or a bits<W>.
namespace sare {

/// Macro that marks a lambda that the compiler must inline, so that captured variables stay in registers.
#define SARE_INLINED __attribute__((always_inline))

/// True if `set` is not empty.
SARE_INLINE bool some(std::uint32_t set) {
    return set != 0;
}
SARE_INLINE bool some(std::uint64_t set) {
    return set != 0;
}
template <int W>
bool some(const bits<W>& set) {
    return set.any();
}

/// @name Functions that bits.h has for words, for bits<W>; operator~ is over the whole range 0 to 64 * W - 1
/// @{
template <int W>
bool is_member(const bits<W>& set, std::uint64_t i) {
    return set.test(static_cast<std::uint32_t>(i));
}
template <int W>
void add_member(bits<W>& set, std::uint64_t i) {
    set.set(static_cast<std::uint32_t>(i));
}
template <int W>
void remove_member(bits<W>& set, std::uint64_t i) {
    set.clear(static_cast<std::uint32_t>(i));
}
template <int W>
std::uint64_t lowest(const bits<W>& set) {
    return set.first();
}
template <int W>
bits<W> operator~(bits<W> set) {
    for (std::uint64_t& word : set.word) word = ~word;
    return set;
}
/// @}

/// Copies the set that the word, or the W words, at `from` hold into `set`, and sets the words at `from` to
/// 0.
SARE_INLINE void take_set(std::uint64_t& set, std::uint64_t* from) {
    set = from[0];
    from[0] = 0;
}
template <int W>
void take_set(bits<W>& set, std::uint64_t* from) {
    for (int k = 0; k < W; ++k) {
        set.word[k] = from[k];
        from[k] = 0;
    }
}

/// Subtracts 1 from `n` (from 0 to 65,535), and returns true if `n` is then 0.
inline bool falls_to_zero(std::uint16_t& n) {
    return --n == 0;
}
/// Returns the set whose only member is `i`.
template <class Set>
SARE_INLINE Set single(std::uint64_t i) {
    Set set = {};
    add_member(set, i);
    return set;
}
template <>
SARE_INLINE std::uint32_t single<std::uint32_t>(std::uint64_t i) {
    return std::uint32_t{1} << i;
}
template <>
SARE_INLINE std::uint64_t single<std::uint64_t>(std::uint64_t i) {
    return std::uint64_t{1} << i;
}

/// Range for a loop over the members of a word, in ascending order: `for (const std::uint64_t i :
/// members(set))`. It holds a copy, so that the set may change during the loop.
template <class Word>
struct word_members {
    struct end_of_word {};
    Word rest;  ///< members that are still to come

    SARE_INLINE word_members begin() const { return *this; }
    SARE_INLINE end_of_word end() const { return {}; }
    SARE_INLINE bool operator!=(end_of_word) const { return rest != 0; }
    SARE_INLINE void operator++() { rest &= rest - 1; }
    SARE_INLINE std::uint64_t operator*() const { return lowest(rest); }
};
/// Range for a loop over the members of a bits<W>, in ascending order. It holds a copy, so that the set may
/// change during the loop.
template <int W>
struct bits_members {
    struct end_of_bits {};
    bits<W> rest;  ///< members that are still to come
    int word = 0;  ///< index of the word of `rest` that the loop is at

    SARE_INLINE bits_members begin() const {
        bits_members first = *this;
        first.skip();
        return first;
    }
    SARE_INLINE end_of_bits end() const { return {}; }
    SARE_INLINE bool operator!=(end_of_bits) const { return word < W; }
    SARE_INLINE void operator++() {
        rest.word[word] &= rest.word[word] - 1;
        skip();
    }
    SARE_INLINE std::uint64_t operator*() const {
        return static_cast<std::uint64_t>(word) * 64 + lowest(rest.word[word]);
    }

  private:
    SARE_INLINE void skip() {
        while (word < W && rest.word[word] == 0) ++word;
    }
};
/// Returns the members of `set` as a range for a loop.
SARE_INLINE word_members<std::uint32_t> members(std::uint32_t set) {
    return {set};
}
SARE_INLINE word_members<std::uint64_t> members(std::uint64_t set) {
    return {set};
}
template <int W>
SARE_INLINE bits_members<W> members(const bits<W>& set) {
    return {set};
}

/// Returns which of the numbers `start` to `start + count - 1` are members of a set, as bit k for number
/// `start + k`. `count` is 1 to 64; the numbers must be in the range of the set.
SARE_INLINE std::uint64_t slice(std::uint64_t set, std::uint64_t start, std::uint32_t count) {
    return set >> start & lowest_bits(count);
}
template <int W>
std::uint64_t slice(const bits<W>& set, std::uint64_t start, std::uint32_t count) {
    return set.slice(static_cast<std::uint32_t>(start), count);
}
/// Adds number `start + k` to a set for each bit k set in `members`; these numbers must be in the range of
/// the set.
template <class Set>
SARE_INLINE void add_slice(Set& set, std::uint64_t start, std::uint64_t members) {
    set |= static_cast<Set>(members << start);
}
template <int W>
void add_slice(bits<W>& set, std::uint64_t start, std::uint64_t members) {
    set.set_slice(static_cast<std::uint32_t>(start), members);
}

}  // namespace sare
