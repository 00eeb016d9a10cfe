// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <string>

namespace sare {

class network_view;
class world;

constexpr const char* sleep_file = "sleep.csv";

/// Returns the links that can sleep as CSV: ends as in links.csv, cycles asleep, their share, and number of
/// wakings, in the first `cycles` cycles. "" if there are none. The network stands still afterwards; how far
/// its engine has looked ahead depends on the machine. `processes`: all that run the network, each of which
/// must ask, for the links of all; null: one process.
std::string sleep_table(const network_view& net, cycle_t cycles, world* processes = nullptr);

}  // namespace sare
