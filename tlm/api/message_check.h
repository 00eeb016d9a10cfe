// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <string>

namespace sare {

/// Returns an error text, without its subject, if the source, destination, class or flits of `m` are out of
/// range: "to node 9, and there are 4". Returns "" for a valid message. `nodes`, `classes`: numbers of nodes
/// and message classes of the network.
std::string wrong_with(const message& m, std::uint32_t nodes, std::uint32_t classes);
/// Throws std::out_of_range "a message " + wrong_with(m, nodes, classes), unless that text is "".
void check_message(const message& m, std::uint32_t nodes, std::uint32_t classes);

/// Base class of workloads each of whose messages must be one packet. A run with largest_message() above
/// nic.max_packet_flits is refused, unless nic.pad is true.
class single_packet_workload {
  public:
    virtual ~single_packet_workload() = default;
};

}  // namespace sare
