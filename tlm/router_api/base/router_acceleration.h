// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>

namespace sare {

/// Interface of banks that can give the same results in less time than by one call of step() in each cycle.
/// Such a bank calls router_bank::accelerate_by(); other kinds of routers need not know of this class.
class router_acceleration {
  public:
    virtual ~router_acceleration() = default;
    /// Returns true if the bank finds arrivals by looking through its inboxes in every cycle, so that writers
    /// need not wake its routers. Each arrival that would wake a router then sets a bit in the one or two
    /// words that the router has in the table (see link_ring.h).
    virtual bool looks_through_inboxes() const = 0;
    /// Returns the most cycles before its switch grant in which a flit may be written to its wire; 0: never
    /// before the grant.
    virtual std::uint32_t write_ahead() const = 0;
    /// Runs cycle `t`, in which a router must be awake, and the cycles that follow, as long as only routers
    /// of the bank are awake. Nothing else of the network is run in these cycles. `before`: first cycle that
    /// must not be run. `endpoint_words`: number of words in a plane that hold the bits to wake of routers,
    /// NICs and foreign blocks. Returns the cycle after the last one that was run; `t` if none was run.
    virtual cycle_t run_alone(cycle_t t, cycle_t before, std::uint32_t endpoint_words) = 0;
    /// Forgets cycle numbers that are stored modulo 2^32, so that old numbers are not taken for new ones.
    /// Called whenever bit 31 of the cycle number changes, after cycle `now`. The last cycle that was run is
    /// `now`, or is so far in the past that everything under way has arrived.
    virtual void forget_times(cycle_t now) = 0;
};

}  // namespace sare
