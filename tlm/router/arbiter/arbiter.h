// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/config/chosen.h"

#include <cstdint>
#include <string_view>

/// Arbiters: each picks one of several requesters (Dally & Towles, ch. 18). A policy is one file here, or in
/// a plugin, which registers it by name. Every kind of router whose arbiters can be chosen then offers it.
namespace sare {

/// Questions that an arbiter may ask about its requesters, whose numbers `i` are from 0 to
/// arbiter_size::requesters - 1. Only requesters that compete in this cycle may be named. An answer that the
/// owner of the arbiter does not know is 0 for all requesters.
class arbiter_requests {
  public:
    virtual ~arbiter_requests() = default;
    /// Cycle in which requester i's packet was generated.
    virtual std::uint64_t age(std::uint32_t i) const = 0;
    /// Returns the cycle in which requester i's packet came to the front of its queue, or a number that
    /// orders packets alike.
    virtual std::uint64_t since(std::uint32_t i) const = 0;
    virtual std::uint32_t queue(std::uint32_t i) const = 0;  ///< number of flits in requester i's queue
    virtual std::uint32_t port(std::uint32_t i) const = 0;   ///< input port from which requester i comes
    /// Message class of requester i's packet.
    virtual std::uint32_t message_class(std::uint32_t i) const = 0;
    /// Returns a random number of up to 64 bits for requester `i` in this cycle; `arbiter`: number of the
    /// arbiter in its router.
    virtual std::uint64_t random(std::uint32_t i, std::uint32_t arbiter) const = 0;
};

/// Sizes that an arbiter depends on: its number of requesters, the number of ports of its router, the number
/// of message classes.
struct arbiter_size {
    std::uint32_t requesters, ports, classes;
};

/// Memory of one arbiter, kept by the router: the requester served last, and words that the policy uses as it
/// likes. At first `*last` is `size` - 1, so that requester 0 is the next in turn, and all words are 0.
struct arbiter_state {
    std::uint16_t* last;      ///< points to the number of the requester served last
    std::uint32_t* words;     ///< memory for the policy alone; see own_words
    std::uint32_t size;       ///< number of requesters
    std::uint32_t number;     ///< number of the arbiter in its router
    std::uint32_t own_words;  ///< number of elements at `words`: the answer of arbiter::words()

    /// Returns the number of turns, in round-robin order, from the requester served last to requester `i`: 1
    /// for the next requester, `size` for the one served last.
    std::uint32_t distance(std::uint32_t i) const { return i > *last ? i - *last : i + size - *last; }
};

/// An arbitration policy, shared by any number of arbiters, whose memory the router keeps (arbiter_state).
/// This memory changes in served() only: a requester loses its priority when it is served, not when it is
/// picked (iSLIP; Dally & Towles, section 19.3).
class arbiter {
  public:
    /// Word for such a policy in messages to users; name of the policy that is the default.
    static constexpr const char *kind = "arbiter", *usual = "round_robin";

    virtual ~arbiter() = default;
    /// Returns the number of 32-bit words of memory that the policy needs for an arbiter of this size.
    virtual std::uint32_t words(const arbiter_size& size) const = 0;
    /// True if arbiter `a` prefers requester `challenger` to requester `holder`. Routers compare the
    /// requesters one by one, in the order in which they find them; `holder` has won so far.
    virtual bool beats(const arbiter_state& a, std::uint32_t challenger, std::uint32_t holder,
                       const arbiter_requests& of) const = 0;
    /// Returns the winner among the requesters of the mask `requests` (bit i: requester i, below 64), not 0.
    virtual std::uint32_t pick(const arbiter_state& a, std::uint64_t requests,
                               const arbiter_requests& of) const = 0;
    /// Notes in the memory `a` that requester `winner` has been served.
    virtual void served(const arbiter_state& a, std::uint32_t winner, const arbiter_requests& of) const = 0;
};

using arbiter_registry = config::registry<arbiter>;  ///< registry of the arbitration policies, by name

/// Base class of `Policy`, a policy that serves the requester with the lowest rank; if ranks are equal, the
/// one that is compared first. `Policy` must have rank(state, requester, requests), and its own words() and
/// served() if it remembers more than the requester served last.
template <class Policy>
struct by_rank {
    static std::uint32_t words(const arbiter_size&) { return 0; }
    bool beats(const arbiter_state& a, std::uint32_t challenger, std::uint32_t holder,
               const arbiter_requests& of) const {
        const auto& policy = static_cast<const Policy&>(*this);
        const std::uint64_t to_beat = policy.rank(a, holder, of);  // first, as ranks may be drawn
        return policy.rank(a, challenger, of) < to_beat;
    }
    void served(const arbiter_state&, std::uint32_t, const arbiter_requests&) const {}
};

/// Makes an `arbiter` of the class `Policy`, which must have words(), beats() and served() with the
/// parameters of those of `arbiter`; pick() compares all requesters by beats().
template <class Policy>
class arbiter_of final : public arbiter {
  public:
    explicit arbiter_of(Policy policy = {}) : m_policy(std::move(policy)) {}
    std::uint32_t words(const arbiter_size& size) const override { return m_policy.words(size); }
    bool beats(const arbiter_state& a, std::uint32_t challenger, std::uint32_t holder,
               const arbiter_requests& of) const override {
        return m_policy.beats(a, challenger, holder, of);
    }
    std::uint32_t pick(const arbiter_state& a, std::uint64_t requests,
                       const arbiter_requests& of) const override {
        auto best = static_cast<std::uint32_t>(lowest(requests));
        for (std::uint64_t rest = requests & (requests - 1); rest != 0; rest &= rest - 1)
            if (m_policy.beats(a, static_cast<std::uint32_t>(lowest(rest)), best, of))
                best = static_cast<std::uint32_t>(lowest(rest));
        return best;
    }
    void served(const arbiter_state& a, std::uint32_t winner, const arbiter_requests& of) const override {
        m_policy.served(a, winner, of);
        *a.last = static_cast<std::uint16_t>(winner);
    }

  private:
    Policy m_policy;
};

/// Registers a policy without parameters: define a constant of this type. `Policy`: as for arbiter_of.
template <class Policy>
class arbiter_registration {
  public:
    /// `name`: name of the policy in configurations; `sentence`: its description for users.
    arbiter_registration(std::string_view name, std::string_view sentence)
        : m_registered(
              name, sentence, config::schema<config::no_parameters>(),
              [](const config::no_parameters&, const config::value&) { return new arbiter_of<Policy>(); }) {}

  private:
    config::registration<arbiter> m_registered;
};

}  // namespace sare
