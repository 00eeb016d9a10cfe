// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/run/foreign_endpoint.h"
#include "tlm/router_api/link_ring.h"

#include <cstdint>

namespace sare {

class network_state;

/// A foreign endpoint with its wires.
struct foreign_block_state {
    foreign_endpoint* block;
    std::uint32_t inbox = 0;  ///< word of a plane
    port_wires wires;
    port_extras extras;
};

/// What foreign blocks send in cycle `at`, the current one or a later one. `foreign`: the number that
/// network_builder::add_foreign() returned. Unknown numbers are std::out_of_range.
class foreign_port {
  public:
    explicit foreign_port(network_state& net) : m_net(net) {}
    void write_flit(std::uint32_t foreign, const flit& f, cycle_t at);
    void write_credit(std::uint32_t foreign, std::uint32_t vc, cycle_t at);

  private:
    network_state& m_net;
};

}  // namespace sare
