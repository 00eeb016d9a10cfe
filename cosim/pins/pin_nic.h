// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <optional>
#include <vector>

namespace sare::cosim {

/// The NIC of a node at its pins, a cycle at a time: the model's, or RTL. Flits carry numbers of a
/// packet_table.
class pin_nic {
  public:
    virtual ~pin_nic() = default;

    /// Shows a flit of each class, or none, and the credits (VCs, a bit each) that have come back. The
    /// classes (a bit each, one at most) whose flit leaves in this cycle.
    virtual std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) = 0;
    /// A flit comes in from the router, before offer() of its cycle. Throws rtl_error, with the name of the
    /// pin, unless the node gets it as it is in the same cycle.
    virtual void accept(const flit& f) = 0;
    /// Ends cycle `t`, the first of which is number 1.
    virtual void clock(cycle_t t) = 0;
    /// After clock(): the flit that goes on to the link, and the VCs (a bit each) that get a credit.
    virtual std::optional<flit> sent() = 0;
    virtual std::uint32_t credits() const = 0;
    /// After sent(), of RTL: throws rtl_error, with the name of the pin, where the header of the head on the
    /// link is not that of its packet.
    virtual void check_header() const {}
    /// After the last cycle: `final` blocks of RTL. Throws rtl_error.
    virtual void finish() {}
};

}  // namespace sare::cosim
