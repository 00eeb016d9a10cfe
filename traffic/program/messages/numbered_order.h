// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/messages/matching.h"

#include <map>
#include <unordered_map>

namespace sare::traffic {

/// The order in which messages from one task to another, in one context (envelope::context), are matched if
/// several processes run a program: the order of sending, as MPI demands. The sender numbers its messages,
/// and the receiver knows by the number whether earlier ones are missing; then it holds the message. Both
/// store a count for every pair of tasks and context that has ever exchanged a message. Functions are not
/// inlined, which would slow down runs in one process.
class numbered_order {
  public:
    /// Value for no message.
    static constexpr std::uint32_t none = matching::none;

    /// Returns the number of a message that leaves, counted from 0 among the messages of the same source,
    /// destination and context.
    [[gnu::noinline]] std::uint32_t sent(const envelope& e) { return m_sent[way(e)]++; }
    /// Takes the arrival of `message` (a number by which the caller knows it), to which sent() gave `number`.
    /// Returns true if its turn has come; false if the message is held, since an earlier one has not arrived.
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
    /// Removes the next message that was held and whose turn has come since the last came() returned true,
    /// and returns it; none: there is none. Call it after each such came(), until it returns none.
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
    /// Source, destination and context of messages.
    struct way {
        std::uint64_t pair = 0;  ///< source << 32 | destination
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
    /// Number of the next message that leaves, and of the next one whose turn comes, by way.
    std::unordered_map<way, std::uint32_t, hash> m_sent, m_come;
    /// A held message, by its way and number.
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
