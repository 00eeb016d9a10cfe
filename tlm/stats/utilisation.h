// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/stats/figure.h"

namespace sare {

struct clock_region;
struct link_result;

/// Time for which a flit occupies a link.
struct flit_time {
    double cycles;                  ///< network cycles; may be less than 1
    const clock_region* slowed_by;  ///< region whose clock sets `cycles`; null: the link's width does
};

/// Returns the time for which a flit occupies link `l`, averaged over network cycles [from, to). It depends
/// on the link's width and the clocks of its ends; at a node whose queues are inside the router, also on the
/// flits that the node can inject or consume in a cycle. `r.net` must not be null, and `to` must be above
/// `from`; neither is checked.
flit_time time_of_flit(const reading& r, const link_result& l, cycle_t from, cycle_t to);

}  // namespace sare
