// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <string>

namespace sare {

class fabric;

constexpr const char* sleep_file = "sleep.csv";

/// Of the links that can sleep, as CSV: from where to where, as in links.csv; cycles asleep and their share,
/// and how often they woke, in the first `cycles` cycles, at the end of which the network stands still: how
/// far its engine has looked beyond depends on the machine. "" if there are none.
std::string sleep_table(const fabric& net, cycle_t cycles);

}  // namespace sare
