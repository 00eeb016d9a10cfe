// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/figure.h"

namespace sare {

struct link_result;

/// Returns the network cycles for which a flit occupies a link: by its width, the clocks of its ends and, at
/// a node whose queues are inside the router, the flits that the node can inject or consume in a cycle. May
/// be less than 1. `r.net` must not be null.
double cycles_of_flit(const reading& r, const link_result& l);

}  // namespace sare
