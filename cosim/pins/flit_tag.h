// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/bits.h"

#include <algorithm>

/// The first word of a flit's data: a tag in the lowest bits, which names the flit, and a check above it. The
/// check is mixed into the tag, so that every bit of the word changes from flit to flit and no two bits are
/// always alike: a wire that is stuck, or exchanged with another one, shows at once.
namespace sare::cosim {

namespace detail {
/// Returns the bits with which a tag is XORed. The lowest bit of `check` inverts them all, so that a check of
/// a few bits suffices.
inline std::uint64_t tag_mask(std::uint64_t check) {
    return mixed(check >> 1) ^ (std::uint64_t{0} - (check & 1));
}
}  // namespace detail

/// Returns a word of `width` bits (more than `tag_bits`, at most 64) with the lowest `tag_bits` bits of `tag`
/// and above them the lowest bits of `check`, as many as fit.
inline std::uint64_t tagged(std::uint64_t tag, std::uint32_t tag_bits, std::uint64_t check,
                            std::uint32_t width) {
    check = low_bits(check, width - tag_bits);
    return check << tag_bits | low_bits(tag ^ detail::tag_mask(check), tag_bits);
}

/// Returns the tag in a word that tagged() has made with the same `tag_bits`; of any other word, a number
/// without meaning, below 2^tag_bits.
inline std::uint64_t tag_of(std::uint64_t word, std::uint32_t tag_bits) {
    return low_bits(word ^ detail::tag_mask(word >> tag_bits), tag_bits);
}

}  // namespace sare::cosim
