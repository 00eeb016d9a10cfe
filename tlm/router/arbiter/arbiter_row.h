// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/arbiter/round_robin.h"

namespace sare {

/// Row of round-robin arbiters, with the functions of arbiter_row, for code that is compiled for round robin
/// alone.
struct round_robin_row {
    std::uint16_t* last;  ///< by arbiter, as in arbiter_state

    template <class Make>
    bool beats(std::uint32_t a, std::uint32_t challenger, std::uint32_t holder, Make&&) const {
        return round_robin_policy::beats(last[a], challenger, holder);
    }
    template <class Make>
    std::uint32_t pick(std::uint32_t a, std::uint64_t requests, Make&&) const {
        return round_robin_policy::pick(last[a], requests);
    }
    template <class Make>
    void served(std::uint32_t a, std::uint32_t winner, Make&&) const {
        last[a] = static_cast<std::uint16_t>(winner);
    }
};

/// Row of equal arbiters of `size` requesters each, with their memory. Round robin is compiled in, and asks
/// nothing about requesters. For other policies `make()` returns what they may ask, an arbiter_requests.
struct arbiter_row {
    std::uint16_t* last;  ///< by arbiter, as in arbiter_state
    std::uint32_t size;
    const arbiter* policy = nullptr;  ///< null: round robin
    std::uint32_t* words = nullptr;   ///< words of the policy, at [arbiter * words_each]
    std::uint32_t words_each = 0;
    std::uint32_t first_number = 0;  ///< number of arbiter 0 of the row in its router

    /// True if arbiter a serves `challenger` rather than `holder`, which is lower. Requests are compared in
    /// ascending order, as they are found.
    template <class Make>
    bool beats(std::uint32_t a, std::uint32_t challenger, std::uint32_t holder, Make&& make) const {
        if (policy == nullptr) return round_robin_policy::beats(last[a], challenger, holder);
        return policy->beats(state(a), challenger, holder, make());
    }

    /// Returns the winner at arbiter a among `requests`, a mask of requesters below 64 that is not 0.
    template <class Make>
    std::uint32_t pick(std::uint32_t a, std::uint64_t requests, Make&& make) const {
        if (policy == nullptr) return round_robin_policy::pick(last[a], requests);
        return policy->pick(state(a), requests, make());
    }

    /// Tells arbiter a that its pick has been served.
    template <class Make>
    void served(std::uint32_t a, std::uint32_t winner, Make&& make) const {
        if (policy == nullptr)
            last[a] = static_cast<std::uint16_t>(winner);
        else
            policy->served(state(a), winner, make());
    }

  private:
    arbiter_state state(std::uint32_t a) const {
        return {last + a, words + std::size_t{a} * words_each, size, first_number + a, words_each};
    }
};

}  // namespace sare
