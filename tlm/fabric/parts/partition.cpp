// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/parts/partition.h"

namespace sare {

clock_domain& partition::of_clock(std::uint32_t period) {
    for (clock_domain* const d : domains)
        if (d->period() == period) return *d;
    slow.push_back(std::make_unique<clock_domain>(period));
    domains.push_back(slow.back().get());
    return *slow.back();
}

}  // namespace sare
