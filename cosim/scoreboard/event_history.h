// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"

#include <deque>
#include <string>

namespace sare::cosim {

/// Returns a flit as text: VC, packet, place in it.
std::string text(const flit& f, const carried_packet& p);

/// The last events at the ports of a router, to be shown with an error.
class event_history {
  public:
    /// `packets` must outlive it.
    event_history(std::uint32_t ports, const packet_table& packets) : m_packets(packets), m_events(ports) {}

    void note_in(cycle_t t, std::uint32_t port, const port_in& in);
    void note_out(cycle_t t, std::uint32_t port, const port_out& out);

    std::string text_of(const flit& f) const { return text(f, m_packets[f.packet]); }

    /// Returns the last events at a port, a line each, oldest first; without any, those at all ports.
    std::vector<std::string> at(std::uint32_t port) const;
    /// Returns the last events at all ports together, as many lines.
    std::vector<std::string> everywhere() const;

  private:
    static constexpr std::size_t length = 12;
    struct event {
        cycle_t at;
        const char* what;
        std::uint32_t port;
        bool is_flit;
        flit data;
        carried_packet packet;  ///< as it is now, since its number is soon another's
        std::uint32_t credits;
    };
    void note(const event& e);
    static std::string text_of(const event& e);

    const packet_table& m_packets;
    std::vector<std::deque<event>> m_events;  ///< by port
};

}  // namespace sare::cosim
