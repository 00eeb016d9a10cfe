// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// What a routing function that looks at congestion sees, when a packet asks a router for its way: that
/// router as it is in this cycle, the other ones as they were some cycles ago. In flits; VCs have their
/// absolute numbers. The *queue* of an output port is what schemes like UGAL compare (Singh 2005; Kim et al.,
/// ISCA 2008): the places taken beyond the port, in all its VCs, and the flits here that wait for it.
class congestion_view {
  public:
    virtual ~congestion_view() = default;

    /// Places of the buffer beyond an output VC that are free, by its credits; 0 where no link is.
    virtual std::uint32_t free(std::uint32_t port, std::uint32_t vc) const = 0;
    /// Its other places: with flits there or on the link, or whose credits are not back yet.
    virtual std::uint32_t used(std::uint32_t port, std::uint32_t vc) const = 0;
    /// Flits here in input buffers whose first packet leaves by that port or asks for it (of several, the
    /// port that it asks for now). The buffer whose packet is asking for its way is not among them.
    virtual std::uint32_t waiting(std::uint32_t port) const = 0;
    /// The queue of a port here: used() of all its VCs, and waiting().
    virtual std::uint32_t queue(std::uint32_t port) const = 0;
    /// The queue of a port of any router, as it was after the cycle that is routing_function::board_delay()
    /// before this one. Throws std::logic_error where that is 0.
    virtual std::uint32_t told(std::uint32_t router, std::uint32_t port) const = 0;
};

}  // namespace sare
