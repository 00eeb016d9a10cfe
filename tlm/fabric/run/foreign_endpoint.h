// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/link_ring.h"

#include <cstdint>

namespace sare {

class network_state;

/// A block that is not the model's own on one of its links. It is handed what arrives, cycle by cycle, and
/// sends by a foreign_port.
class foreign_endpoint {
  public:
    virtual ~foreign_endpoint() = default;
    virtual void flit_arrived(const flit& f) = 0;
    virtual void credit_arrived(std::uint32_t vc, std::uint32_t count) = 0;
};

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
