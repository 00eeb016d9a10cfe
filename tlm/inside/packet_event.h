// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>

/// Events of packets, and causes of waits; docs/inside.md defines them for each kind of router.
namespace sare {

/// Reason why a flit waits in an input VC, for a cycle in which the router does not work on it: the flit at
/// the front, or for `behind` a head that is not there yet.
enum class stall_reason : std::uint8_t {
    behind,     ///< a head is not at the front: another packet is before it in the buffer of its input VC
    no_vc,      ///< every output VC that it may have is another packet's
    no_credit,  ///< no room in the next router: behind its output VC, or behind all free ones
    consumer,   ///< no room at its destination node
    lost_va,  ///< an output VC with the credits that it needs was free, but it did not get one in this cycle
    lost_sa,  ///< has an output VC and credits, and another flit had the crossbar
    link,     ///< has an output VC and credits, and the link is asleep, or busy with an earlier flit
    clock,    ///< the router has no edge: its clock stands still, or is slow and the router works on the flit
};
constexpr int stall_reasons = 8;
constexpr const char* name_of(stall_reason r) {
    constexpr const char* names[] = {"behind",  "no_vc",   "no_credit", "consumer",
                                     "lost_va", "lost_sa", "link",      "clock"};
    return names[static_cast<int>(r)];
}

/// What a waiting flit waits for.
struct blocker {
    enum class kind : std::uint8_t {
        none,    ///< nobody, or not known: the allocator left the place free, or the trace began too late
        packet,  ///< a packet, by traced_packet::number
        node,    ///< a node that takes no more flits, by its number
        sleep    ///< the link is asleep
    };
    kind is = kind::none;
    std::uint64_t number = 0;

    static blocker by_packet(std::uint64_t n) { return {kind::packet, n}; }
    bool operator==(const blocker& o) const { return is == o.is && number == o.number; }
};
constexpr const char* name_of(blocker::kind k) {
    constexpr const char* names[] = {"", "packet", "node", "sleep"};
    return names[static_cast<int>(k)];
}

/// Facts about a packet that are known to the trace.
struct traced_packet {
    /// Number of the packet in order of injection, from 0; if the trace starts in mid-run, in the order in
    /// which it first sees packets. Then the number of its message, in order of the injection of first
    /// packets, from 0; if the trace starts in mid-run, in the order in which it first sees messages.
    std::uint64_t number = 0, message = 0;
    std::uint32_t source = 0, destination = 0;  ///< node numbers
    std::uint32_t flits = 1;
    std::uint8_t message_class = 0;
};

struct packet_event {
    enum class what : std::uint8_t {
        generated,  ///< its message is made, at a node
        injected,   ///< its first flit leaves its source queue, at a node
        in,         ///< its head can be read in a router
        out,        ///< its head leaves the router's buffer: the grant of SA
        left,       ///< its tail leaves the router's buffer
        stall,      ///< one of its flits waits in a router for `cycles` cycles, for the same blocker in all
        consumed,   ///< its last flit has arrived, at a node
        dropped,    ///< it is lost in a router, or in the queue or link before it
        flit_in,    ///< a flit can be read in a router; only if the kind is asked for
        flit_out,   ///< a flit leaves the router's buffer; only if the kind is asked for
    };
    static constexpr port_number no_port = no_port_number;

    cycle_t cycle = 0;  ///< network cycle of the event; of a stall, the first
    traced_packet packet;
    /// Number of the node if at_node(), else of the router. Network cycles: length of a stall; of `out`, from
    /// the grant of its output VC; of `flit_out`, those on the way to the end of the link in which it waits
    /// for edges of the router; of `flit_in`, those before it in which it may have waited for a router whose
    /// clock stood still.
    std::uint32_t place = 0, cycles = 0;
    std::uint16_t flit = 0;  ///< number in the packet, from 0: of a stall or flit; the tail, of `left`
    what is = what::generated;
    stall_reason reason = stall_reason::behind;  ///< only of a stall
    /// Ports by which it came and that it has, and their VCs; no_port: none, as of events at nodes.
    port_number in_port = no_port, out_port = no_port;
    std::uint8_t in_vc = 0, out_vc = 0;
    blocker behind;  ///< only of a stall
    bool at_node() const { return is <= what::injected || is == what::consumed; }
};
static_assert(sizeof(packet_event) == 80);
constexpr const char* name_of(packet_event::what w) {
    constexpr const char* names[] = {"generated", "injected", "in",      "out",     "left",
                                     "stall",     "consumed", "dropped", "flit_in", "flit_out"};
    return names[static_cast<int>(w)];
}
constexpr int packet_event_kinds = 10;
/// Mask of the kinds that are told if none are named: those of packets.
constexpr std::uint32_t packet_event_usual = (1u << static_cast<int>(packet_event::what::flit_in)) - 1;

/// Takes events as they become known: events of a router in order of time, but a stall when it is over;
/// `generated` together with `injected`.
class packet_event_sink {
  public:
    virtual ~packet_event_sink() = default;
    virtual void take(const packet_event& e) = 0;
};

}  // namespace sare
