// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sare {

/// Keeps the events that NICs and routers of one part report while threads run other parts. Tells them
/// afterwards, in the order in which a network of one part reports them. Until then the slots of packets and
/// messages must not be reused, as the events point to them.
class deferred_observer final : public observer {
  public:
    void packet_injected(std::uint32_t node, const packet& p, cycle_t) override {
        m_told.push_back({what::injected, node, &p, nullptr});
    }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t) override {
        m_told.push_back({what::consumed, node, &p, nullptr});
    }
    void message_consumed(const message_record& m, cycle_t) override {
        m_told.push_back({what::complete, m_told.back().node, nullptr, &m});  // node of the packet before
    }
    void single_packet_message_consumed(std::uint32_t node, const packet& p, const message_record& m,
                                        cycle_t) override {
        m_told.push_back({what::lone, node, &p, &m});
    }
    void packet_dropped(std::uint32_t router, const packet& p, cycle_t) override {
        m_told.push_back({what::dropped, p.route.source, &p, nullptr, router});
    }

    bool empty() const { return m_told.empty(); }  ///< true if no event is kept
    /// Kind of an event, one for each function of observer; `lone`: single_packet_message_consumed().
    enum class what : std::uint8_t { injected, consumed, complete, lone, dropped };
    /// An event that is kept. `p`, `m`: packet and message in their pools; null if the kind of event has
    /// none.
    struct event {
        what happened;
        std::uint32_t node;  ///< node of the event; of a drop the packet's source
        const packet* p;
        const message_record* m;
        std::uint32_t router = 0;  ///< router that dropped the packet; 0 for other kinds
    };
    /// Tells `to` the events of cycle `t` that all `parts` have kept, in ascending order of place(event), and
    /// empties them. Events of one place, which are of one part, keep their order.
    template <class Place>
    static void tell_all(const std::vector<deferred_observer*>& parts, observer& to, cycle_t t,
                         const Place& place) {
        std::vector<event> all;
        for (deferred_observer* p : parts) p->move_to(all);
        const auto in_order = [&](const event& a, const event& b) { return place(a) < place(b); };
        if (!std::is_sorted(all.begin(), all.end(), in_order))
            std::stable_sort(all.begin(), all.end(), in_order);
        for (const event& e : all) tell(e, to, t);
    }

  private:
    void move_to(std::vector<event>& all) {
        all.insert(all.end(), m_told.begin(), m_told.end());
        m_told.clear();
    }
    static void tell(const event& e, observer& to, cycle_t t) {
        switch (e.happened) {
            case what::injected:
                return to.packet_injected(e.node, *e.p, t);
            case what::consumed:
                return to.packet_consumed(e.node, *e.p, t);
            case what::complete:
                return to.message_consumed(*e.m, t);
            case what::lone:
                return to.single_packet_message_consumed(e.node, *e.p, *e.m, t);
            case what::dropped:
                return to.packet_dropped(e.router, *e.p, t);
        }
    }
    std::vector<event> m_told;
};

}  // namespace sare
