// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <cstdint>

namespace sare {

/// Properties of the links of routers; call the functions only in router_model::make_banks() and while the
/// bank is wired.
class link_terms {
  public:
    /// Returns the link that begins at an output port of a router; null if none does.
    virtual const connection* link_from(std::uint32_t router, std::uint32_t port) const = 0;
    /// Returns the link that ends at an input port of a router; null if none does.
    virtual const connection* link_into(std::uint32_t router, std::uint32_t port) const = 0;
    /// Delays of a link in cycles of its writer. `forward`: from the grant of a flit until the receiver reads
    /// it; `backward`: from a credit that the receiver gives until the sender can use it. On a link between
    /// two clocks both count only up to the clock_crossing.
    struct wire_delays {
        std::uint32_t forward, backward;  ///< delay of flits; delay of credits
    };
    virtual wire_delays delays_of(const connection& c) const = 0;  ///< returns the delays of the link `c`
    /// Least number of cycles of the writer from one flit on `c` to the next, 1 or more; between two clocks
    /// no fewer than the reader needs.
    virtual std::uint32_t cycles_per_flit(const connection& c) const = 0;
    /// Buffer at the receiving end of a link. `depth`: most flits of one VC; `pool`: places, in flits, among
    /// them that the VCs share; `pauses`: true if the receiver pauses VCs.
    struct buffer_places {
        std::uint32_t depth, pool;
        bool pauses;

        /// True if credits of single VCs do not tell the sender all: it must count the pool, or pauses.
        bool needs_more_than_credits() const { return pool != 0 || pauses; }
    };
    /// Returns the buffer at the receiving end of the link `c`.
    virtual buffer_places places_at(const connection& c) const = 0;

  protected:
    ~link_terms() = default;
};

}  // namespace sare
