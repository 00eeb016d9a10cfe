// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class fabric;

constexpr const char* sleep_file = "sleep.csv";

/// Of the links that can sleep, as CSV: from where to where, as in links.csv; cycles asleep and their share,
/// and how often they woke, since the start. "" if there are none.
std::string sleep_table(const fabric& net);

}  // namespace sare
