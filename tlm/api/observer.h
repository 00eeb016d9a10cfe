// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

namespace sare {

/// Receives events of packets and messages, for statistics and packet logs. An observer must not change the
/// network.
class observer {
  public:
    virtual ~observer() = default;
    /// Called when source `node` injects the first flit of packet `p`, in cycle `now`.
    virtual void packet_injected(std::uint32_t node, const packet& p, cycle_t now) = 0;
    /// Called when packet `p` has arrived whole at its destination `node`, in cycle `now`. For a packet with
    /// bit errors packet_dropped() is called instead.
    virtual void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) = 0;
    /// Called when the last packet of message `m` has been consumed, after packet_consumed() for that packet,
    /// unless a packet of the message was dropped.
    virtual void message_consumed(const message_record& m, cycle_t now) = 0;
    /// May be called in the place of packet_consumed() and message_consumed() for a message of one packet;
    /// the default calls these two. It is not inlined, so that the compiler does not compare the called
    /// function with this default before each call.
    __attribute__((noinline)) virtual void single_packet_message_consumed(std::uint32_t node, const packet& p,
                                                                          const message_record& m,
                                                                          cycle_t now) {
        packet_consumed(node, p, now);
        message_consumed(m, now);
    }
    /// Called when packet `p` is dropped in cycle `now`. `router`: router at which the packet was. For a
    /// packet on a link that fails it is the router where the link begins; for a packet in a NIC or on the
    /// link of a node, the node's router. Not called by network_reset::all(), which drops every packet.
    virtual void packet_dropped(std::uint32_t router, const packet& p, cycle_t now) {
        (void)router, (void)p, (void)now;
    }
};

/// Receives every flit on the links between routers, and between routers and nodes: a call for each flit and
/// hop, too slow for statistics.
class flit_observer {
  public:
    virtual ~flit_observer() = default;
    /// Called when flit `f` of packet `p` reaches the end of a link; `now` is the cycle in which the block
    /// there can read it. `link`: index in the names that network_engine::observe_flits() returned.
    virtual void flit_arrives(std::uint32_t link, const flit& f, const packet& p, cycle_t now) = 0;
};

/// Observer that is called after each cycle, when the state of all routers can be read. For idle cycles that
/// the engine skips it is called only as long as credits can still arrive in them. Too slow for statistics.
class cycle_observer {
  public:
    virtual ~cycle_observer() = default;
    virtual void cycle_over(cycle_t t) = 0;  ///< called when cycle `t` is over
    /// Called when a reset or a failure before cycle `t` has taken packets out of the network.
    virtual void packets_taken_out(cycle_t t) { (void)t; }
};

}  // namespace sare
