// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/config/chosen.h"

#include <cstdint>
#include <string_view>

/// Arbiters: each picks one of several requesters (Dally & Towles, ch. 18). A policy is one file here, or in
/// a plugin, which registers it by name; every kind of router that lets an arbiter be chosen has it then.
namespace sare {

/// What an arbiter may ask of those that compete, which are numbers below arbiter_size::requesters. What a
/// kind of router does not know of a requester is 0, the same for all.
class arbiter_requests {
  public:
    virtual ~arbiter_requests() = default;
    virtual std::uint64_t age(std::uint32_t i) const = 0;    ///< the cycle in which its packet was generated
    virtual std::uint64_t since(std::uint32_t i) const = 0;  ///< since when it has been first in its queue
    virtual std::uint32_t queue(std::uint32_t i) const = 0;  ///< flits in its queue
    virtual std::uint32_t port(std::uint32_t i) const = 0;   ///< the input that it is at
    virtual std::uint32_t message_class(std::uint32_t i) const = 0;
    /// A number drawn for this request at arbiter number `arbiter` of the router, in this cycle.
    virtual std::uint64_t random(std::uint32_t i, std::uint32_t arbiter) const = 0;
};

struct arbiter_size {
    std::uint32_t requesters, ports, classes;
};

/// What one arbiter remembers: who was served last, and words of its own, which are 0 at first. At first the
/// one served last is the last requester, so that number 0 is the next.
struct arbiter_state {
    std::uint16_t* last;
    std::uint32_t* words;
    std::uint32_t size;       ///< requesters
    std::uint32_t number;     ///< of the arbiter, in its router
    std::uint32_t own_words;  ///< as many as arbiter::words() says

    /// How far requester i is behind the one served last: 1 is the next in turn.
    std::uint32_t distance(std::uint32_t i) const { return i > *last ? i - *last : i + size - *last; }
};

/// A policy. Its state changes only when its pick is served: only then does that lose its priority (iSLIP;
/// Dally & Towles, section 19.3).
class arbiter {
  public:
    static constexpr const char *kind = "arbiter", *usual = "round_robin";

    virtual ~arbiter() = default;
    virtual std::uint32_t words(const arbiter_size& size) const = 0;
    /// Whether `challenger` beats `holder`: requests are arbitrated as they come.
    virtual bool beats(const arbiter_state& a, std::uint32_t challenger, std::uint32_t holder,
                       const arbiter_requests& of) const = 0;
    /// The winner among `requests` (not empty, members below 64).
    virtual std::uint32_t pick(const arbiter_state& a, std::uint64_t requests,
                               const arbiter_requests& of) const = 0;
    /// Its pick has been served.
    virtual void served(const arbiter_state& a, std::uint32_t winner, const arbiter_requests& of) const = 0;
};

using arbiter_registry = config::registry<arbiter>;

/// A policy that serves the lowest rank, of equal ones the one that came first: `Policy` has
/// rank(state, requester, requests), and words() and served() if it remembers more than the last one.
template <class Policy>
struct by_rank {
    static std::uint32_t words(const arbiter_size&) { return 0; }
    bool beats(const arbiter_state& a, std::uint32_t challenger, std::uint32_t holder,
               const arbiter_requests& of) const {
        const auto& policy = static_cast<const Policy&>(*this);
        const std::uint64_t to_beat = policy.rank(a, holder, of);  // first: ranks may be drawn
        return policy.rank(a, challenger, of) < to_beat;
    }
    void served(const arbiter_state&, std::uint32_t, const arbiter_requests&) const {}
};

/// A policy as an arbiter: `Policy` has words(), beats() and served(), all of them inlined here.
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

/// Registers a policy without parameters.
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
