// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/stats/results.h"

#include <string>

namespace sare::cli {

/// Returns the key figures of a run, at most 80 columns wide.
std::string summary_text(const experiment& e, const run_result& r);

}  // namespace sare::cli
