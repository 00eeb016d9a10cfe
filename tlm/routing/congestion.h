// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Congestion as a routing function sees it when a packet asks a router for its route: this router as it is
/// in the current cycle, other routers as they were some cycles ago. All results are in flits; VCs have their
/// absolute numbers. The *queue* of an output port is what schemes like UGAL compare (Singh 2005; Kim et al.,
/// ISCA 2008): the places taken behind the port in all its VCs, plus the flits in this router that wait for
/// the port.
class congestion_view {
  public:
    virtual ~congestion_view() = default;

    /// Number of free places in the buffer behind an output VC: its credits. 0 for a port without a link.
    virtual std::uint32_t free(std::uint32_t port, std::uint32_t vc) const = 0;
    /// Number of other places in that buffer: taken by flits there or on the link, or not given back yet.
    virtual std::uint32_t used(std::uint32_t port, std::uint32_t vc) const = 0;
    /// Number of flits in this router's input buffers whose first packet leaves by an output port or asks for
    /// it (of several ports, the one asked for now). The buffer of the packet that asks for its route is left
    /// out.
    virtual std::uint32_t waiting(std::uint32_t port) const = 0;
    /// Queue of an output port of this router: used() of all its VCs plus waiting().
    virtual std::uint32_t queue(std::uint32_t port) const = 0;
    /// Queue of an output port of any router, as it was routing_function::board_delay() cycles ago. Throws
    /// std::logic_error if board_delay() is 0.
    virtual std::uint32_t told(std::uint32_t router, std::uint32_t port) const = 0;
};

}  // namespace sare
