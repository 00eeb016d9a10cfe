// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <optional>
#include <vector>

namespace sare::cosim {

/// The NIC of a node at its pins, cycle by cycle: the model's, or RTL. In each cycle the caller calls
/// accept() if a flit comes, then offer(), clock(), sent(), credits() and check_header(). flit::packet is a
/// number in a packet_table. A set of VCs or classes is a mask with number 0 in bit 0.
class pin_nic {
  public:
    virtual ~pin_nic() = default;

    /// Offers one flit, or none, of each message class (`flits`, by class), and gives the VCs (`credits`)
    /// that get a credit back from the router. Returns a mask with the bit of the class whose flit leaves in
    /// this cycle; 0 if none does.
    virtual std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) = 0;
    /// Brings in a flit from the router. Throws rtl_error, with the name of the pin, unless the NIC hands the
    /// flit unchanged to the node in the same cycle.
    virtual void accept(const flit& f) = 0;
    /// Ends cycle `t`; cycles count from 1.
    virtual void clock(cycle_t t) = 0;
    /// Returns the flit that goes on to the link in the cycle that clock() has ended; nothing if none does.
    virtual std::optional<flit> sent() = 0;
    /// Returns the VCs from the router that get a credit in the cycle that clock() has ended.
    virtual std::uint32_t credits() const = 0;
    /// Checks the header of the head that sent() has returned, where the link is RTL. Throws rtl_error, with
    /// the name of the pin, unless it is the header of the packet.
    virtual void check_header() const {}
    /// Runs the `final` blocks of the RTL; call after the last cycle. Throws rtl_error if one reports an
    /// error.
    virtual void finish() {}
};

}  // namespace sare::cosim
