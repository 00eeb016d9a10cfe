// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/bank.h"

#include "tlm/state/archive.h"

namespace sare {

void router_bank::serialize(archive&) {
    throw unwritable("routers '" + variant() + "'");
}

std::uint32_t router_bank::waiting(std::uint32_t k, std::uint32_t port) const {
    std::uint32_t flits = 0;
    for (std::uint32_t p = 0; p < ports(); ++p)
        for (std::uint32_t v = 0; v < terms().vcs; ++v) {
            const in_vc i = in(k, p, v);
            if (i.count == 0 || i.out_port != port) continue;
            const bool has_way = bids_for_vc(k, p, v) || out(k, port, i.out_vc).owner == p * terms().vcs + v;
            if (has_way) flits += i.count;
        }
    return flits;
}

bool router_bank::asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                           std::uint32_t out_vc) const {
    const in_vc i = in(k, port, vc);
    return i.out_port == out_port && (i.vcs >> out_vc & 1) != 0;
}

}  // namespace sare
