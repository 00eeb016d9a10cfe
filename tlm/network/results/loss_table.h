// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet_changes.h"

#include <string>

namespace sare {

constexpr const char* loss_file = "losses.csv";

/// Returns dropped packets as CSV, by cause, router and the port that they waited for or were on, if any; ""
/// if there are none.
std::string loss_table(const packet_changes& changes);

}  // namespace sare
