// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/checks.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace sare {

void refuse_number(const char* what, std::uint64_t number, std::uint64_t all) {
    const std::string asked = fmt::format("there is no {} {}", what, number);
    if (all == 0) throw std::out_of_range(asked + "; the network has none, or is not elaborated yet");
    throw std::out_of_range(fmt::format("{}; there {}{}, 0 and up", asked, all == 1 ? "is " : "are ", all));
}

}  // namespace sare
