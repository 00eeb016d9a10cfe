// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/messages/matching.h"

#include <map>
#include <unordered_map>

namespace sare::traffic {

/// The order of sending_order for several processes that run a program: the sender numbers each message, and
/// the receiver knows by the number which messages come before. Both keep a count for every pair of tasks
/// that has ever exchanged a message. Functions are not inlined, which would slow down runs in one process.
class numbered_order {
  public:
    static constexpr std::uint32_t none = matching::none;

    /// Returns the number, from 0, of a message that leaves, among the messages of its two tasks and context.
    [[gnu::noinline]] std::uint32_t sent(const envelope& e) { return m_sent[way(e)]++; }
    /// Notes the arrival of `message` (the caller's number), to which sent() gave `number`. Returns false if
    /// it is held, since a message that was sent before it has not arrived.
    [[gnu::noinline]] bool came(std::uint32_t message, const envelope& e, std::uint32_t number) {
        const way its(e);
        std::uint32_t& come = m_come[its];
        if (number != come) {
            m_held.emplace(turn{its, number}, message);
            return false;
        }
        ++come;
        m_last = its;
        return true;
    }
    /// Takes out and returns the next held message whose turn has come with the message of came(); none:
    /// there is no more. Call it after came(), until it returns none.
    [[gnu::noinline]] std::uint32_t next() {
        if (m_held.empty()) return none;
        std::uint32_t& come = m_come[m_last];
        const auto found = m_held.find(turn{m_last, come});
        if (found == m_held.end()) return none;
        const std::uint32_t message = found->second;
        m_held.erase(found);
        ++come;
        return message;
    }

    template <class Archive>
    void serialize(Archive& a) {
        a(m_sent, m_come, m_held, m_last);
    }

  private:
    struct way {
        std::uint64_t pair = 0;  ///< pair of tasks
        std::uint32_t context = 0;
        way() = default;
        explicit way(const envelope& e)
            : pair(std::uint64_t{e.source} << 32 | e.destination), context(e.context) {}
        bool operator==(const way& o) const { return pair == o.pair && context == o.context; }
    };
    struct hash {
        std::size_t operator()(const way& w) const {
            return static_cast<std::size_t>((w.pair ^ std::uint64_t{w.context} << 13) * 0x9e3779b97f4a7c15U);
        }
    };
    std::unordered_map<way, std::uint32_t, hash> m_sent, m_come;
    struct turn {
        way its;
        std::uint32_t number;
        bool operator<(const turn& o) const {
            if (its.pair != o.its.pair) return its.pair < o.its.pair;
            return its.context != o.its.context ? its.context < o.its.context : number < o.number;
        }
    };
    std::map<turn, std::uint32_t> m_held;
    way m_last;
};

}  // namespace sare::traffic
