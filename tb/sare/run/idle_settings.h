// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"

#include <string>
#include <vector>

namespace sare {
struct run_result;
}

/// Settings of an experiment that have no effect, since another setting is missing.
namespace sare::cli {

/// Returns a line for each parameter of routers, NICs and links that differs from its default and has no
/// effect:
/// "'nic.window' has no effect: it is for 'nic.retransmission: go_back_n'".
std::vector<std::string> idle_settings(const experiment& e);
/// Returns a line for each setting that was to begin after the end of a run: observation, failures.
std::vector<std::string> late_settings(const experiment& e, const run_result& r);

}  // namespace sare::cli
