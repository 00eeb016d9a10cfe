// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/bank.h"

#include <cstdint>
#include <string>

namespace sare {

/// Router at one end of a link.
struct link_party {
    std::uint32_t router;       ///< number of the router in the network
    const router_terms& terms;  ///< properties of the router; must outlive this struct
};

/// Returns why no link can lead from router `from` to router `to`, as one line for users that names both; ""
/// if a link can. The other direction needs a call of its own. `max_packet`: flits of the largest packet of
/// the network.
std::string disagreement(const link_party& from, const link_party& to, std::uint32_t max_packet);

}  // namespace sare
