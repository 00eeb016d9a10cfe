// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload/message.h"
#include "tlm/router_api/injection_port.h"

#include <cstdint>
#include <string>

namespace sare {

struct route_header;

/// Functions by which routers copy, drop and count packets, and reach the source queues of nodes.
class packet_service {
  public:
    /// Makes a copy of the packet in slot `id`, which has come to router `r` by port `in`, with the header
    /// `way` and the same length and message. Returns the slot of the copy. The caller sends the copy's flits
    /// on, the head with router_context::head_number(). The message is complete when its copies have arrived,
    /// too; message_events::packet_delivered() is called for each of them. References into
    /// router_context::packets() become invalid.
    virtual packet_id copy(router_id r, port_id in, packet_id id, const route_header& way) = 0;
    /// Ends the packet in slot `id` at router `r`, which must have all flits of the packet that are left in
    /// the network; frees the slot. The message of the packet is never delivered, and the workload is told.
    /// `cause`: name under which statistics count the drop; `port`: output port that the packet waited for,
    /// or no_port.
    virtual void drop(router_id r, packet_id id, const std::string& cause,
                      std::uint32_t port = drop_location::no_port) = 0;
    /// Counts a packet of `flits` flits that leaves by an emergency route (a detour around a blocked link).
    virtual void count_detour(std::uint32_t flits) = 0;
    /// Source queues of the nodes, for routers that own the injection queues.
    virtual injection_port& injection() = 0;

  protected:
    ~packet_service() = default;
};

}  // namespace sare
