// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/bits.h"

#include <algorithm>

/// The first word of a flit's data: below, a tag that says which flit it is; above, a check. The check is
/// mixed into the tag, so that every bit of the word changes from flit to flit and no two bits are always
/// alike: a wire that is stuck, or swapped with another, shows at once.
namespace sare::cosim {

namespace detail {
/// The lowest bit of the check turns the whole tag over, which a check of few bits needs.
inline std::uint64_t tag_mask(std::uint64_t check) {
    return mixed(check >> 1) ^ (std::uint64_t{0} - (check & 1));
}
}  // namespace detail

/// `width` (more than `tag_bits`, at most 64) bits, of `check` as many as there is room for.
inline std::uint64_t tagged(std::uint64_t tag, std::uint32_t tag_bits, std::uint64_t check,
                            std::uint32_t width) {
    check = low_bits(check, width - tag_bits);
    return check << tag_bits | low_bits(tag ^ detail::tag_mask(check), tag_bits);
}

inline std::uint64_t tag_of(std::uint64_t word, std::uint32_t tag_bits) {
    return low_bits(word ^ detail::tag_mask(word >> tag_bits), tag_bits);
}

}  // namespace sare::cosim
