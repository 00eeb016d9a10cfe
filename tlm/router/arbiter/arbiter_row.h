// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/arbiter/round_robin.h"

namespace sare {

/// Row of round-robin arbiters with the functions of arbiter_row, for code that is compiled for round robin
/// alone; `make` is not called.
struct round_robin_row {
    std::uint16_t* last;  ///< requester served last, by arbiter

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

/// Several arbiters of one policy, with `size` requesters each, and pointers to their memory, which the
/// router owns. Round robin is compiled in, and asks nothing about requesters. For another policy the
/// functions call `make()`, which must return an arbiter_requests for the policy's questions. Arbiters `a`
/// are numbered from 0 in the row; numbers are not checked.
struct arbiter_row {
    std::uint16_t* last;              ///< requester served last, by arbiter
    std::uint32_t size;               ///< number of requesters of each arbiter
    const arbiter* policy = nullptr;  ///< policy of all arbiters of the row; null: round robin
    /// Memory of the policy (arbiter_state::words), at [arbiter * words_each].
    std::uint32_t* words = nullptr;
    std::uint32_t words_each = 0;  ///< number of words of each arbiter
    /// Number, in its router, of arbiter 0 of the row: a multiple of 1,024 below 8,192. Arbiters 0 to 1,023
    /// of the row have consecutive numbers; arbiter a + 1,024 has the number of a plus 8,192.
    std::uint32_t first_number = 0;

    /// True if arbiter `a` prefers requester `challenger` to `holder`, which has the lower number. Requesters
    /// must be compared in ascending order.
    template <class Make>
    bool beats(std::uint32_t a, std::uint32_t challenger, std::uint32_t holder, Make&& make) const {
        if (policy == nullptr) return round_robin_policy::beats(last[a], challenger, holder);
        return policy->beats(state(a), challenger, holder, make());
    }

    /// Returns the winner at arbiter `a` among the requesters of the mask `requests` (bit i: requester i,
    /// below 64), not 0 (not checked).
    template <class Make>
    std::uint32_t pick(std::uint32_t a, std::uint64_t requests, Make&& make) const {
        if (policy == nullptr) return round_robin_policy::pick(last[a], requests);
        return policy->pick(state(a), requests, make());
    }

    /// Tells arbiter `a` that requester `winner` has been served.
    template <class Make>
    void served(std::uint32_t a, std::uint32_t winner, Make&& make) const {
        if (policy == nullptr)
            last[a] = static_cast<std::uint16_t>(winner);
        else
            policy->served(state(a), winner, make());
    }

  private:
    /// Returns the memory and the number of arbiter `a` of the row.
    arbiter_state state(std::uint32_t a) const {
        const std::uint32_t number = first_number + (a & 0x3ff) + (a >> 10 << 13);
        return {last + a, words + std::size_t{a} * words_each, size, number, words_each};
    }
};

}  // namespace sare
