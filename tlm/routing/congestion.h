// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>

namespace sare {

/// Congestion as a routing function sees it when a router asks for a packet's route: this router as it is in
/// the current cycle, other routers as they were some cycles ago. All results are in flits; VCs are numbered
/// from VC 0 of the port. Numbers of ports and VCs are not checked. The *queue* of an output port is
/// what schemes like UGAL compare (Singh 2005; Kim et al., ISCA 2008): the places taken in the buffers behind
/// the port, over all its VCs, plus the flits in this router that wait for the port.
class congestion_view {
  public:
    virtual ~congestion_view() = default;

    virtual cycle_t now() const = 0;  ///< present network cycle
    /// Returns the number of free places in the buffer behind an output VC, that is its credits; 0 for a port
    /// without a link.
    virtual std::uint32_t free(std::uint32_t port, std::uint32_t vc) const = 0;
    /// Returns the number of places in the buffer behind an output VC that are not free(). They are taken by
    /// flits in it or on the link, or their credit is on its way back.
    virtual std::uint32_t used(std::uint32_t port, std::uint32_t vc) const = 0;
    /// Returns the number of flits in those input buffers of this router whose first packet leaves by output
    /// `port`, or asks for it now. The buffer of the packet whose route is asked for does not count.
    virtual std::uint32_t waiting(std::uint32_t port) const = 0;
    /// Returns the number of flits in the buffer of an input VC of this router.
    virtual std::uint32_t held(std::uint32_t port, std::uint32_t vc) const = 0;
    /// Returns the queue of an output port of this router: used() of all its VCs plus waiting().
    virtual std::uint32_t queue(std::uint32_t port) const = 0;
    /// Returns the queue of an output port of any router, as it was at the end of network cycle now() -
    /// routing_function::board_delay(); 0 before the first cycle. Throws std::logic_error if board_delay()
    /// is 0.
    virtual std::uint32_t told(std::uint32_t router, std::uint32_t port) const = 0;
};

}  // namespace sare
