// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/nics.h"

#include <algorithm>

/// Last steps of building NICs.
namespace sare {

void nics::finish(const routing_function* prepares, bool prefetches, bool looked_through) {
    m_prepares = prepares;
    m_prefetches = prefetches;
    make_policies();
    if (!m_batched && !m_drop_bad && has_small_sets()) find_usual(looked_through);
}

void nics::find_usual(bool looked_through) {
    const auto simple = [this](const nic_state& n) {
        if (!m_policies.empty() && m_policies[number_of(n)]) return false;
        if (!m_clocks.empty() && m_clocks[number_of(n)] != &running_clock::of_network()) return false;
        const auto plain = [](const wire& w, const wire_extras& x) {
            return w.wake_bit != 0 && x.cycles_per_flit == 1 && x.batch == 1 && x.sleeps == 0;
        };
        return !n.counts_more && n.link_free != workload::never && plain(n.flits, n.flits_extras) &&
               plain(n.credits, n.credits_extras) && n.credits.first_bit + m_around.vcs <= 64;
    };
    const auto first = std::find_if(m_nics.begin(), m_nics.end(), simple);
    if (first == m_nics.end()) return;
    m_usual_flit_delay = first->flits.delay;
    m_usual_credit_delay = first->credits.delay;
    m_found = looked_through;
    for (const nic_state& n : m_nics) {
        if (!simple(n) || n.flits.delay != m_usual_flit_delay || n.credits.delay != m_usual_credit_delay)
            continue;
        m_uniform[number_of(n) >> 6] |= std::uint64_t{1} << (number_of(n) & 63);
        m_found = m_found && n.flits_extras.in_table && n.credits_extras.in_table;
    }
}

}  // namespace sare
