// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"

namespace sare::cosim {

/// Traffic at the pins of one router. In each cycle call inputs(), run the router, call outputs().
class pin_traffic {
  public:
    virtual ~pin_traffic() = default;
    /// Returns the packets by the numbers that flits carry.
    virtual packet_table& packets() = 0;
    /// Returns the inputs of the next cycle, by port. If `closing`, no packet begins and every credit comes
    /// back.
    virtual const std::vector<port_in>& inputs(bool closing = false) = 0;
    /// Takes the outputs of the cycle, by port. Throws std::runtime_error for a flit or credit that breaks
    /// the rules.
    virtual void outputs(const std::vector<port_out>& out) = 0;
    /// True if all packets that have gone in have come out, and none waits to go in.
    virtual bool empty() const = 0;
};

/// Observer of the pins in every cycle.
class pin_observer {
  public:
    virtual ~pin_observer() = default;
    /// Takes the inputs and outputs of cycle `t`, by port.
    virtual void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out,
                      const packet_table& packets) = 0;
};

}  // namespace sare::cosim
