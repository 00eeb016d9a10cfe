// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Finds how many more places each VC of a shared buffer can take, as its sender counts them. A flit takes
/// one of the places that its VC has for itself and, if there is none, one of the pool.
///
/// `depth`: places of one VC, in flits, if it had the whole pool; `pool`: places that the VCs share; `vcs`:
/// number of VCs; `held`: places that each VC has taken, [vc], in all no more than there are (not checked).
/// Sets `free`: places that each VC could take now if the others took none, [vc].
template <class Held, class Free>
void find_free_places(std::uint32_t depth, std::uint32_t pool, std::uint32_t vcs, const Held* held,
                      Free* free) {
    const std::uint32_t reserved = depth - pool;
    std::uint32_t left = pool;
    for (std::uint32_t v = 0; v < vcs; ++v) left -= held[v] > reserved ? held[v] - reserved : 0;
    for (std::uint32_t v = 0; v < vcs; ++v)
        free[v] = static_cast<Free>(left + (held[v] < reserved ? reserved - held[v] : 0));
}

}  // namespace sare
