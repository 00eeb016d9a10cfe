// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/run/deliveries.h"

#include "tlm/fabric/network_state.h"

#include <algorithm>
#include <tuple>

namespace sare {
namespace {

bool is_before(const nics::arrival& a, const nics::arrival& b) {
    return a.node < b.node;
}

}  // namespace

template <class Place>
void deliveries::tell_events(cycle_t t, const Place& place) {
    std::vector<deferred_observer*> all;
    for (partition& p : m_net.parts) all.push_back(&p.told);
    if (std::any_of(all.begin(), all.end(), [](const deferred_observer* p) { return !p->empty(); }))
        deferred_observer::tell_all(all, *m_net.observers.get(), t, place);
}

void deliveries::tell_observers(cycle_t t) {
    tell_events(t, [](const deferred_observer::event& e) { return e.node; });
}

void deliveries::tell_observers_of_owners(cycle_t t) {
    tell_events(t, [this](const deferred_observer::event& e) {
        return e.happened == deferred_observer::what::dropped ? e.router : m_net.router_of(e.node);
    });
}

/// Tells drops in order of routers. A message counts dropped flits as still owed until here, so that it
/// cannot have ended before.
void deliveries::tell_drops(cycle_t t) {
    std::vector<packet_drop> all;
    all.swap(m_net.events.drops);
    std::stable_sort(all.begin(), all.end(), [](const packet_drop& a, const packet_drop& b) {
        return std::tie(a.at.router, a.order) < std::tie(b.at.router, b.order);
    });
    for (const packet_drop& d : all) {
        message_record& m = m_net.messages()[d.message];
        const message what = m.what;
        if (!m.lost) {
            ++m_net.changes.lost_messages;
            ++m_net.changes.lost_by_cause[*d.cause];
            if (m_net.changes.first_lost.empty()) {
                m_net.changes.first_lost =
                    lost_text(what.source, what.destination, what.generated, t, *d.cause);
                if (m_net.remote != nullptr) m_net.remote->note_loss({t, d.at.router, d.order, what.source});
            }
        }
        m.lost = true;
        if ((m.flits_to_consume -= d.flits) == 0) m_net.events.lost.push_back({what.source, d.message});
        // Workloads are not told single drops of messages from other processes, only their end.
        if (m.is_copy) continue;
        if (workload* const owner = m_net.traffic.owner_of(what)) owner->dropped_at(what, *d.cause, d.at);
    }
}

/// Tells packets in order of nodes, but for those of the bridge.
void deliveries::tell_packets(cycle_t t) {
    std::vector<packet_listener::arrival> all;
    all.swap(m_net.listener.come);
    m_net.listener.come.reserve(all.size());
    const auto by_node = [](const auto& a, const auto& b) { return a.node < b.node; };
    if (!std::is_sorted(all.begin(), all.end(), by_node)) std::stable_sort(all.begin(), all.end(), by_node);
    for (const auto& a : all)
        if (m_net.traffic.owner_of(a.what) == m_net.traffic.main)
            m_net.traffic.main->packet_delivered(a.what, a.node, a.injected, t);
}

void deliveries::deliver(cycle_t t) {
    for (std::size_t k = 0; !m_net.modes.one_part && k < m_net.parts.size(); ++k) {
        for (const partition::drop& d : m_net.parts[k].drops)
            m_net.events.drops.push_back(
                {d.at, d.message, d.flits, m_net.changes.count_drop(d.cause, d.at, d.flits), d.order});
        m_net.parts[k].drops.clear();
    }
    if (!m_net.events.drops.empty()) tell_drops(t);
    if (!m_net.listener.come.empty()) tell_packets(t);
    std::vector<nics::arrival>& here = m_net.parts.front().its_nics->arrivals();
    if (!m_net.modes.one_part || m_net.modes.owners || !m_net.events.lost.empty()) gather_arrivals();
    for (const nics::arrival& a : here) {
        message_record& m = m_net.messages()[a.message];
        delivery d{m.what, m.injected, t};
        if (__builtin_expect(m.is_copy, 0) && m_net.remote != nullptr)
            d.what.tag = m_net.remote->tag_of(a.message);
        const bool lost = m.lost;
        m.lost = false;
        m_net.messages().part(0).give_back(a.message);
        workload* const owner = m_net.traffic.owner_of(d.what);
        if (!lost)
            owner->delivered(d);
        else if (owner != nullptr)
            owner->lost(d.what);
    }
    here.clear();
}

/// Moves the arrivals of all parts into those of part 0, in order of nodes, and then adds lost messages.
void deliveries::gather_arrivals() {
    std::vector<nics::arrival>& all = m_net.parts[0].its_nics->arrivals();
    for (std::size_t k = 1; k < m_net.parts.size(); ++k) {
        std::vector<nics::arrival>& more = m_net.parts[k].its_nics->arrivals();
        all.insert(all.end(), more.begin(), more.end());
        more.clear();
    }
    if (!std::is_sorted(all.begin(), all.end(), is_before))
        std::stable_sort(all.begin(), all.end(), is_before);
    if (!m_net.events.lost.empty()) all.insert(all.end(), m_net.events.lost.begin(), m_net.events.lost.end());
    m_net.events.lost.clear();
}

void deliveries::call_for_room() {
    if (!m_net.nics.any_room()) return;
    nics::source_queues ready;
    for (partition& p : m_net.parts) {
        ready.insert(ready.end(), p.its_nics->room().begin(), p.its_nics->room().end());
        p.its_nics->room().clear();
    }
    std::sort(ready.begin(), ready.end());
    for (const auto& [node, message_class] : ready) m_net.traffic.main->queue_space(node, message_class);
}

}  // namespace sare
