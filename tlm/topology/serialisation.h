// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>

namespace sare {

/// Returns the least number of cycles of a link's writer from one flit to the next: it sends no faster than
/// the link carries flits, nor than a reader of another clock takes them. `own`, `other`: clock periods of
/// writer and reader in network cycles.
inline std::uint32_t serialisation(const link_attributes& link, std::uint32_t own, std::uint32_t other) {
    if (own == other) return link.cycles_per_flit;
    return (std::max(link.cycles_per_flit * link.clock, other) + own - 1) / own;
}

}  // namespace sare
