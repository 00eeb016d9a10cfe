// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/bank.h"

#include <cstdint>
#include <string>

namespace sare {

/// A router at the sending or receiving end of a link, with its terms.
struct link_party {
    std::uint32_t router;
    const router_terms& terms;
};

/// Returns why no link can lead from one router to another, in one line that names both; "" if one can.
/// `max_packet`: flits of the largest packet.
std::string disagreement(const link_party& from, const link_party& to, std::uint32_t max_packet);

}  // namespace sare
