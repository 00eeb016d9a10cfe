// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/hazards.h"

#include "tlm/fabric/network_state.h"

#include <fmt/format.h>

#include <string>

namespace sare {

hazards& hazards_of(network_state& net) {
    if (net.hazards == nullptr) net.hazards = std::make_unique<hazards>();
    return *net.hazards;
}

void hazards::check(const network_state& net) const {
    const char* const what = failures ? "'failures' says that links fail" : "links have bit errors";
    if (net.modes.has_slow)
        throw config::error(std::string(what) + ", and routers have several clocks; all must have one");
    if (!net.table.gates.empty())
        throw config::error(std::string(what) +
                            ", and routers go off ('wake'), which count the flits that come and "
                            "go; leave one of them out");
    if (!failures) return;
    if (!net.foreign.empty())
        throw config::error(std::string(what) +
                            ", and there are blocks in the network that are not Sare's (RTL), which do not "
                            "know that; leave one of them out");
    for (const router_bank* bank : net.table.banks)
        if (!bank->survives_failures())
            throw config::error(fmt::format(
                "{}, and router {} ({}) is of a kind that cannot go on then; kinds vc and spinnaker can",
                what, bank->router(0), bank->variant()));
}

}  // namespace sare
