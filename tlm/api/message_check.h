// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <string>

namespace sare {

/// Returns which number of a message is out of range in a network of `nodes` nodes and `classes` message
/// classes, on one line without its subject ("to node 9, and there are 4"); "" if none is.
std::string wrong_with(const message& m, std::uint32_t nodes, std::uint32_t classes);
/// Throws std::out_of_range with that text, after "a message ", unless all numbers are in range.
void check_message(const message& m, std::uint32_t nodes, std::uint32_t classes);

/// Base class of workloads each of whose messages must be one packet: workload::largest_message() is checked
/// against the packets of NICs.
class single_packet_workload {
  public:
    virtual ~single_packet_workload() = default;
};

}  // namespace sare
