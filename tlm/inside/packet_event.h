// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>

/// Events of packets, and causes of waits; docs/inside.md defines them for each kind of router.
namespace sare {

/// Reason why a flit waits in an input VC, for a cycle in which the router does not work on it: the flit at
/// the front of the VC, or for `behind` a head that is not at the front yet.
enum class stall_reason : std::uint8_t {
    behind,     ///< another packet is before the head in the buffer of its input VC
    no_vc,      ///< every output VC that the head may have is another packet's
    no_credit,  ///< too few credits of the packet's output VC or, for a head without one, of all free ones
    consumer,   ///< too few credits, as no_credit, of an output that leads to the packet's destination node
    lost_va,    ///< an output VC with the credits that the head needs was free, but the head did not get it
    lost_sa,    ///< the flit has an output VC and credits, and another flit had the crossbar
    link,       ///< the flit has an output VC and credits; the link is asleep, or busy with an earlier flit
    clock,  ///< no edge of the router's clock: it stands still, or is slow and the router works on the flit
};
constexpr int stall_reasons = 8;  ///< number of reasons
/// Returns the name of the enumerator.
constexpr const char* name_of(stall_reason r) {
    constexpr const char* names[] = {"behind",  "no_vc",   "no_credit", "consumer",
                                     "lost_va", "lost_sa", "link",      "clock"};
    return names[static_cast<int>(r)];
}

/// The packet, node or link that a waiting flit waits for.
struct blocker {
    /// Kinds of blockers.
    enum class kind : std::uint8_t {
        none,    ///< nobody (the allocator left VC or switch free), or not known (the trace began too late)
        packet,  ///< a packet
        node,    ///< a node that takes no more flits
        sleep    ///< the link, which is asleep
    };
    kind is = kind::none;      ///< kind of the blocker
    std::uint64_t number = 0;  ///< traced_packet::number of the packet, or number of the node; else 0

    /// Returns the blocker that is the packet with number `n`.
    static blocker by_packet(std::uint64_t n) { return {kind::packet, n}; }
    bool operator==(const blocker& o) const { return is == o.is && number == o.number; }
};
/// Returns the name of the enumerator; "" for `none`.
constexpr const char* name_of(blocker::kind k) {
    constexpr const char* names[] = {"", "packet", "node", "sleep"};
    return names[static_cast<int>(k)];
}

/// Facts about a packet that are known to the trace.
struct traced_packet {
    /// Numbers of the packet and of its message, from 0: in order of injection (of a message's first packet).
    /// If the trace starts in mid-run, they are in the order in which it first sees packets and messages.
    std::uint64_t number = 0, message = 0;
    std::uint32_t source = 0, destination = 0;  ///< numbers of the nodes
    std::uint32_t flits = 1;                    ///< length of the packet in flits
    std::uint8_t message_class = 0;             ///< class of the message, from 0
};

/// An event of a packet in a router or at a node.
struct packet_event {
    /// Kinds of events.
    enum class what : std::uint8_t {
        generated,  ///< the packet's message is made, at a node
        injected,   ///< the packet's first flit leaves its source queue, at a node
        in,         ///< the head is in a router's input buffer: first cycle in which it can be read
        out,        ///< the head leaves the router's buffer: the grant of switch allocation
        left,       ///< the tail leaves the router's buffer
        stall,      ///< a flit waits in a router for `cycles` cycles, in all of them for the same blocker
        consumed,   ///< the packet's last flit has arrived, at a node
        dropped,    ///< the packet is lost in a router, or in the queue or link before the router
        flit_in,    ///< a flit is in a router's input buffer, as for `in`; not told by default
        flit_out,   ///< a flit leaves the router's buffer; not told by default
    };
    static constexpr port_number no_port = no_port_number;  ///< no port

    cycle_t cycle = 0;     ///< network cycle of the event; of a stall, the first
    traced_packet packet;  ///< packet of the event
    /// place: number of the node if at_node(), else of the router. cycles: a number of network cycles: the
    /// length of a stall; of `out`, from the grant of the output VC; of `flit_out`, on the way to the end of
    /// the link in which the flit waits for edges of the router; of `flit_in`, just before it, in which the
    /// flit may have waited for a router whose clock stood still; else 0.
    std::uint32_t place = 0, cycles = 0;
    std::uint16_t flit = 0;  ///< number of the flit in the packet, from 0: of stall, left, flit_in, flit_out
    what is = what::generated;                   ///< kind of the event
    stall_reason reason = stall_reason::behind;  ///< reason of a stall; no meaning for other kinds
    /// Port by which the packet came, and output port that it has; no_port: none, as at nodes.
    port_number in_port = no_port, out_port = no_port;
    std::uint8_t in_vc = 0, out_vc = 0;  ///< VCs of these ports
    blocker behind;                      ///< blocker of the flit of a stall; no meaning for other kinds
    /// True if the event happens at a node, not in a router.
    bool at_node() const { return is <= what::injected || is == what::consumed; }
};
static_assert(sizeof(packet_event) == 80);
/// Returns the name of the enumerator.
constexpr const char* name_of(packet_event::what w) {
    constexpr const char* names[] = {"generated", "injected", "in",      "out",     "left",
                                     "stall",     "consumed", "dropped", "flit_in", "flit_out"};
    return names[static_cast<int>(w)];
}
constexpr int packet_event_kinds = 10;  ///< number of kinds of events
/// Set of the kinds that are told by default, bit k for kind k: all but flit_in and flit_out.
constexpr std::uint32_t packet_event_usual = (1u << static_cast<int>(packet_event::what::flit_in)) - 1;

/// Interface of a consumer of events.
class packet_event_sink {
  public:
    virtual ~packet_event_sink() = default;
    /// Takes an event as soon as it is known: events of a router in order of time, but a stall when it is
    /// over; `generated` just before `injected`, in the cycle of injection.
    virtual void take(const packet_event& e) = 0;
};

}  // namespace sare
