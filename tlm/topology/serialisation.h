// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>
#include <cmath>

namespace sare {

/// Returns the least number of cycles of a link's writer from one flit to the next. It is bounded by the link
/// and, if the clocks differ and there is no synchroniser, by one flit for each cycle of the reader. `own`,
/// `other`: clock periods of writer and reader in network cycles.
inline std::uint32_t serialisation(const link_attributes& link, double own, double other) {
    if (own == other || link.synchroniser != 0) return link.cycles_per_flit;
    const double each = std::max(link.cycles_per_flit * link.clock.period(), other);
    return static_cast<std::uint32_t>(std::ceil(each / own));
}

/// Returns the network cycles from one flit to the next on a link that is never idle: the reader takes at
/// most one flit at each edge of its clock. `own`, `other`: as for serialisation().
inline double flit_period(const link_attributes& link, double own, double other) {
    return std::max(serialisation(link, own, other) * own, other);
}

/// Returns the region whose clock makes flit_period() longer than link.cycles_per_flit: `from`, the region of
/// the writer, or `to`, the region of the reader; null: none does. `own`, `other`: as for serialisation().
inline const clock_region* slowing_region(const link_attributes& link, double own, const clock_region* from,
                                          double other, const clock_region* to) {
    if (flit_period(link, own, other) <= link.cycles_per_flit) return nullptr;
    return serialisation(link, own, other) * own >= other ? from : to;
}

}  // namespace sare
