// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// A layer between a workload and the network that adds packets of its own: copies and acknowledgements. Its
/// counts are of the workload inside alone, while the network's counts of injected and consumed flits contain
/// the added packets as well.
class own_traffic {
  public:
    virtual ~own_traffic() = default;
    /// Traffic that the workload inside has generated at a node, without refused messages (see
    /// refusing_workload). `messages` counts packets, each once however often it is sent; a message not cut
    /// into packets yet counts as one.
    virtual generated_counts made(std::uint32_t node) const = 0;
    /// The share of a message class in made().
    virtual generated_counts made_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Flits of the workload inside that a node has accepted, each once: no copies, no acknowledgements.
    virtual std::uint64_t useful_flits(std::uint32_t node) const = 0;
};

}  // namespace sare
