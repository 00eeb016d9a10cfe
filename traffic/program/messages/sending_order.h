// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/messages/matching.h"

#include <vector>

namespace sare::traffic {

/// The order in which messages from one task to another, in one context (envelope::context), are matched: the
/// order of sending, as MPI demands, in whatever order the network delivers them. A message that has
/// overtaken an earlier one is held until the earlier one has arrived. A hash table by pair of tasks whose
/// chains link only messages under way, so that other pairs take no memory.
class sending_order {
  public:
    /// Value for no message.
    static constexpr std::uint32_t none = matching::none;

    sending_order() : m_newest(64, none) {}

    /// Adds a message that leaves. `message`: a number by which the caller knows it, which no other message
    /// under way has; it is used as an index, so it should be small.
    void sent(std::uint32_t message, const envelope& e) {
        if (__builtin_expect(message >= m_room, 0)) make_room(message);
        link& x = m_links[message];
        x.pair = std::uint64_t{e.source} << 32 | e.destination;
        x.context = e.context;
        x.held = false;
        append(message, x);
    }
    /// Takes the arrival of a message that sent() has added (not checked). Returns true if its turn has come;
    /// false if the message is held, since an earlier one has not arrived.
    bool came(std::uint32_t message) {
        link& x = m_links[message];
        if (x.before != none && earlier(x) != none) {
            x.held = true;
            return false;
        }
        m_next = x.after == none ? none : later_held(x);
        take_out(x);
        return true;
    }
    /// Removes the next message that was held and whose turn has come since the last came() returned true,
    /// and returns it; none: there is none. Call it after each such came(), until it returns none.
    std::uint32_t next() {
        const std::uint32_t message = m_next;
        if (message != none) {
            link& x = m_links[message];
            m_next = later_held(x);
            take_out(x);
        }
        return message;
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_newest, m_shift, m_links, m_room, m_next);
    }

  private:
    struct alignas(32) link {
        std::uint64_t pair = 0;  ///< source << 32 | destination
        std::uint32_t context = 0;
        std::uint32_t before = none, after = none;  ///< neighbours in the chain of the bucket, in the order
                                                    ///< of sending
        std::uint32_t bucket = 0;
        bool held = false;

        bool goes_with(const link& o) const { return pair == o.pair && context == o.context; }
    };

    void append(std::uint32_t message, link& x) {
        x.bucket = static_cast<std::uint32_t>(x.pair * 0x9e3779b97f4a7c15u >> m_shift);
        x.before = m_newest[x.bucket];
        x.after = none;
        m_newest[x.bucket] = message;
        if (x.before != none) m_links[x.before].after = message;
    }
    std::uint32_t earlier(const link& x) const {
        std::uint32_t k = x.before;
        while (k != none && !m_links[k].goes_with(x)) k = m_links[k].before;
        return k;
    }
    std::uint32_t later_held(const link& x) const {
        std::uint32_t k = x.after;
        while (k != none && !m_links[k].goes_with(x)) k = m_links[k].after;
        return k != none && m_links[k].held ? k : none;
    }
    void take_out(const link& x) {
        if (x.before != none) m_links[x.before].after = x.after;
        if (x.after != none)
            m_links[x.after].before = x.before;
        else
            m_newest[x.bucket] = x.before;
    }
    void make_room(std::uint32_t message);

    std::vector<std::uint32_t> m_newest;  ///< last message sent of each bucket; the number of buckets is a
                                          ///< power of two
    std::uint32_t m_shift = 58;           ///< 64 minus the number of bits of a bucket's number
    std::vector<link> m_links;            ///< link of each message, by the callers' numbers
    std::uint32_t m_room = 0;             ///< number of links: messages with numbers below this have a link
    /// Message that next() returns; none: no message.
    std::uint32_t m_next = none;
};

}  // namespace sare::traffic
