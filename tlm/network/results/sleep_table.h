// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <string>

namespace sare {

class network_view;
class world;

constexpr const char* sleep_file = "sleep.csv";  ///< name of the file for sleep_table()

/// Returns the links that can sleep as CSV: ends as in links.csv, cycles asleep, their share of all cycles,
/// and number of wakings; "" if no link can sleep. Call when the run is over. `cycles`: length of the run;
/// the engine may have looked ahead farther, and later cycles are not counted. `processes`: all that run the
/// network, each of which must call, and each gets the links of all; null: one process.
std::string sleep_table(const network_view& net, cycle_t cycles, world* processes = nullptr);

}  // namespace sare
