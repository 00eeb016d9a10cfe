// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <cstdint>

namespace sare {

/// The links of routers, for router_model::make_banks() and while the bank is wired.
class link_terms {
  public:
    /// Return the link that begins at an output port, and the one that ends at an input port; null for a port
    /// that leads nowhere.
    virtual const connection* link_from(std::uint32_t router, std::uint32_t port) const = 0;
    virtual const connection* link_into(std::uint32_t router, std::uint32_t port) const = 0;
    /// Delays of a link in cycles of its writer. `forward`: from the grant of a flit until the receiver reads
    /// it; `backward`: from a credit that the receiver gives until the sender can use it. Between two clocks
    /// each counts only up to the crossing.
    struct wire_delays {
        std::uint32_t forward, backward;
    };
    virtual wire_delays delays_of(const connection& c) const = 0;
    /// Least number of cycles of the writer from one flit to the next; between two clocks no fewer than the
    /// reader needs.
    virtual std::uint32_t cycles_per_flit(const connection& c) const = 0;
    /// Places at the receiving end of a link, in flits. `depth`: most flits of one VC; `pool`: number of
    /// these places that the VCs share; `pauses`: the receiver pauses VCs.
    struct buffer_places {
        std::uint32_t depth, pool;
        bool pauses;

        /// True if the sender has more to count than the credits of each VC.
        bool needs_more_than_credits() const { return pool != 0 || pauses; }
    };
    virtual buffer_places places_at(const connection& c) const = 0;

  protected:
    ~link_terms() = default;
};

}  // namespace sare
