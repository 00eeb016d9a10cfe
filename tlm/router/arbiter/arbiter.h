// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/config/chosen.h"

#include <cstdint>
#include <string_view>

/// Arbiters: each picks one of several requesters (Dally & Towles, ch. 18). A policy is one file here, or in
/// a plugin, which registers it by name. Every kind of router whose arbiters can be chosen then offers it.
namespace sare {

/// What an arbiter may ask about its requesters, which have numbers below arbiter_size::requesters. Only
/// requesters that ask in this cycle may be named. Where a kind of router does not know an answer, it is 0
/// for all of them.
class arbiter_requests {
  public:
    virtual ~arbiter_requests() = default;
    virtual std::uint64_t age(std::uint32_t i) const = 0;  ///< cycle in which the packet was generated
    /// Cycle in which the packet came to the front of its queue.
    virtual std::uint64_t since(std::uint32_t i) const = 0;
    virtual std::uint32_t queue(std::uint32_t i) const = 0;  ///< number of flits in the requester's queue
    virtual std::uint32_t port(std::uint32_t i) const = 0;   ///< input port of the requester
    virtual std::uint32_t message_class(std::uint32_t i) const = 0;  ///< message class of the packet
    /// Returns a random number for requester `i` in this cycle; `arbiter`: number of the arbiter in its
    /// router.
    virtual std::uint64_t random(std::uint32_t i, std::uint32_t arbiter) const = 0;
};

/// Number of requesters of an arbiter, number of ports of its router, and number of message classes.
struct arbiter_size {
    std::uint32_t requesters, ports, classes;
};

/// Memory of one arbiter: the requester served last, and words of the policy's own. At the beginning the last
/// requester counts as served last, so that number 0 is the next in turn, and all words are 0.
struct arbiter_state {
    std::uint16_t* last;      ///< number of the requester served last
    std::uint32_t* words;     ///< words of the policy's own
    std::uint32_t size;       ///< number of requesters
    std::uint32_t number;     ///< number of the arbiter in its router
    std::uint32_t own_words;  ///< number of these words, see arbiter::words()

    /// Returns the number of turns from the requester served last to requester `i`: 1 for the next one,
    /// `size` for that one itself.
    std::uint32_t distance(std::uint32_t i) const { return i > *last ? i - *last : i + size - *last; }
};

/// An arbitration policy. The memory of an arbiter changes only when the requester that it has picked is
/// served; only then does the requester lose its priority (iSLIP; Dally & Towles, section 19.3).
class arbiter {
  public:
    /// Kind of these policies in texts; name of the default one.
    static constexpr const char *kind = "arbiter", *usual = "round_robin";

    virtual ~arbiter() = default;
    /// Returns the number of words of memory that an arbiter of this size needs for itself.
    virtual std::uint32_t words(const arbiter_size& size) const = 0;
    /// True if `challenger` is to be served rather than `holder`. Routers compare requesters one by one, in
    /// the order in which they find them.
    virtual bool beats(const arbiter_state& a, std::uint32_t challenger, std::uint32_t holder,
                       const arbiter_requests& of) const = 0;
    /// Returns the winner among `requests`, a mask, not 0, of requesters below 64.
    virtual std::uint32_t pick(const arbiter_state& a, std::uint64_t requests,
                               const arbiter_requests& of) const = 0;
    /// Notes that the picked requester `winner` has been served.
    virtual void served(const arbiter_state& a, std::uint32_t winner, const arbiter_requests& of) const = 0;
};

using arbiter_registry = config::registry<arbiter>;  ///< arbitration policies by name

/// Base class of a policy that serves the requester with the lowest rank; of equal ranks the one that is
/// compared first. `Policy` must have rank(state, requester, requests). It must have words() and served(),
/// too, if it remembers more than the requester served last.
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

/// Arbiter made of a policy. `Policy` must have words(), beats() and served(), which are inlined here.
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

/// Registers a policy without parameters, by a constant; `Policy` as for arbiter_of.
template <class Policy>
class arbiter_registration {
  public:
    arbiter_registration(std::string_view name, std::string_view sentence)
        : m_registered(
              name, sentence, config::schema<config::no_parameters>(),
              [](const config::no_parameters&, const config::value&) { return new arbiter_of<Policy>(); }) {}

  private:
    config::registration<arbiter> m_registered;
};

}  // namespace sare
