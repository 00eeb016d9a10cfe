// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// Interface of a layer between a workload and the network that adds packets of its own, such as
/// retransmitted copies and acknowledgements. These functions count the traffic of the workload alone; the
/// network's counts of injected and consumed packets contain the added packets as well.
class own_traffic {
  public:
    virtual ~own_traffic() = default;
    /// Returns the number of packets (as `messages`) and flits that the workload has generated at a node so
    /// far, without refused messages (see refusing_workload). A packet counts once, however often it is sent;
    /// a message that is not cut into packets yet counts as one packet.
    virtual generated_counts made(std::uint32_t node) const = 0;
    /// Returns the share of a message class in made().
    virtual generated_counts made_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Returns the packets (as `messages`) and flits of the workload that a node has accepted, each counted
    /// once however often it came: no added packets.
    virtual generated_counts useful(std::uint32_t node) const = 0;
};

}  // namespace sare
