// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/results.h"

namespace sare {

class network_view;

/// Sets the utilisation of every link of `out`: the cycles that its flits took, over those of the measured
/// window. And mean, maximum, and which is the busiest. Nothing where no links are known.
void report_link_use(const network_view& net, run_result& out);

}  // namespace sare
