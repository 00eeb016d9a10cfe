// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "tlm/api/packet.h"

#include <optional>
#include <vector>

namespace sare::axi {

/// The NIC of an AXI node: rtl/sare_nic_inject.sv and rtl/sare_nic_receive.sv, or their model. Its flits
/// carry data. Masks have message class or VC 0 in bit 0.
class node_nic {
  public:
    /// The next flit that a message class has to send, with the routing header of its packet.
    struct offer {
        stream_flit flit;
        route_header route;
        std::uint32_t length = 0;  ///< number of flits of its packet; RTL sees 0 without cut-through
    };
    /// A flit on the link from or to the router.
    struct link_flit {
        bool head, tail;   ///< true: first flit, and last flit, of its packet
        std::uint32_t vc;  ///< number of the VC, from 0
        wide data;
    };
    virtual ~node_nic() = default;

    /// @name Functions to be called in each cycle, in this order
    /// Takes the flit that arrives from the router; call only if one arrives, at most once in a cycle.
    virtual void arrives(const link_flit& f) = 0;
    /// Offers one flit, or none, of each message class (`flits`, by class). `credits`: VCs that get a credit
    /// back, as a mask. Returns a mask with the bit of the class whose flit leaves in this cycle; 0 if none
    /// does.
    virtual std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) = 0;
    /// Returns the flit of class `message_class`, from 0, that is the next one for the node, in each cycle
    /// until clock() takes it; not `valid` if none has arrived.
    virtual stream_flit received(std::uint32_t message_class) const = 0;
    /// Ends the cycle. `taken`: message classes, as a mask, whose received() flit the node takes.
    virtual void clock(std::uint32_t taken) = 0;
    /// Returns the flit that is on the link to the router at the end of the cycle that clock() has ended;
    /// nothing if there is none.
    virtual std::optional<link_flit> sent() const = 0;
    /// Returns the VCs, as a mask, in whose receive buffer a place has become free in the cycle that clock()
    /// has ended.
    virtual std::uint32_t credits() const = 0;
    /// @}

    /// Checks the header of the head on the link. RTL throws rtl_error, with the name of the pin, unless it
    /// is the header of the packet that was offered; the model does nothing.
    virtual void check_header() const {}
    /// Ends the run; call once, after the last cycle. Details as for manager_bridge::finish().
    virtual void finish() {}
};

}  // namespace sare::axi
