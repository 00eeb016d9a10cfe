// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/loss_table.h"

namespace sare {

std::string loss_table(const packet_changes& changes) {
    if (changes.dropped_at.empty()) return "";
    std::string text = "cause,router,port,packets,flits\n";
    for (const auto& [at, count] : changes.dropped_at)
        text += at.cause + "," + std::to_string(at.router) + "," +
                (at.port == drop_location::no_port ? "" : std::to_string(at.port)) + "," +
                std::to_string(count.packets) + "," + std::to_string(count.flits) + "\n";
    return text;
}

}  // namespace sare
