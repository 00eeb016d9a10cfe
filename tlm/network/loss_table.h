// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/losses.h"

#include <string>

namespace sare {

constexpr const char* loss_file = "losses.csv";

/// Dropped packets by cause and router, as CSV; "" where none was.
std::string loss_table(const packet_changes& changes);

}  // namespace sare
