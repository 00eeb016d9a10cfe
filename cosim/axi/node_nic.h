// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "tlm/api/packet.h"

#include <optional>
#include <vector>

namespace sare::axi {

/// The NIC of an AXI node, sare_nic_inject and sare_nic_receive: the model's, or RTL. Its flits carry data.
class node_nic {
  public:
    /// A flit that a class has to send.
    struct offer {
        stream_flit flit;
        route_header route;
        std::uint32_t length = 0;  ///< of its packet
    };
    /// What is on the link to the router, or from it.
    struct link_flit {
        bool head, tail;
        std::uint32_t vc;
        wide data;
    };
    virtual ~node_nic() = default;

    /// @name A cycle, in this order
    /// @{
    virtual void arrives(const link_flit& f) = 0;
    /// By class. The classes (a bit each, one at most) whose flit is taken; `credits`: VCs, a bit each.
    virtual std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) = 0;
    /// What stands before the node in a class; in the cycles after a flit arrived.
    virtual stream_flit received(std::uint32_t message_class) const = 0;
    /// Ends the cycle: classes, a bit each, from which the node takes its flit.
    virtual void clock(std::uint32_t taken) = 0;
    /// On the link to the router.
    virtual std::optional<link_flit> sent() const = 0;
    /// VCs, a bit each, of which a place is free again.
    virtual std::uint32_t credits() const = 0;
    /// @}

    /// Of RTL: throws rtl_error, with the name of the pin, where the header of the head on the link is not
    /// that of its offer.
    virtual void check_header() const {}
    /// After the last cycle: `final` blocks of RTL. Throws rtl_error.
    virtual void finish() {}
};

}  // namespace sare::axi
