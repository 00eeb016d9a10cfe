// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <optional>
#include <vector>

namespace sare::cosim {

/// The NIC of a node at its pins, a cycle at a time: the model's, or RTL. flit::packet is a number in a
/// packet_table. A set of VCs or classes is a mask, number 0 in bit 0.
class pin_nic {
  public:
    virtual ~pin_nic() = default;

    /// Offers a flit, or none, of each message class (`flits`, by class), and gives the VCs whose `credits`
    /// have come back. Returns the class whose flit leaves in this cycle, as a mask; 0 if none does.
    virtual std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) = 0;
    /// Brings a flit in from the router, before offer() of the same cycle. Throws rtl_error, with the name of
    /// the pin, unless the NIC hands the flit unchanged to the node in the same cycle.
    virtual void accept(const flit& f) = 0;
    /// Ends cycle `t`; the first cycle is number 1.
    virtual void clock(cycle_t t) = 0;
    /// Returns the flit that goes on to the link in the cycle that clock() ended, if there is one.
    virtual std::optional<flit> sent() = 0;
    /// Returns the VCs that get a credit in the cycle that clock() ended.
    virtual std::uint32_t credits() const = 0;
    /// Checks, after sent(), the header of the head on an RTL link. Throws rtl_error, with the name of the
    /// pin, unless the header is that of the packet.
    virtual void check_header() const {}
    /// Runs `final` blocks of RTL, after the last cycle. Throws rtl_error.
    virtual void finish() {}
};

}  // namespace sare::cosim
