// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>
#include <cmath>

namespace sare {

/// Returns the least number of cycles of a link's writer from one flit to the next: it sends no faster than
/// the link carries flits, nor, without a synchroniser, than a reader of another clock takes them. `own`,
/// `other`: clocks of writer and reader.
inline std::uint32_t serialisation(const link_attributes& link, clock_ratio own, clock_ratio other) {
    if (own == other || link.synchroniser != 0) return link.cycles_per_flit;
    const double each = std::max(link.cycles_per_flit * link.clock.period(), other.period());
    return static_cast<std::uint32_t>(std::ceil(each / own.period()));
}

/// Returns the network cycles from one flit to the next on a link that is never idle: the reader takes one at
/// each edge of its clock at most.
inline double flit_period(const link_attributes& link, clock_ratio own, clock_ratio other) {
    const double sent = serialisation(link, own, other) * own.period();
    return own == other ? sent : std::max(sent, other.period());
}

}  // namespace sare
