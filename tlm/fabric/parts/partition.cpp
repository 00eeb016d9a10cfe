// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/parts/partition.h"

namespace sare {

clock_domain& partition::of_clock(const running_clock& clock) {
    for (clock_domain* const d : domains)
        if (&d->clock() == &clock) return *d;
    slow.push_back(std::make_unique<clock_domain>(clock));
    domains.push_back(slow.back().get());
    return *slow.back();
}

}  // namespace sare
