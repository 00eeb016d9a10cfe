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
    virtual void arrives(const link_flit& f) = 0;
    /// Offers a flit of each class, with a mask of VCs that have `credits`. Returns the taken one's class as
    /// a mask.
    virtual std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) = 0;
    /// Returns the flit for the node in a class, in the cycles after it arrived.
    virtual stream_flit received(std::uint32_t message_class) const = 0;
    /// Ends the cycle. `taken`: mask of the classes whose flit the node takes.
    virtual void clock(std::uint32_t taken) = 0;
    /// Returns the flit on the link to the router.
    virtual std::optional<link_flit> sent() const = 0;
    /// Returns a mask of the VCs in which a place has become free.
    virtual std::uint32_t credits() const = 0;
    /// @}

    /// Only RTL: throws rtl_error, with the pin, if the header of the head on the link is not its offer's.
    virtual void check_header() const {}
    /// Call after the last cycle: runs `final` blocks of RTL. Throws rtl_error.
    virtual void finish() {}
};

}  // namespace sare::axi
