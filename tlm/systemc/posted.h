// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/sorted_queue.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sare {

/// A message or an order posted by a SystemC process in cycle `at`; the engine carries it out in the next
/// cycle.
struct posted {
    enum class kind : std::uint8_t { network_reset, router_reset, nic_reset, link_up, link_down, message };
    cycle_t at;  ///< cycle in which it was posted, or is generated, if that is later
    kind what_kind;
    std::uint32_t id;     ///< number of the router, of the NIC's node or of the link that can sleep
    message what;         ///< for kind::message only
    std::uint64_t when;   ///< time of `at` in steps of SystemC's time
    cycle_t arrives = 0;  ///< first cycle in which the message can arrive; 0: not known yet
    /// Order in which they are carried out: by cycle, kind, number, source, class and time, so that it does
    /// not depend on the order of SystemC's processes.
    bool operator<(const posted& other) const;
};

/// The posted messages and orders that wait. Each keeps its slot; small entries are sorted in their place.
class posted_queue {
  public:
    bool empty() const { return m_order.empty(); }
    std::size_t size() const { return m_order.size(); }
    /// Least posted::at of all that wait; workload::never if there are none.
    cycle_t first() const { return empty() ? workload::never : m_order.front().at; }
    /// Adds `p`. The reference returned is valid until the next call of add().
    posted& add(const posted& p);
    /// Takes out all of cycles before `now` and calls `f` with each, in their order. `f` may call add(); its
    /// argument is not valid afterwards.
    template <class F>
    void take_before(cycle_t now, const F& f) {
        if (first() >= now) return;
        const entry lone = m_order.front();
        m_order.pop();
        if (first() >= now) return take(lone.slot, f);  // as mostly
        for (const entry& e : take_more(lone, now)) take(e.slot, f);
    }
    /// Calls `f` with each of all that wait, by rising cycle.
    template <class F>
    void for_each(const F& f) {
        for (const entry& e : m_order) f(m_all[e.slot]);
    }
    /// Returns all that wait, by rising cycle.
    std::vector<posted> list() const;
    /// Replaces all that wait by `all`, a list() of before.
    void assign(const std::vector<posted>& all);

  private:
    struct entry {
        cycle_t at;
        std::uint32_t slot;  ///< index in m_all
        std::uint32_t turn;  ///< number of the call of add(): equal ones come in this order
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
    std::uint32_t m_turns = 0;   ///< calls of add(), modulo 2^32
    std::vector<entry> m_taken;  ///< entries that take_before() is handing out
};

}  // namespace sare
