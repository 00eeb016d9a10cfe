// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/arbiter/arbiter.h"

namespace sare {

/// Arbitration policy `round_robin`: serves the first requester after the one served last, and number 0 after
/// the highest number. Routers compile it in, since nearly all runs use it.
struct round_robin_policy {
    /// Returns 0: the policy needs no memory beside the requester served last.
    static std::uint32_t words(const arbiter_size&) { return 0; }
    /// True if requester `challenger` comes before requester `holder` in the turn that begins after `last`,
    /// the requester served last; `challenger` must be the higher number.
    static bool beats(std::uint32_t last, std::uint32_t challenger, std::uint32_t holder) {
        return holder <= last && challenger > last;
    }
    /// True if requester `challenger` comes before `holder` in the turn of arbiter `a`; any two numbers.
    bool beats(const arbiter_state& a, std::uint32_t challenger, std::uint32_t holder,
               const arbiter_requests&) const {
        return a.distance(challenger) < a.distance(holder);
    }
    /// Returns the first requester of the mask `requests`, not 0, in the turn that begins after requester
    /// `last`.
    static std::uint32_t pick(std::uint32_t last, std::uint64_t requests) {
        return round_robin(requests, last);
    }
    /// Does nothing: arbiter_of notes the requester served last.
    void served(const arbiter_state&, std::uint32_t, const arbiter_requests&) const {}
};

}  // namespace sare
