// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/figure.h"

namespace sare {

struct link_result;

/// Network cycles that a flit occupies a link; below 1 if the link carries several flits at a time.
double cycles_of_flit(const reading& r, const link_result& l);

}  // namespace sare
