// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/timing/packet_follower.h"

#include "tlm/fabric/fabric.h"
#include "tlm/memory/memory_map.h"

#include <algorithm>

namespace sare {

void packet_follower::start() {
    if (!m_follows) m_engine.add_observer(*this);
    m_follows = true;
}

/// Returns the access of a packet; null for other traffic and lost accesses, whose slot has another access.
memory_access* packet_follower::access_of(const packet& p) const {
    const std::uint64_t tag = m_engine.net().view().messages()[p.message].what.tag;
    if ((tag & cycle_engine::bridge_tag) == 0 || (tag & memory_map::shared_tag) != 0) return nullptr;
    memory_access& a = m_accesses[static_cast<std::uint32_t>(tag)];
    return a.tag == tag ? &a : nullptr;
}

void packet_follower::packet_injected(std::uint32_t, const packet& p, cycle_t now) {
    const std::uint64_t number = m_packets++;
    memory_access* const a = m_notes ? access_of(p) : nullptr;
    if (a == nullptr) return;
    access_packet its;
    its.number = number;
    its.response = a->response;
    its.source = p.route.source;
    its.destination = p.route.destination;
    its.flits = p.flits;
    its.injected = its.consumed = m_engine.clock().began(now);
    its.slot = &p;
    a->packets.push_back(its);
}

void packet_follower::packet_consumed(std::uint32_t, const packet& p, cycle_t now) {
    memory_access* const a = access_of(p);
    if (a == nullptr) return;
    std::uint32_t& hops = a->response ? a->times.response_hops : a->times.request_hops;
    hops = std::max<std::uint32_t>(hops, p.hops);
    for (access_packet& its : a->packets)
        if (its.slot == &p && its.response == a->response) its.consumed = m_engine.clock().began(now);
}

}  // namespace sare
