// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/messages/matching.h"

#include <vector>

namespace sare::traffic {

/// Messages between two tasks, of one context, are matched in the order in which they were sent, as MPI has
/// it, whatever the network makes of it: one that has overtaken another is held until that has come. A hash
/// table of what is under way, whose lists lie in the messages themselves: nothing is kept of pairs of tasks
/// that have nothing under way.
class sending_order {
  public:
    static constexpr std::uint32_t none = matching::none;

    sending_order() : m_newest(64, none) {}

    /// A message leaves, known by a number that no other one under way has.
    void sent(std::uint32_t message, const envelope& e) {
        if (__builtin_expect(message >= m_room, 0)) make_room(message);
        link& x = m_links[message];
        x.pair = std::uint64_t{e.source} << 32 | e.destination;
        x.context = e.context;
        x.held = false;
        append(message, x);
    }
    /// It has come. False: it is held, since one that was sent before it has not.
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
    /// After came(): a message that was held and has come now; none: there is none. It must be asked until
    /// then.
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
        std::uint64_t pair = 0;  ///< of tasks
        std::uint32_t context = 0;
        std::uint32_t before = none, after = none;  ///< of the same bucket, in order of sending
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

    std::vector<std::uint32_t> m_newest;  ///< by bucket: a power of two
    std::uint32_t m_shift = 58;           ///< 64 less the bits of a bucket's number
    std::vector<link> m_links;            ///< by message
    std::uint32_t m_room = 0;             ///< of these
    std::uint32_t m_next = none;
};

}  // namespace sare::traffic
