// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/messages/matching.h"

#include <vector>

namespace sare::traffic {

/// The order in which messages between two tasks, in one context, are matched: as sent, as MPI demands, in
/// whatever order the network delivers them. A message that has overtaken another one is held until that has
/// arrived. A hash table by pair of tasks; its chains link messages under way, so that other pairs take no
/// memory.
class sending_order {
  public:
    static constexpr std::uint32_t none = matching::none;

    sending_order() : m_newest(64, none) {}

    /// Notes that a message leaves. `message`: the caller's number, which no other message under way has;
    /// small, since it is an index.
    void sent(std::uint32_t message, const envelope& e) {
        if (__builtin_expect(message >= m_room, 0)) make_room(message);
        link& x = m_links[message];
        x.pair = std::uint64_t{e.source} << 32 | e.destination;
        x.context = e.context;
        x.held = false;
        append(message, x);
    }
    /// Notes the arrival of a message. Returns false if it is held, since a message that was sent before it
    /// has not arrived.
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
    /// Takes out and returns the next held message whose turn has come with the message of came(); none:
    /// there is no more. Call it after came(), until it returns none.
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
        std::uint64_t pair = 0;  ///< from << 32 | to
        std::uint32_t context = 0;
        std::uint32_t before = none, after = none;  ///< neighbours in the bucket, in order of sending
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

    std::vector<std::uint32_t> m_newest;  ///< newest message of each bucket; a power of two of buckets
    std::uint32_t m_shift = 58;           ///< 64 minus the bits of a bucket's number
    std::vector<link> m_links;            ///< link of each message
    std::uint32_t m_room = 0;             ///< number of links
    std::uint32_t m_next = none;
};

}  // namespace sare::traffic
