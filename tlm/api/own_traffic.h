// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// A workload between another one and the network that sends packets of its own, copies or acknowledgements:
/// it tells what is the other one's, which what nodes inject and consume does not.
class own_traffic {
  public:
    virtual ~own_traffic() = default;
    /// What the other one has made, but for what it was refused: packets, each once, where a message that is
    /// not in packets yet is one; flits.
    virtual generated_counts made(std::uint32_t node) const = 0;
    virtual generated_counts made_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Flits that came to a node for the other one.
    virtual std::uint64_t useful_flits(std::uint32_t node) const = 0;
};

}  // namespace sare
