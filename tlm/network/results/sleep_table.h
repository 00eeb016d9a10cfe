// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <string>

namespace sare {

class network_view;
class world;

constexpr const char* sleep_file = "sleep.csv";

/// Of the links that can sleep, as CSV: from where to where, as in links.csv; cycles asleep and their share,
/// and how often they woke, in the first `cycles` cycles, at the end of which the network stands still: how
/// far its engine has looked beyond depends on the machine. "" if there are none. `processes`: all that run
/// the network, each of which must ask, for the links of all; null: it is one.
std::string sleep_table(const network_view& net, cycle_t cycles, world* processes = nullptr);

}  // namespace sare
