// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/crossing/gateway.h"

namespace sare {

struct crossing_params {
    std::uint32_t depth = 8;   ///< flits of the FIFO of a message class and direction; 1 to 65,535
    std::uint32_t stages = 2;  ///< flip-flops of each synchroniser; 1 to 1,024
};

/// A link between two networks of different clocks: an asynchronous FIFO for each direction and message
/// class, between a gateway of each network. A packet for the other network is sent to the gateway, and
/// leaves the other gateway as a message of that network, flit by flit: its head leaves before its tail has
/// come. Packets of a class cross one after another, in the order of their heads.
class crossing : public sc_core::sc_module {
  public:
    /// Joins gateways of two engines with as many message classes each, which must outlive it; else reports
    /// "/sare/crossing". A flit stays one flit, whatever `flit_bytes` is.
    crossing(const sc_core::sc_module_name& name, gateway& a, gateway& b, const crossing_params& params = {});

    const char* kind() const override { return "sare::crossing"; }
    /// Prints name, kind and content of the FIFOs.
    void dump(std::ostream& out = std::cout) const override;

    /// True if nothing is in it or in its gateways.
    bool empty() const;

  private:
    using fifos = std::vector<async_fifo<crossing_flit>>;
    std::string wrong_with(const gateway& a, const gateway& b, const crossing_params& params) const;

    void clock_changed();

    gateway *m_a = nullptr, *m_b = nullptr;
    fifos m_to_b, m_to_a;  ///< by message class
};

}  // namespace sare
