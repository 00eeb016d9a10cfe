// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/collective/collective.h"

namespace sare::traffic {

/// A reduction by recursive halving among the ranks of a fold: in each step a rank keeps the half of the
/// parts that its own is in, and gives its partner the other one. `bytes`(first, end) are those of some
/// parts.
template <class Bytes>
void halve(const fold& f, std::uint32_t rank, const Bytes& bytes, steps& out) {
    std::uint32_t first = 0;
    for (std::uint32_t half = f.size / 2; half != 0; half /= 2) {
        const std::uint32_t other = f.task(rank ^ half);
        const std::uint32_t own = first + (rank & half), given = first + (~rank & half);
        out.push_back({other, bytes(given, given + half), other, bytes(own, own + half), true});
        first = own;
    }
}

}  // namespace sare::traffic
