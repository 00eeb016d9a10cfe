// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// When a router pauses a VC of an input port (priority flow control), and when the VC goes on. The sender
/// begins no packet on a VC that is paused, and ends the one that it has begun.
struct pause_rule {
    /// Flits of a VC at which it pauses if the pool is used up; 0: the router never pauses.
    std::uint32_t own = 0;
    std::uint32_t pool = 0;    ///< places that the VCs of a port share
    std::uint32_t offset = 1;  ///< flits below the threshold at which the VC goes on; 1 or more
    double alpha = 1;          ///< flits by which a free place of the pool raises the threshold
    /// Cycles from the sending of a flit until the sender is told what its arrival brings about.
    std::uint32_t round_trip = 0;

    /// True if the router pauses VCs.
    bool pauses() const { return own != 0; }
};

}  // namespace sare
