// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/checks.h"

#include <stdexcept>
#include <string>

namespace sare {

void refuse_number(const char* what, std::uint64_t number, std::uint64_t all) {
    const std::string asked = std::string("there is no ") + what + " " + std::to_string(number);
    if (all == 0) throw std::out_of_range(asked + "; the network has none, or is not elaborated yet");
    throw std::out_of_range(asked + "; there " + (all == 1 ? "is " : "are ") + std::to_string(all) +
                            ", 0 and up");
}

}  // namespace sare
