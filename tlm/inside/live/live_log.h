// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/inside/message_numbers.h"
#include "tlm/router_api/connection.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sare {

class fabric;
class network_engine;

/// Log for a debugger: numbers packets from 0 in order of injection, and keeps the flit that each link has
/// carried last and, if asked, events of packets. It knows packets that were injected while it exists; copies
/// that routers make have no number.
class live_log final : public observer, public flit_observer {
  public:
    /// Kinds of events; comes: the head of the packet comes into a router.
    enum class what : std::uint8_t { injected, comes, consumed, dropped };
    /// An event of a packet. `place` is a node if the packet was injected or consumed, else a router; `port`
    /// is the input port by which the head came, 0 for other kinds.
    struct event {
        what is;                    ///< kind of the event
        std::uint64_t packet;       ///< number of the packet
        std::uint32_t place, port;  ///< see above
        cycle_t cycle;              ///< network cycle of the event
    };
    /// Facts about a packet.
    struct record {
        static constexpr cycle_t not_yet = ~cycle_t{0};  ///< cycle of an event that has not happened
        std::uint64_t message = 0;  ///< number of its message, in order of the injection of first packets
        /// Slot in network_view::packets(); nodes; length in flits; message class.
        std::uint32_t slot = 0, source = 0, destination = 0, flits = 0, message_class = 0;
        /// Cycles of generation, injection and end, which is consumption or drop.
        cycle_t generated = 0, injected = 0, ended = not_yet;
        std::uint32_t dropped_in = no_router;            ///< router that dropped it; no_router: none
        static constexpr std::uint32_t no_router = ~0u;  ///< the packet was not dropped
    };
    /// A flit at the end of a link.
    struct sighting {
        cycle_t cycle = record::not_yet;      ///< cycle in which it could be read there; not_yet: no flit yet
        flit what;                            ///< the flit
        std::optional<std::uint64_t> packet;  ///< number of its packet; nothing: it has none
    };

    /// Begins to log; both arguments must outlive the log. `net`: the network that `engine` runs.
    live_log(network_engine& engine, fabric& net);
    ~live_log() override;
    live_log(const live_log&) = delete;
    live_log& operator=(const live_log&) = delete;

    /// Returns the number of the packet in slot flit::packet of network_view::packets(); nothing for a copy,
    /// a packet injected before the log began, one that has ended, and a slot that does not exist.
    std::optional<std::uint64_t> number_of(std::uint32_t slot) const;
    /// Returns the facts about a packet, valid until the next injection; null: no packet has the number, or
    /// it is no longer kept. The newest 1,000,000 packets are kept, and more while older ones have not ended.
    const record* find(std::uint64_t number) const;
    std::uint64_t first_known() const { return m_first; }  ///< lowest number that find() may know
    std::uint64_t packets() const { return m_first + m_records.size(); }  ///< packets injected so far
    /// Returns the events since keep_events(true) was last called; none after keep_events(false).
    const std::vector<event>& events() const { return m_events; }
    /// Forgets all events; keeps new ones from now on if `keeps`. A new log keeps none.
    void keep_events(bool keeps) {
        m_keeps = keeps;
        m_events.clear();
    }
    /// Returns the writing and the reading end of each link, by its number.
    const std::vector<std::pair<link_end, link_end>>& links() const { return m_links; }
    /// Returns the last flit at the reading end of a link, by its index in links() (not checked).
    const sighting& seen_on(std::size_t link) const { return m_seen[link]; }

    /// Returns the number of the packet whose flit came last into a port of a router, if that was in cycle
    /// `when`; else, or if the packet has no number, nothing.
    std::optional<std::uint64_t> came_into(std::uint32_t router, std::uint32_t port, cycle_t when) const;

    /// Notes that the head of the packet in a slot came into a router by a port in cycle `now`. Call it for
    /// routers in RTL, since the network does not tell of flits into these. No effect without a number.
    void head_came(std::uint32_t slot, std::uint32_t router, std::uint32_t port, cycle_t now);

    /// @name Calls of the network
    /// @{
    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override;
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override;
    void message_consumed(const message_record& m, cycle_t) override { m_messages.message_consumed(m); }
    void packet_dropped(std::uint32_t router, const packet& p, cycle_t now) override;
    void flit_arrives(std::uint32_t link, const flit& f, const packet& p, cycle_t now) override;
    /// @}

  private:
    static constexpr std::size_t kept = 1'000'000;  ///< records of packets that are kept
    std::uint32_t slot_of(const packet& p) const;
    record* end(const packet& p, cycle_t now);
    void note(what is, std::uint64_t packet, std::uint32_t place, std::uint32_t port, cycle_t now) {
        if (m_keeps) m_events.push_back({is, packet, place, port, now});
    }

    network_engine& m_engine;
    fabric& m_net;
    std::vector<std::pair<link_end, link_end>> m_links;  ///< see links()
    std::vector<sighting> m_seen;                        ///< see seen_on()
    std::vector<std::uint64_t> m_numbers;                ///< number + 1 of the packet in each slot; 0: none
    message_numbers m_messages;
    std::deque<record> m_records;  ///< packets by number, from m_first on
    std::uint64_t m_first = 0;     ///< see first_known()
    bool m_keeps = false;          ///< true: new events are kept
    std::vector<event> m_events;   ///< see events()
};

}  // namespace sare
