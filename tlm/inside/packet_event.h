// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>

/// What a packet does, and what it waits for; docs/inside.md says it for each kind of router.
namespace sare {

/// Why the flit at the front of an input VC stays there for a cycle in which it was not being worked on.
enum class stall_reason : std::uint8_t {
    behind,     ///< of a head: another packet is in front of it
    no_vc,      ///< every output VC that it may have is another packet's
    no_credit,  ///< no room beyond, in the next router: in its output VC, or in those that are free
    consumer,   ///< the same at the node that it is for
    lost_va,    ///< there was an output VC for it, but not in this cycle
    lost_sa,    ///< has an output VC and credits, and another flit had the crossbar
    link,       ///< the same, and its link is busy with a flit before, being narrow, or asleep
};
constexpr int stall_reasons = 7;
constexpr const char* name_of(stall_reason r) {
    constexpr const char* names[] = {"behind",  "no_vc",   "no_credit", "consumer",
                                     "lost_va", "lost_sa", "link"};
    return names[static_cast<int>(r)];
}

/// Of a packet, as long as what looks on knows it.
struct traced_packet {
    std::uint64_t number = 0;                   ///< in order of injection, from 0
    std::uint64_t message = 0;                  ///< in order of the injection of its first packet, from 0
    std::uint32_t source = 0, destination = 0;  ///< nodes
    std::uint32_t flits = 1;
    std::uint8_t message_class = 0;
};

struct packet_event {
    enum class what : std::uint8_t {
        generated,  ///< its message, at a node
        injected,   ///< its first flit leaves its source queue, at a node
        in,         ///< its head can be read in a router
        out,        ///< its head leaves the router's buffer: the grant of SA
        left,       ///< its tail does
        stall,      ///< a flit of it waits in a router for `cycles` cycles
        consumed,   ///< all of it has come, at a node
        dropped,    ///< it is lost in a router, or in the queue or link before it
        flit_in,    ///< one of its flits can be read in a router; told only if it is named
        flit_out,   ///< one of them leaves the router's buffer; likewise
    };
    static constexpr std::uint8_t no_port = 0xff;

    cycle_t cycle = 0;  ///< of a stall: its first
    traced_packet packet;
    std::uint32_t place = 0;   ///< router or node
    std::uint32_t cycles = 0;  ///< of a stall
    std::uint16_t flit = 0;    ///< of a stall or a flit: which one of the packet, from 0
    what is = what::generated;
    stall_reason reason = stall_reason::behind;   ///< of a stall
    std::uint8_t in_port = no_port, in_vc = 0;    ///< of a router: where it came in
    std::uint8_t out_port = no_port, out_vc = 0;  ///< the output VC that it has; no_port: none
    bool at_node() const { return is <= what::injected || is == what::consumed; }
};
static_assert(sizeof(packet_event) == 56);
constexpr const char* name_of(packet_event::what w) {
    constexpr const char* names[] = {"generated", "injected", "in",      "out",     "left",
                                     "stall",     "consumed", "dropped", "flit_in", "flit_out"};
    return names[static_cast<int>(w)];
}
constexpr int packet_event_kinds = 10;
/// A bit for each kind that is told where none is named: those of packets.
constexpr std::uint32_t packet_event_usual = (1u << static_cast<int>(packet_event::what::flit_in)) - 1;

/// Takes events as they become known: of a router in order of time, but stalls when they are over;
/// `generated` with `injected`.
class packet_event_sink {
  public:
    virtual ~packet_event_sink() = default;
    virtual void take(const packet_event& e) = 0;
};

}  // namespace sare
