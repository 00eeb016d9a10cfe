// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

namespace sare {

/// Receives events of packets and messages, for statistics and packet logs: a call a packet, not a flit.
class observer {
  public:
    virtual ~observer() = default;
    /// Source `node` begins to inject packet `p` in cycle `now`.
    virtual void packet_injected(std::uint32_t node, const packet& p, cycle_t now) = 0;
    /// Packet `p` has arrived whole at its destination `node` in cycle `now`. For one with bit errors
    /// packet_dropped() is called instead.
    virtual void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) = 0;
    /// The last packet of message `m` has just been consumed, and none of its packets was dropped.
    virtual void message_consumed(const message_record& m, cycle_t now) = 0;
    /// May be called in the place of packet_consumed() and message_consumed() for a message of one packet; as
    /// it stands here it calls both. (Not
    /// inlined: the compiler shall not ask whether it is this one before every call.)
    __attribute__((noinline)) virtual void single_packet_message_consumed(std::uint32_t node, const packet& p,
                                                                          const message_record& m,
                                                                          cycle_t now) {
        packet_consumed(node, p, now);
        message_consumed(m, now);
    }
    /// Packet `p` is dropped in cycle `now`. `router`: where it was; of a link that fails, the router where
    /// the link begins; in a NIC or on the link of a node, the node's router. network_reset::all(), which
    /// drops everything, does not call it.
    virtual void packet_dropped(std::uint32_t router, const packet& p, cycle_t now) {
        (void)router, (void)p, (void)now;
    }
};

/// Receives every flit on the links between routers, and between routers and nodes. Slow: not for statistics.
class flit_observer {
  public:
    virtual ~flit_observer() = default;
    /// Flit `f` of packet `p` reaches the end of a link: `now` is the cycle in which it can be read there.
    /// `link`: index in the names that network_engine::observe_flits() returned.
    virtual void flit_arrives(std::uint32_t link, const flit& f, const packet& p, cycle_t now) = 0;
};

/// Is called after each cycle, when the state of all routers can be read as it is after that cycle; also
/// after cycles that the engine jumps over, as long as credits can still arrive in them. Slow: not for
/// statistics.
class cycle_observer {
  public:
    virtual ~cycle_observer() = default;
    virtual void cycle_over(cycle_t t) = 0;  ///< cycle `t` has been run
    /// A reset before cycle `t` has taken some or all packets out of the network.
    virtual void packets_taken_out(cycle_t t) { (void)t; }
};

}  // namespace sare
