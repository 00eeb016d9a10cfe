// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/timing/hop_counter.h"

#include "tlm/memory/memory_map.h"

#include <algorithm>

namespace sare {

void hop_counter::packet_consumed(std::uint32_t, const packet& p, cycle_t) {
    const std::uint64_t tag = m_engine.net().view().messages()[p.message].what.tag;
    if ((tag & cycle_engine::bridge_tag) == 0 || (tag & memory_map::shared_tag) != 0) return;
    memory_access& a = m_accesses[static_cast<std::uint32_t>(tag)];
    if (a.tag != tag) return;  // lost, and its slot has another one
    std::uint32_t& hops = a.response ? a.times.response_hops : a.times.request_hops;
    hops = std::max<std::uint32_t>(hops, p.hops);
}

}  // namespace sare
