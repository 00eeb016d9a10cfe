// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload/message.h"

#include <string>

namespace sare {

/// Calls by which the network tells a workload what has become of its messages. By default a workload ignores
/// them.
class message_events {
  public:
    /// Called when a message has arrived whole, in the cycle in which its last flit is consumed.
    virtual void delivered(const delivery& d) { (void)d; }
    /// Called by the default dropped_at() for each dropped packet of message `m`. The message is never
    /// delivered, though its other packets go on. `cause`: a name from namespace loss
    /// (tlm/api/packet_changes.h), or a word of the router's own.
    virtual void dropped(const message& m, const std::string& cause) { (void)m, (void)cause; }
    /// Called by the network for each dropped packet of message `m`; of several processes that run it, only
    /// the process that sent the message is told, and only of drops there. The default calls dropped()
    /// without the place.
    virtual void dropped_at(const message& m, const std::string& cause, const drop_location& at) {
        (void)at;
        dropped(m, cause);
    }
    /// Called when a message with a dropped packet has ended: none of its packets is in the network any more.
    /// Every message ends once, by lost() or by delivered().
    virtual void lost(const message& m) { (void)m; }
    /// Called for each packet of message `m` that has arrived whole at `node`, if wants_packets(). Where
    /// routers copy packets, `node` may differ from m.destination. Calls of a cycle come in ascending order
    /// of nodes. `injected`: cycle in which the packet's first flit entered the network.
    virtual void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) {
        (void)m, (void)node, (void)injected, (void)now;
    }
    /// Called once for each traffic_port::call_when_queued(): the source queue of `node` and `message_class`
    /// holds no more messages than the level given there.
    virtual void queue_space(std::uint32_t node, std::uint32_t message_class) {
        (void)node, (void)message_class;
    }

  protected:
    ~message_events() = default;
};

}  // namespace sare
