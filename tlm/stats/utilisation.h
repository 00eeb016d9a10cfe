// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/figure.h"

namespace sare {

struct link_result;

/// Cycles of the network that a flit takes of the link; less than one where several go at once.
double cycles_of_flit(const reading& r, const link_result& l);

}  // namespace sare
