// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/sorted_queue.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sare {

/// A message, reset or link order that a SystemC process has given to the engine in cycle `at`; the engine
/// carries it out at the beginning of a later cycle, usually the next.
struct posted {
    /// Kinds of orders, in the order in which the engine carries them out within a cycle.
    enum class kind : std::uint8_t { network_reset, router_reset, nic_reset, link_up, link_down, message };
    /// Cycle in which the order was given or, for a message that is generated later, the cycle of generation.
    /// It is carried out in cycle at + 1 or later.
    cycle_t at;
    kind what_kind;  ///< kind of the order
    /// Number of the router, of the NIC's node or of the link that can sleep; 0 for other kinds.
    std::uint32_t id;
    message what;  ///< the message; only for kind::message
    /// Time at which the order was given, or the message is generated, in steps of SystemC's time resolution.
    std::uint64_t when;
    cycle_t arrives = 0;  ///< first cycle in which the message can arrive; 0: not known yet
    /// True if this order is carried out before `other`: by `at`, kind, `id`, source, class and time, so that
    /// the order of SystemC's processes makes no difference.
    bool operator<(const posted& other) const;
};

/// Queue of the posted messages and orders that wait, in the engine. Each stays in a slot; small entries that
/// name the slots are sorted instead.
class posted_queue {
  public:
    bool empty() const { return m_order.empty(); }       ///< true if there is no element
    std::size_t size() const { return m_order.size(); }  ///< number of elements
    /// Lowest posted::at of all elements; workload::never if there is none.
    cycle_t first() const { return empty() ? workload::never : m_order.front().at; }
    /// Adds `p`, and returns a reference to the element, which is valid until the next call of add().
    posted& add(const posted& p);
    /// Takes out all elements with posted::at below `now` and calls f(element) for each, in the order of
    /// posted::operator<. `f` may call add(), after which its argument is no longer valid.
    template <class F>
    void take_before(cycle_t now, const F& f) {
        if (first() >= now) return;
        const entry lone = m_order.front();
        m_order.pop();
        if (first() >= now) return take(lone.slot, f);  // as mostly
        for (const entry& e : take_more(lone, now)) take(e.slot, f);
    }
    /// Calls f(element) for each element, in ascending order of posted::at.
    template <class F>
    void for_each(const F& f) {
        for (const entry& e : m_order) f(m_all[e.slot]);
    }
    /// Returns all elements, in ascending order of posted::at.
    std::vector<posted> list() const;
    /// Replaces all elements by `all`, in ascending order of posted::at as from list().
    void assign(const std::vector<posted>& all);

  private:
    struct entry {
        cycle_t at;          ///< posted::at of the element
        std::uint32_t slot;  ///< index in m_all
        std::uint32_t turn;  ///< number of the call of add(), by which equal elements are ordered
        bool operator<(const entry& other) const { return at < other.at; }
    };
    template <class F>
    void take(std::uint32_t slot, const F& f) {
        f(m_all[slot]);
        m_free.push_back(slot);
    }
    const std::vector<entry>& take_more(const entry& first, cycle_t now);

    std::vector<posted> m_all;
    std::vector<std::uint32_t> m_free;  ///< free slots in m_all
    sorted_queue<entry> m_order;
    std::uint32_t m_turns = 0;   ///< number of calls of add(), modulo 2^32
    std::vector<entry> m_taken;  ///< entries for which take_before() is calling `f`
};

}  // namespace sare
