// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/parts/cut.h"

namespace sare {

std::vector<router_parts> metis_cuts(const router_graph& g, std::uint32_t parts) {
    (void)g, (void)parts;
    return {};
}

}  // namespace sare
