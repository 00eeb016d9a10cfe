// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"

namespace sare::cosim {

/// Interface of traffic at the pins of one router. In each cycle the caller calls inputs(), runs the router,
/// and calls outputs(), once each. The first inputs() are those of cycle 1.
class pin_traffic {
  public:
    virtual ~pin_traffic() = default;
    /// Returns the table of the packets in the router, by the numbers that flits carry (flit::packet).
    virtual packet_table& packets() = 0;
    /// Returns the inputs of the next cycle, one element for each port. `closing`: true: begin no packets
    /// (but case_traffic still sends all of its own), and give each VC a credit that it is owed. The
    /// reference is valid until the next call.
    virtual const std::vector<port_in>& inputs(bool closing = false) = 0;
    /// Takes the outputs of the cycle of the last inputs(), one element for each port. Throws
    /// std::runtime_error for a flit or credit that breaks a rule of the pins.
    virtual void outputs(const std::vector<port_out>& out) = 0;
    /// Returns true if all packets that have gone in have come out, and none is still to go in.
    virtual bool empty() const = 0;
};

/// A listener that is told the pins of a router in every cycle.
class pin_observer {
  public:
    virtual ~pin_observer() = default;
    /// Takes inputs and outputs of cycle `t`, one element for each port, with the packets to which flits
    /// belong. As plugin_run::sees, an observer gets the outputs of cycle t - 1 instead.
    virtual void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out,
                      const packet_table& packets) = 0;
};

}  // namespace sare::cosim
