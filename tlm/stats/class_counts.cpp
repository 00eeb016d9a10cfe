// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/class_counts.h"

#include "tlm/api/own_traffic.h"
#include "tlm/api/refusals.h"
#include "tlm/state/archive.h"
#include "tlm/stats/add_each.h"
#include "tlm/stats/results.h"
#include "tlm/topology/topology.h"

namespace sare {

/// But for what was injected before the window. A message of which nothing is injected is one packet.
std::vector<generated_counts> class_counts::made(const workload& w) const {
    const auto* const own = dynamic_cast<const own_traffic*>(&w);
    std::vector<generated_counts> all(m_all.size());
    for (std::uint32_t c = 0; c < all.size(); ++c) {
        if (own == nullptr) all[c] = {m_all[c].injected_packets, m_all[c].injected_flits};
        for (std::uint32_t n = 0; n < m_net.nodes(); ++n) {
            all[c] += refused_by(w, n, c);
            if (own != nullptr)
                all[c] += own->made_of(n, c);
            else
                for (const generated_counts& some :
                     {m_net.waiting_of(n, c), w.backlog_of(n, c), m_net.unsent_of(n, c)})
                    all[c] += some;
        }
    }
    return all;
}

void class_counts::report(double cycles, run_result& out) const {
    const std::uint32_t terminals = m_net.map() == nullptr ? m_net.nodes() : m_net.map()->terminals();
    const double node_cycles = cycles * terminals;
    const auto load = [&](std::uint64_t flits) {
        return node_cycles > 0 ? static_cast<double>(flits) / node_cycles : 0;
    };
    for (std::uint32_t k = 0; k < m_all.size(); ++k) {
        const counts& c = m_all[k];
        const generated_counts from = k < m_at_start.size() ? m_at_start[k] : generated_counts{};
        class_result its;
        its.generated = m_at_end[k].messages - from.messages;
        its.injected = c.injected_packets;
        its.consumed = c.consumed_packets;
        its.offered_load = load(m_at_end[k].flits - from.flits);
        its.injected_load = load(c.injected_flits);
        its.accepted_load = load(c.consumed_flits);
        its.latency = {c.from_generation.summary(), c.from_injection.summary()};
        out.class_loads.push_back(its);
    }
}

void class_counts::add(const class_counts& other) {
    for (std::size_t k = 0; k < m_all.size(); ++k) {
        counts& c = m_all[k];
        const counts& o = other.m_all[k];
        c.injected_packets += o.injected_packets;
        c.consumed_packets += o.consumed_packets;
        c.injected_flits += o.injected_flits;
        c.consumed_flits += o.consumed_flits;
        c.from_generation.add(o.from_generation);
        c.from_injection.add(o.from_injection);
    }
    add_each(m_at_start, other.m_at_start);
    add_each(m_at_end, other.m_at_end);
}

void class_counts::serialize(archive& a) {
    a(m_all, m_at_start, m_at_end);
}

}  // namespace sare
