// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet_changes.h"

#include <string>

namespace sare {

constexpr const char* loss_file = "losses.csv";  ///< name of the file for loss_table()

/// Returns the packets dropped since the start as CSV, a row for each cause, router and output port (the port
/// for which the packets waited, or whose link failed; empty: none); "" if no packet was dropped.
std::string loss_table(const packet_changes& changes);

}  // namespace sare
