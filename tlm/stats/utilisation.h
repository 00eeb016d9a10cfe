// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/figure.h"

namespace sare {

struct link_result;

/// Returns the network cycles for which a flit occupies a link; below 1 if the link can carry several flits
/// in a cycle.
double cycles_of_flit(const reading& r, const link_result& l);

}  // namespace sare
