// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// A set of up to 64 * W small numbers in W machine words. Requests, grants and states of a router's virtual
/// channels are such sets; with W = 1 (up to 64 VCs a router) every operation is a few instructions.
namespace sare {

/// For the parts of a loop over all blocks: the compiler keeps its state in registers only if it is one
/// function.
#define SARE_INLINE inline __attribute__((always_inline))

/// A function that may use instructions for bits that not every processor of the family has: to be called
/// only if has_bit_instructions(). Other families have no such choice.
#if defined(__x86_64__)
#define SARE_BIT_INSTRUCTIONS __attribute__((target("bmi,bmi2")))
inline bool has_bit_instructions() {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#else
#define SARE_BIT_INSTRUCTIONS
inline bool has_bit_instructions() {
    return true;
}
#endif

/// The lowest member of a non-empty word.
#if defined(__x86_64__)
/// One instruction: around the compiler's own it puts two more, for cases that do not arise here.
inline std::uint64_t lowest(std::uint64_t word) {
    std::uint64_t i;
    __asm__("rep bsf %1, %0" : "=r"(i) : "r"(word) : "cc");
    return i;
}
/// Likewise; a write to half a register clears the other half.
inline std::uint64_t lowest(std::uint32_t word) {
    std::uint64_t i;
    __asm__("rep bsf %k1, %k0" : "=r"(i) : "r"(word) : "cc");
    return i;
}
/// A member comes in. Also one instruction, where the compiler makes a mask first.
inline void add_member(std::uint32_t& set, std::uint64_t i) {
    __asm__("bts %k1, %0" : "+r"(set) : "r"(i) : "cc");
}
inline void add_member(std::uint64_t& set, std::uint64_t i) {
    __asm__("bts %1, %0" : "+r"(set) : "r"(i) : "cc");
}
inline void remove_member(std::uint32_t& set, std::uint64_t i) {
    __asm__("btr %k1, %0" : "+r"(set) : "r"(i) : "cc");
}
inline void remove_member(std::uint64_t& set, std::uint64_t i) {
    __asm__("btr %1, %0" : "+r"(set) : "r"(i) : "cc");
}
/// Counts down by one; true at 0. One instruction, where the compiler fetches, subtracts, stores and
/// compares.
inline bool falls_to_zero(std::uint8_t& n) {
    bool zero;
    __asm__("subb $1, %1" : "=@ccz"(zero), "+m"(n));
    return zero;
}
/// The compiler shall not learn that it is 0, and keep it in a register as a zero to begin others with.
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
template <class Set>
bool is_member(Set set, std::uint64_t i) {
    return (set >> i & 1) != 0;
}

/// The first member after `last` (< 64) going round, of a non-empty word: a round-robin pick.
inline std::uint32_t round_robin(std::uint64_t word, std::uint32_t last) {
    const std::uint64_t upper = word & (~std::uint64_t{1} << last);
    return static_cast<std::uint32_t>(lowest(upper != 0 ? upper : word));
}

/// The members from `start` on.
inline std::uint64_t from_on(std::uint64_t word, std::uint32_t start) {
    return start > 63 ? 0 : word & (~std::uint64_t{0} << start);
}

template <int W>
struct bits {
    std::uint64_t word[W];

    static constexpr std::uint32_t word_of(std::uint32_t i) { return W == 1 ? 0 : i >> 6; }
    static constexpr std::uint64_t mask_of(std::uint32_t i) {
        return std::uint64_t{1} << (W == 1 ? i : i & 63);
    }

    bool test(std::uint32_t i) const { return (word[word_of(i)] & mask_of(i)) != 0; }
    void set(std::uint32_t i) { add_member(word[word_of(i)], W == 1 ? i : i & 63); }
    void clear(std::uint32_t i) { remove_member(word[word_of(i)], W == 1 ? i : i & 63); }

    bool any() const {
        std::uint64_t all = word[0];
        for (int k = 1; k < W; ++k) all |= word[k];
        return all != 0;
    }

    /// The lowest member, of a set that is not empty.
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
    void remove(const bits& o) {
        for (int k = 0; k < W; ++k) word[k] &= ~o.word[k];
    }
    friend bits operator&(bits a, const bits& b) { return a &= b; }
    friend bits operator|(bits a, const bits& b) { return a |= b; }

    /// Calls `f(i)` for every member, ascending; f may change the set it came from (a copy is walked).
    template <class F>
    void for_each(F&& f) const {
        for (int k = 0; k < W; ++k)
            for (std::uint64_t rest = word[k]; rest != 0; rest &= rest - 1)
                f(static_cast<std::uint32_t>(k * 64 + lowest(rest)));
    }

    /// The `count` (<= 16) members from `start` on, as a word.
    std::uint32_t slice(std::uint32_t start, std::uint32_t count) const {
        const std::uint64_t mask = (std::uint64_t{1} << count) - 1;
        if constexpr (W == 1) return static_cast<std::uint32_t>((word[0] >> start) & mask);
        std::uint64_t low = word[start >> 6] >> (start & 63);
        if ((start & 63) + count > 64) low |= word[(start >> 6) + 1] << (64 - (start & 63));
        return static_cast<std::uint32_t>(low & mask);
    }

    /// Adds the members of `members` (<= 16 bits wide), moved up by `start`.
    void set_slice(std::uint32_t start, std::uint64_t members) {
        word[word_of(start)] |= members << (W == 1 ? start : start & 63);
        if constexpr (W > 1)
            if ((start & 63) > 48) {
                const std::uint64_t high = members >> (64 - (start & 63));
                if (high != 0) word[(start >> 6) + 1] |= high;
            }
    }
    /// Removes `count` (<= 16) members from `start` on.
    void clear_slice(std::uint32_t start, std::uint32_t count) {
        const std::uint64_t mask = (std::uint64_t{1} << count) - 1;
        word[word_of(start)] &= ~(mask << (W == 1 ? start : start & 63));
        if constexpr (W > 1)
            if ((start & 63) + count > 64) word[(start >> 6) + 1] &= ~(mask >> (64 - (start & 63)));
    }
};

}  // namespace sare
