// SPDX-License-Identifier: Apache-2.0
#include "tlm/retransmission/go_back_n.h"
#include "tlm/state/archive.h"

namespace sare {

void go_back_n::outgoing::serialize(archive& a) {
    a(message, flits, last, times, sent);
}

void go_back_n::flow::serialize(archive& a) {
    a(source, destination, message_class, messages, packets, base, next, expected, ready, acknowledge, ended,
      no_route, to_arrive, free_at, is_paced, notify, next_notice);
}

void go_back_n::gate::serialize(archive& a) {
    a(ready, acknowledge, in_nic);
}

void go_back_n::serialize(archive& a) {
    a(m_inner, m_counters, m_flows, m_gates, m_messages, m_free_messages, m_open_messages, m_queued);
    a(m_made, m_useful);
    a(m_call_level, m_calls, m_awake, m_is_awake, m_came, m_timers, m_paced, m_ideal, m_lost,
      m_losses.by_cause, m_losses.first);
    for (flow& f : m_flows) {
        if (a.reads()) f.rate = m_control->make();
        if (f.rate) f.rate->serialize(a);
    }
    m_flow_of.clear();
    for (std::uint32_t id = 0; id < m_flows.size(); ++id)
        m_flow_of[{m_flows[id].source, m_flows[id].destination, m_flows[id].message_class}] = id;
}

config::value go_back_n::summary() const {
    const counters& c = m_counters;
    config::value all = config::value::map({{"packets", config::number(c.packets)},
                                            {"sent_again", config::number(c.sent_again)},
                                            {"acknowledgements", config::number(c.acknowledgements)},
                                            {"time_outs", config::number(c.time_outs)},
                                            {"duplicates", config::number(c.duplicates)},
                                            {"out_of_order", config::number(c.out_of_order)},
                                            {"flows_given_up", config::number(c.given_up)},
                                            {"useful_flits", config::number(c.useful_flits)}});
    if (m_params.controls_congestion()) {
        all.set("marked", config::number(c.marked));
        all.set("notices", config::number(c.notices));
    }
    return all;
}

}  // namespace sare
