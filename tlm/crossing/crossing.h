// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/crossing/gateway.h"

namespace sare {

/// Parameters of a crossing; its constructor checks the ranges.
struct crossing_params {
    std::uint32_t depth = 8;   ///< flits that the FIFO of each message class and direction holds; 1 to 65,535
    std::uint32_t stages = 2;  ///< flip-flops of each synchroniser; 1 to 1,024
};

/// A link between two networks with clocks of their own: for each direction and message class an asynchronous
/// FIFO between a gateway of each network. A packet for the other network is sent to the gateway of its own
/// network, and leaves the gateway of the other network as a message, flit by flit: its head may leave before
/// its tail has come. Packets of a class cross one after another, in the order of their heads.
class crossing : public sc_core::sc_module {
  public:
    /// Joins gateways `a` and `b`, which must outlive the crossing. Reports the SystemC error
    /// "/sare/crossing", and joins nothing, if both have one engine, one of them is joined already, their
    /// networks have different numbers of message classes, or `params` is out of range. A flit of one network
    /// becomes one flit of the other, whatever `flit_bytes` is.
    crossing(const sc_core::sc_module_name& name, gateway& a, gateway& b, const crossing_params& params = {});

    const char* kind() const override { return "sare::crossing"; }
    /// Prints to `out` name, kind, the two gateways, and the number of flits in each FIFO.
    void dump(std::ostream& out = std::cout) const override;

    /// True if no flit is in the FIFOs or waits in a gateway for a place in a FIFO, or if nothing is joined.
    bool empty() const;

  private:
    using fifos = std::vector<async_fifo<crossing_flit>>;
    /// Returns why the gateways cannot be joined, as a text for users; "" if they can.
    std::string wrong_with(const gateway& a, const gateway& b, const crossing_params& params) const;

    /// SystemC process: recalculates both directions after a change of a clock's period.
    void clock_changed();

    /// Gateways that are joined; null: none.
    gateway *m_a = nullptr, *m_b = nullptr;
    fifos m_to_b, m_to_a;  ///< FIFOs from a to b, and from b to a; by message class
};

}  // namespace sare
