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

/// Numbers packets in order of injection, and keeps what each link has carried last and what happened in the
/// last cycles, for a debugger. It knows packets that were injected while it exists; copies that routers make
/// have no number.
class live_log final : public observer, public flit_observer {
  public:
    enum class what : std::uint8_t { injected, comes, consumed, dropped };
    /// Something that a packet did. `place` is a node if it was injected or consumed, else a router; `port`
    /// is the input port by which its head came.
    struct event {
        what is;
        std::uint64_t packet;
        std::uint32_t place, port;
        cycle_t cycle;
    };
    struct record {
        static constexpr cycle_t not_yet = ~cycle_t{0};
        std::uint64_t message = 0;  ///< number of its message, in order of the injection of first packets
        std::uint32_t slot = 0, source = 0, destination = 0, flits = 0, message_class = 0;
        cycle_t generated = 0, injected = 0, ended = not_yet;
        std::uint32_t dropped_in = no_router;  ///< router that dropped it
        static constexpr std::uint32_t no_router = ~0u;
    };
    /// A flit at the end of a link.
    struct sighting {
        cycle_t cycle = record::not_yet;  ///< cycle in which it could be read there; not_yet: none has come
        flit what;
        std::optional<std::uint64_t> packet;  ///< number of its packet
    };

    /// Begins to log; both arguments must outlive the log.
    live_log(network_engine& engine, fabric& net);
    ~live_log() override;
    live_log(const live_log&) = delete;
    live_log& operator=(const live_log&) = delete;

    /// Number of the packet in a slot of the pool; none: a copy, or the packet was injected before.
    std::optional<std::uint64_t> number_of(std::uint32_t slot) const;
    /// What is known of a packet; null: no such number, or it ended more than `kept` packets ago.
    const record* find(std::uint64_t number) const;
    std::uint64_t first_known() const { return m_first; }                 ///< lowest number that find() knows
    std::uint64_t packets() const { return m_first + m_records.size(); }  ///< packets injected so far
    /// Events since keep_events(true) was last called; none after keep_events(false).
    const std::vector<event>& events() const { return m_events; }
    void keep_events(bool keeps) {
        m_keeps = keeps;
        m_events.clear();
    }
    /// Links: their ends, and what was seen at the reading end.
    const std::vector<std::pair<link_end, link_end>>& links() const { return m_links; }
    const sighting& seen_on(std::size_t link) const { return m_seen[link]; }

    /// Number of the packet whose flit came into a port of a router in cycle `when`; none: none is known.
    std::optional<std::uint64_t> came_into(std::uint32_t router, std::uint32_t port, cycle_t when) const;

    /// Notes that a head came into a router by a port; the network does not tell of flits into foreign
    /// blocks.
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
    static constexpr std::size_t kept = 1'000'000;  ///< records of packets
    std::uint32_t slot_of(const packet& p) const;
    record* end(const packet& p, cycle_t now);
    void note(what is, std::uint64_t packet, std::uint32_t place, std::uint32_t port, cycle_t now) {
        if (m_keeps) m_events.push_back({is, packet, place, port, now});
    }

    network_engine& m_engine;
    fabric& m_net;
    std::vector<std::pair<link_end, link_end>> m_links;
    std::vector<sighting> m_seen;          ///< by link
    std::vector<std::uint64_t> m_numbers;  ///< number + 1 of the packet in each slot; 0: none
    message_numbers m_messages;
    std::deque<record> m_records;  ///< by number, from m_first on
    std::uint64_t m_first = 0;
    bool m_keeps = false;
    std::vector<event> m_events;
};

}  // namespace sare
