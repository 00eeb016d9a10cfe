// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/arbiter/round_robin.h"

namespace sare {

/// A row of round-robin arbiters: as arbiter_row, for what is compiled for these alone.
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

/// A row of equal arbiters of up to `size` requesters each, with their state. Round robin is compiled in, and
/// asks nothing; for other policies `make()` gives what they may ask of the requesters, an arbiter_requests.
struct arbiter_row {
    std::uint16_t* last;  ///< by arbiter, as in arbiter_state
    std::uint32_t size;
    const arbiter* policy = nullptr;  ///< null: round robin
    std::uint32_t* words = nullptr;   ///< [arbiter][words_each]
    std::uint32_t words_each = 0;
    std::uint32_t first_number = 0;

    /// Whether `challenger` beats `holder` (< challenger) at arbiter a: with it requests are arbitrated as
    /// they come, in ascending order.
    template <class Make>
    bool beats(std::uint32_t a, std::uint32_t challenger, std::uint32_t holder, Make&& make) const {
        if (policy == nullptr) return round_robin_policy::beats(last[a], challenger, holder);
        return policy->beats(state(a), challenger, holder, make());
    }

    /// The winner among `requests` (not empty, members below 64) at arbiter a.
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
