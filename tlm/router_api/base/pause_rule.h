// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Rule by which a router pauses a VC of an input port (priority flow control) and lets it go on. A VC pauses
/// at `own` + `alpha` * (free places of the pool) flits, rounded down. The sender begins no packet on a
/// paused VC, but ends the one that it has begun.
struct pause_rule {
    /// Number of flits of a VC at which it pauses if the pool is used up; 0: the router never pauses.
    std::uint32_t own = 0;
    std::uint32_t pool = 0;    ///< places, in flits, that the VCs of a port share
    std::uint32_t offset = 1;  ///< flits below the threshold at which the VC goes on; 1 or more
    double alpha = 1;          ///< flits by which each free place of the pool raises the threshold
    /// Cycles of the sender from the grant of a flit until the sender knows of the pauses that its arrival
    /// causes: delay of the link and of a credit back.
    std::uint32_t round_trip = 0;

    /// True if the router pauses VCs.
    bool pauses() const { return own != 0; }
};

}  // namespace sare
