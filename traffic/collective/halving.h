// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/collective/collective.h"

namespace sare::traffic {

/// Appends the steps by which the task of rank `rank` of fold `f` takes part in a reduction by recursive
/// halving of data in f.size parts. In each step it keeps the half of its parts that contains part number
/// `rank`, and sends the other half to its partner. bytes(first, end) returns the bytes of the parts from
/// `first` to `end` - 1.
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
