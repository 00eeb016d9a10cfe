// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

namespace sare {

/// Is told of packets and messages: statistics and packet logs. Called once a packet, not once a flit.
class observer {
  public:
    virtual ~observer() = default;
    virtual void packet_injected(std::uint32_t node, const packet& p, cycle_t now) = 0;
    virtual void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) = 0;
    virtual void message_consumed(const message_record& m, cycle_t now) = 0;
    /// Instead of both, where the packet is all of its message. (Not inlined: the compiler shall not ask
    /// whether it is this one before every call.)
    __attribute__((noinline)) virtual void single_packet_message_consumed(std::uint32_t node, const packet& p,
                                                                          const message_record& m,
                                                                          cycle_t now) {
        packet_consumed(node, p, now);
        message_consumed(m, now);
    }
    /// It is lost in a router, or in the queue or link before it.
    virtual void packet_dropped(std::uint32_t router, const packet& p, cycle_t now) {
        (void)router, (void)p, (void)now;
    }
};

/// Sees every flit on the links between routers, and between them and nodes: slow, so not for
/// statistics.
class flit_observer {
  public:
    virtual ~flit_observer() = default;
    /// A flit of `p` is at the end of a link, in the cycle in which it can be read there.
    virtual void flit_arrives(std::uint32_t link, const flit& f, const packet& p, cycle_t now) = 0;
};

/// Looks into routers when a cycle is over, and everything as it is seen "after the current cycle". Of cycles
/// that are jumped over it is told those in which anything can change. Slow, as above.
class cycle_observer {
  public:
    virtual ~cycle_observer() = default;
    virtual void cycle_over(cycle_t t) = 0;
    /// A reset before cycle `t` has taken packets out of the network, or all of them.
    virtual void packets_taken_out(cycle_t t) { (void)t; }
};

}  // namespace sare
