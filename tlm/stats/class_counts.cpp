// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/class_counts.h"

#include "tlm/api/refusals.h"
#include "tlm/state/archive.h"
#include "tlm/stats/add_each.h"
#include "tlm/stats/results.h"

namespace sare {

/// In source queues, before them, or refused there. A message of which nothing is injected is one packet.
std::vector<generated_counts> class_counts::waiting(const workload& w) const {
    std::vector<generated_counts> all(m_all.size());
    for (std::uint32_t c = 0; c < all.size(); ++c)
        for (std::uint32_t n = 0; n < m_net.nodes(); ++n)
            for (const generated_counts& some :
                 {m_net.waiting_of(n, c), w.backlog_of(n, c), refused_by(w, n, c)})
                all[c] += some;
    return all;
}

void class_counts::report(double cycles, run_result& out) const {
    const double node_cycles = cycles * m_net.nodes();
    const auto load = [&](std::uint64_t flits) {
        return node_cycles > 0 ? static_cast<double>(flits) / node_cycles : 0;
    };
    // What is made is injected, or waits; what waited before was made before.
    const auto made = [](std::uint64_t injected, std::uint64_t waits, std::uint64_t waited) {
        return injected + waits > waited ? injected + waits - waited : 0;
    };
    for (std::uint32_t k = 0; k < m_all.size(); ++k) {
        const counts& c = m_all[k];
        const generated_counts from = k < m_at_start.size() ? m_at_start[k] : generated_counts{};
        class_result its;
        its.generated = made(c.injected_packets, m_at_end[k].messages, from.messages);
        its.injected = c.injected_packets;
        its.consumed = c.consumed_packets;
        its.offered_load = load(made(c.injected_flits, m_at_end[k].flits, from.flits));
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
