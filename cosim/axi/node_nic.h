// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "tlm/api/packet.h"

#include <optional>
#include <vector>

namespace sare::axi {

/// The NIC of an AXI node, sare_nic_inject and sare_nic_receive: a model, or RTL. Its flits carry data. Masks
/// have class or VC 0 in bit 0.
class node_nic {
  public:
    /// A flit that a class has to send.
    struct offer {
        stream_flit flit;
        route_header route;
        std::uint32_t length = 0;  ///< flits of its packet
    };
    /// A flit on the link to or from the router.
    struct link_flit {
        bool head, tail;
        std::uint32_t vc;
        wide data;
    };
    virtual ~node_nic() = default;

    /// @name Functions of a cycle, in this order
    /// @{
    /// Brings a flit from the router, if one arrives in this cycle.
    virtual void arrives(const link_flit& f) = 0;
    /// Offers a flit, or none, of each class (`flits`, by class). `credits`: mask of the VCs whose credits
    /// have come back. Returns the class whose flit leaves in this cycle, as a mask; 0 if none does.
    virtual std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) = 0;
    /// Returns the flit that the NIC offers the node in a class; it stays until it is taken. Not valid: none.
    virtual stream_flit received(std::uint32_t message_class) const = 0;
    /// Ends the cycle. `taken`: mask of the classes whose flit the node takes.
    virtual void clock(std::uint32_t taken) = 0;
    /// Returns the flit that is on the link to the router at the end of the cycle; none: there is none.
    virtual std::optional<link_flit> sent() const = 0;
    /// Returns a mask of the VCs in which a place has become free in the cycle that clock() ended.
    virtual std::uint32_t credits() const = 0;
    /// @}

    /// Throws rtl_error, with the name of the pin, if the header of a head on the link is not that of its
    /// offer. Only RTL checks.
    virtual void check_header() const {}
    /// Ends the NIC; call once, after the last cycle. RTL alone: runs its `final` blocks, and throws
    /// rtl_error if an assertion fails. Model and lock step: see manager_bridge::finish().
    virtual void finish() {}
};

}  // namespace sare::axi
