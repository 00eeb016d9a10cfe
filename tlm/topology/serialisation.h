// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>

namespace sare {

/// Cycles of the writer of a link between two flits: it sends no faster than the link carries them, nor than
/// a reader of another clock takes them. `own`, `other`: clocks of writer and reader, in cycles of the
/// network.
inline std::uint32_t serialisation(const link_attributes& link, std::uint32_t own, std::uint32_t other) {
    if (own == other) return link.cycles_per_flit;
    return (std::max(link.cycles_per_flit * link.clock, other) + own - 1) / own;
}

}  // namespace sare
