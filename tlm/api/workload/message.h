// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>

namespace sare {

/// A message, as an application sends it. The NIC of its source cuts it into packets of at most
/// nic.max_packet_flits flits.
struct message {
    std::uint32_t source = 0;  ///< source node
    /// Destination node; if it is the source, the message goes through the source's router.
    std::uint32_t destination = 0;
    /// Length in flits, 1 or more, packet headers included: traffic_port::flits_for().
    std::uint32_t flits = 1;
    /// Message class, below traffic_port::classes(); for example 0 for requests and 1 for replies.
    std::uint32_t message_class = 0;
    /// Cycle in which the message was generated, the present one or earlier (not checked); its latency counts
    /// from this cycle.
    cycle_t generated = 0;
    /// Value for the workload's own use, handed back with the delivery or loss. If memory or CHI bridges
    /// share the network, its highest bit must be 0.
    std::uint64_t tag = 0;
    /// Value of `bytes` for a message whose size is given in flits only: all its flits are full of data.
    static constexpr std::uint64_t in_flits = ~std::uint64_t{0};
    /// Number of bytes of data, or in_flits; only the contention-free model reads it, to find how long links
    /// are busy.
    std::uint64_t bytes = in_flits;
};

/// A message that has arrived whole.
struct delivery {
    message what;          ///< the message as sent; `flits` rounded up to whole packets if its NIC pads
    cycle_t injected = 0;  ///< cycle in which its first flit entered the network
    cycle_t consumed = 0;  ///< cycle in which its last flit left the network: the present one
};

/// Place at which a packet was dropped.
struct drop_location {
    static constexpr std::uint32_t no_port = 0xffffffff;  ///< value of `port`: no output had been chosen
    std::uint32_t router = 0;                             ///< router at which the packet was
    /// Output port for which the packet waited, or on whose link it was; or no_port.
    std::uint32_t port = no_port;
    std::uint8_t phase = 0;  ///< route_header::phase of the packet when it came to the router
    bool on_link = false;    ///< true: the packet was on the link of `port`, which failed
};

/// A number of messages, and of flits: usually those that a workload has generated. A message counts from the
/// cycle in which it is generated, which may be before the workload sends it: a saturated source keeps
/// waiting messages as a mere count.
struct generated_counts {
    std::uint64_t messages = 0;  ///< number of messages
    std::uint64_t flits = 0;     ///< flits of all these messages

    generated_counts& operator+=(const generated_counts& more) {
        messages += more.messages;
        flits += more.flits;
        return *this;
    }
};

}  // namespace sare
