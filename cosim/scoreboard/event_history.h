// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"

#include <deque>
#include <string>

namespace sare::cosim {

/// Returns a flit as text: VC, carried_packet::uid of its packet `p`, source and destination node, place in
/// the packet, from 0, and kind (head, body, tail).
std::string text(const flit& f, const carried_packet& p);

/// The last 12 events at each port of a router, to be shown with an error. An event is a flit, or one or
/// several credits, that come in or go out in a cycle.
class event_history {
  public:
    /// `ports`: number of ports; `packets` must outlive the object.
    event_history(std::uint32_t ports, const packet_table& packets) : m_packets(packets), m_events(ports) {}

    /// Stores the flit and the credits that come in at port `port` in cycle `t`; note_out() those that go
    /// out. Stores nothing if there are none.
    void note_in(cycle_t t, std::uint32_t port, const port_in& in);
    void note_out(cycle_t t, std::uint32_t port, const port_out& out);

    /// Returns text(f, p) for a flit whose packet `p` is in the packet table.
    std::string text_of(const flit& f) const { return text(f, m_packets[f.packet]); }

    /// Returns the events at a port, one a line, the oldest first; if there were none, everywhere().
    std::vector<std::string> at(std::uint32_t port) const;
    /// Returns the last 12 events of all ports together, one a line, the oldest first; fewer if there were
    /// fewer.
    std::vector<std::string> everywhere() const;

  private:
    static constexpr std::size_t length = 12;
    /// An event at a port in cycle `at`; `what`: "flit in", "credits out" and so on.
    struct event {
        cycle_t at;
        const char* what;
        std::uint32_t port;
        bool is_flit;
        flit data;
        carried_packet packet;  ///< copy of the flit's packet, since the number of the packet may soon be
                                ///< another packet's
        std::uint32_t credits;  ///< VCs that get a credit, as a mask with VC 0 in bit 0
    };
    void note(const event& e);
    static std::string text_of(const event& e);

    const packet_table& m_packets;
    std::vector<std::deque<event>> m_events;  ///< events of each port, the oldest first
};

}  // namespace sare::cosim
