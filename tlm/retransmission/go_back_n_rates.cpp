// SPDX-License-Identifier: Apache-2.0
#include "tlm/retransmission/go_back_n.h"

#include <algorithm>
#include <cmath>

/// Congestion control of flows: what the destination tells of marks, and how fast the source sends.
namespace sare {

/// Returns true if the rate of a flow does not allow a packet yet; the flow then becomes ready in time.
bool go_back_n::waits_for_rate(std::uint32_t id) {
    flow& f = m_flows[id];
    if (!f.rate || f.free_at <= static_cast<double>(m_port->now())) return false;
    if (!f.is_paced) m_paced.emplace(static_cast<cycle_t>(std::ceil(f.free_at)), id);
    return f.is_paced = true;
}

void go_back_n::spend_rate(flow& f, std::uint32_t flits) {
    if (!f.rate) return;
    const cycle_t now = m_port->now();
    f.rate->sent(flits, now);
    f.free_at = std::max(f.free_at, static_cast<double>(now)) + flits / f.rate->in(now);
}

void go_back_n::release_paced(cycle_t now) {
    while (!m_paced.empty() && m_paced.top().first <= now) {
        const std::uint32_t id = m_paced.top().second;
        m_paced.pop();
        m_flows[id].is_paced = false;
        make_ready(id);
    }
}

/// Lets the next acknowledgement tell of a data packet that came marked.
void go_back_n::note_mark(flow& f, const delivery& d) {
    if (!m_came[f.destination].route.marked) return;
    ++m_counters.marked;
    if (f.notify || d.consumed < f.next_notice) return;
    f.notify = true;
    f.next_notice = d.consumed + m_control->notice_interval();
    ++m_counters.notices;
}

}  // namespace sare
