// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// Sets of small numbers as bits of machine words, bit i for member i: one word of 32 or 64 bits (`word` or
/// `set`), or W words of 64 bits (bits<W>). Routers keep sets of virtual channels in this way.
namespace sare {

/// Macro that marks a function that is always inlined. Use it for the parts of a loop over all routers or
/// NICs: the compiler keeps the loop's state in registers only if the loop is one function.
#define SARE_INLINE inline __attribute__((always_inline))

/// Macro that marks a function that may be compiled to the x86-64 instructions BMI and BMI2, which not every
/// such processor has: call the function only if has_bit_instructions(). Empty on other processor families.
#if defined(__x86_64__)
#define SARE_BIT_INSTRUCTIONS __attribute__((target("bmi,bmi2")))
/// True if this processor can run functions marked SARE_BIT_INSTRUCTIONS; always true on other processor
/// families.
inline bool has_bit_instructions() {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#else
#define SARE_BIT_INSTRUCTIONS
inline bool has_bit_instructions() {
    return true;
}
#endif

#if defined(__x86_64__)
/// Returns the number, from 0, of the lowest bit set in `word`, which must not be 0. Written in assembler as
/// one instruction; the compiler's builtin adds two more for the case of 0.
inline std::uint64_t lowest(std::uint64_t word) {
    std::uint64_t i;
    __asm__("rep bsf %1, %0" : "=r"(i) : "r"(word) : "cc");
    return i;
}
/// Returns the number, from 0, of the lowest bit set in a word of 32 bits, which must not be 0. (The
/// instruction writes the lower half of a register, which clears its upper half.)
inline std::uint64_t lowest(std::uint32_t word) {
    std::uint64_t i;
    __asm__("rep bsf %k1, %k0" : "=r"(i) : "r"(word) : "cc");
    return i;
}
/// Adds member `i` to `set`; `i` must be below the number of bits of the set. Written in assembler as one
/// instruction; the compiler would make a mask first.
inline void add_member(std::uint32_t& set, std::uint64_t i) {
    __asm__("bts %k1, %0" : "+r"(set) : "r"(i) : "cc");
}
inline void add_member(std::uint64_t& set, std::uint64_t i) {
    __asm__("bts %1, %0" : "+r"(set) : "r"(i) : "cc");
}
/// Removes member `i` from `set`; `i` must be below the number of bits of the set. Written in assembler as
/// one instruction, like add_member().
inline void remove_member(std::uint32_t& set, std::uint64_t i) {
    __asm__("btr %k1, %0" : "+r"(set) : "r"(i) : "cc");
}
inline void remove_member(std::uint64_t& set, std::uint64_t i) {
    __asm__("btr %1, %0" : "+r"(set) : "r"(i) : "cc");
}
/// Subtracts 1 from `n` (from 0 to 255), and returns true if `n` is then 0. Written in assembler as one
/// instruction; the compiler would fetch, subtract, store and compare.
inline bool falls_to_zero(std::uint8_t& n) {
    bool zero;
    __asm__("subb $1, %1" : "=@ccz"(zero), "+m"(n));
    return zero;
}
/// True if `word` is not 0. Written in assembler so that the compiler does not learn that `word` is 0 on one
/// branch, and hold it in a register there as its constant zero.
inline bool is_nonzero(const std::uint32_t& word) {
    bool is;
    __asm__("cmpl $0, %1" : "=@ccne"(is) : "m"(word));
    return is;
}
#else
inline std::uint64_t lowest(std::uint64_t word) {
    return static_cast<std::uint64_t>(__builtin_ctzll(word));
}
template <class Set>
void add_member(Set& set, std::uint64_t i) {
    set |= Set{1} << i;
}
template <class Set>
void remove_member(Set& set, std::uint64_t i) {
    set &= ~(Set{1} << i);
}
inline bool falls_to_zero(std::uint8_t& n) {
    return --n == 0;
}
inline bool is_nonzero(const std::uint32_t& word) {
    return word != 0;
}
#endif
/// True if `i` is a member of `set`; `i` must be below the number of bits of the set.
template <class Set>
bool is_member(Set set, std::uint64_t i) {
    return (set >> i & 1) != 0;
}

/// Returns the round-robin choice: the lowest member of `word` above `last`, or if there is none, the lowest
/// member. `word` must not be 0, and `last` must be 0 to 63.
inline std::uint32_t round_robin(std::uint64_t word, std::uint32_t last) {
    const std::uint64_t upper = word & (~std::uint64_t{1} << last);
    return static_cast<std::uint32_t>(lowest(upper != 0 ? upper : word));
}

/// Returns `word` without its members below `start`; 0 if `start` is above 63.
inline std::uint64_t from_on(std::uint64_t word, std::uint32_t start) {
    return start > 63 ? 0 : word & (~std::uint64_t{0} << start);
}

/// Returns the number of bits that are needed for the numbers 0 to `n` - 1; 1 if `n` is 0 or 1.
inline std::uint32_t index_bits(std::uint32_t n) {
    std::uint32_t bits = 1;
    while (bits < 32 && (std::uint64_t{1} << bits) < n) ++bits;
    return bits;
}

/// Returns the word with bits 0 to count - 1 set; `count` is 1 to 64.
inline std::uint64_t lowest_bits(std::uint32_t count) {
    return ~std::uint64_t{0} >> (64 - count);
}

/// A set of numbers from 0 to 64 * W - 1. Without {} the contents are not initialised. With W = 1 (routers of
/// up to 64 VCs) every operation takes a few instructions. Numbers outside of the range are undefined
/// behaviour.
template <int W>
struct bits {
    std::uint64_t word[W];  ///< number i is bit i % 64 of word i / 64

    /// Returns the index in `word` of the word that holds number `i`.
    static constexpr std::uint32_t word_of(std::uint32_t i) { return W == 1 ? 0 : i >> 6; }
    /// Returns the word that has only the bit of number `i`.
    static constexpr std::uint64_t mask_of(std::uint32_t i) {
        return std::uint64_t{1} << (W == 1 ? i : i & 63);
    }

    /// True if number `i` is a member.
    bool test(std::uint32_t i) const { return (word[word_of(i)] & mask_of(i)) != 0; }
    /// Adds number `i`; does nothing if it is a member.
    void set(std::uint32_t i) { add_member(word[word_of(i)], W == 1 ? i : i & 63); }
    /// Removes number `i`; does nothing if it is no member.
    void clear(std::uint32_t i) { remove_member(word[word_of(i)], W == 1 ? i : i & 63); }

    /// True if the set is not empty.
    bool any() const {
        std::uint64_t all = word[0];
        for (int k = 1; k < W; ++k) all |= word[k];
        return all != 0;
    }

    /// Returns the lowest member; the set must not be empty.
    std::uint32_t first() const {
        int k = 0;
        while (W > 1 && word[k] == 0) ++k;
        return static_cast<std::uint32_t>(static_cast<std::uint32_t>(k) * 64 + lowest(word[k]));
    }

    bits& operator|=(const bits& o) {
        for (int k = 0; k < W; ++k) word[k] |= o.word[k];
        return *this;
    }
    bits& operator&=(const bits& o) {
        for (int k = 0; k < W; ++k) word[k] &= o.word[k];
        return *this;
    }
    /// Removes all members of `o`.
    void remove(const bits& o) {
        for (int k = 0; k < W; ++k) word[k] &= ~o.word[k];
    }
    friend bits operator&(bits a, const bits& b) { return a &= b; }
    friend bits operator|(bits a, const bits& b) { return a |= b; }

    /// Calls `f(i)` for every member i, in ascending order. If `f` changes the set, the calls for a word go
    /// on with the members that the word had before its first call.
    template <class F>
    void for_each(F&& f) const {
        for (int k = 0; k < W; ++k)
            for (std::uint64_t rest = word[k]; rest != 0; rest &= rest - 1)
                f(static_cast<std::uint32_t>(k * 64 + lowest(rest)));
    }

    /// Returns which of the numbers `start` to `start + count - 1` are members, as bit k for number `start +
    /// k`. `count` is 1 to 64; the numbers must be in the range of the set.
    std::uint64_t slice(std::uint32_t start, std::uint32_t count) const {
        const std::uint64_t mask = lowest_bits(count);
        if constexpr (W == 1) return (word[0] >> start) & mask;
        std::uint64_t low = word[start >> 6] >> (start & 63);
        if ((start & 63) + count > 64) low |= word[(start >> 6) + 1] << (64 - (start & 63));
        return low & mask;
    }

    /// Adds number `start + k` for each bit k set in `members`; these numbers must be in the range of the
    /// set.
    void set_slice(std::uint32_t start, std::uint64_t members) {
        word[word_of(start)] |= members << (W == 1 ? start : start & 63);
        if constexpr (W > 1)
            if ((start & 63) != 0) {
                const std::uint64_t high = members >> (64 - (start & 63));
                if (high != 0) word[(start >> 6) + 1] |= high;
            }
    }
};

}  // namespace sare
