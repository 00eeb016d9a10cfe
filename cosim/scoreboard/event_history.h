// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"

#include <deque>
#include <string>

namespace sare::cosim {

/// Returns a flit as text: VC, packet with its nodes, place in it, and kind (head, body, tail).
std::string text(const flit& f, const carried_packet& p);

/// The last 12 events at each port of a router, to be shown with an error. An event is a flit or credits that
/// come in or go out.
class event_history {
  public:
    /// `packets` must outlive it.
    event_history(std::uint32_t ports, const packet_table& packets) : m_packets(packets), m_events(ports) {}

    /// Note the events of cycle `t` at a port.
    void note_in(cycle_t t, std::uint32_t port, const port_in& in);
    void note_out(cycle_t t, std::uint32_t port, const port_out& out);

    std::string text_of(const flit& f) const { return text(f, m_packets[f.packet]); }

    /// Returns the events at a port, a line each, oldest first; if there are none, everywhere().
    std::vector<std::string> at(std::uint32_t port) const;
    /// Returns the last 12 events at all ports together, a line each, oldest first.
    std::vector<std::string> everywhere() const;

  private:
    static constexpr std::size_t length = 12;
    struct event {
        cycle_t at;
        const char* what;
        std::uint32_t port;
        bool is_flit;
        flit data;
        carried_packet packet;  ///< copy of its packet, whose number another packet may soon get
        std::uint32_t credits;  ///< mask of VCs, VC 0 in bit 0
    };
    void note(const event& e);
    static std::string text_of(const event& e);

    const packet_table& m_packets;
    std::vector<std::deque<event>> m_events;  ///< by port
};

}  // namespace sare::cosim
