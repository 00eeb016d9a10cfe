// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>

namespace sare {

/// What a bank of routers can do so that the same results come in less time. A bank that has it says so by
/// router_bank::accelerate_by(); no other kind of router needs to know of it.
class router_acceleration {
  public:
    virtual ~router_acceleration() = default;
    /// Returns true if the bank looks through its inboxes in every cycle, so that writers need not wake its
    /// routers. All that would wake a router is then in its words of the table (see link_ring.h), at most
    /// two.
    virtual bool looks_through_inboxes() const = 0;
    /// Returns the number of cycles ahead of its grant that a flit may be written to its wire.
    virtual std::uint32_t write_ahead() const = 0;
    /// Runs cycle `t`, which has work, and later ones before cycle `before`, as long as only routers of the
    /// bank are awake; nothing else of the network's cycle is run. `endpoint_words`: number of words of the
    /// bits to wake. Returns the cycle after the last one run; `t` if none was run.
    virtual cycle_t run_alone(cycle_t t, cycle_t before, std::uint32_t endpoint_words) = 0;
    /// Forgets cycles that are stored modulo 2^32. Called whenever bit 31 of the cycle changes, after cycle
    /// `now`; the last cycle that was run is `now`, or so long ago that everything under way has come.
    virtual void forget_times(cycle_t now) = 0;
};

}  // namespace sare
