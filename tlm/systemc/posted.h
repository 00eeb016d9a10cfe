// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/sorted_queue.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sare {

/// What waits for the cycle after its own. The order of those of one cycle does not depend on that of
/// processes.
struct posted {
    enum class kind : std::uint8_t { network_reset, router_reset, nic_reset, link_up, link_down, message };
    cycle_t at;
    kind what_kind;
    std::uint32_t id;  ///< of a block, or of a link that can sleep
    message what;
    std::uint64_t when;   ///< SystemC's time
    cycle_t arrives = 0;  ///< the first cycle in which the message can; 0: not looked up, or not known
    bool operator<(const posted& other) const;
};

/// All that wait. They stay where they are; small entries are in the order of their cycles.
class posted_queue {
  public:
    bool empty() const { return m_order.empty(); }
    std::size_t size() const { return m_order.size(); }
    /// The least cycle of any: workload::never if there is none.
    cycle_t first() const { return empty() ? workload::never : m_order.front().at; }
    /// It is there until the next one is added.
    posted& add(const posted& p);
    /// Takes out those of cycles before `now`, and calls `f` with each, in order. `f` may add more; then that
    /// which it has is there no more.
    template <class F>
    void take_before(cycle_t now, const F& f) {
        if (first() >= now) return;
        const entry lone = m_order.front();
        m_order.pop();
        if (first() >= now) return take(lone.slot, f);  // as mostly
        for (const entry& e : take_more(lone, now)) take(e.slot, f);
    }
    /// `f` of each, in order of cycles.
    template <class F>
    void for_each(const F& f) {
        for (const entry& e : m_order) f(m_all[e.slot]);
    }
    /// All, in order of cycles; and the same again.
    std::vector<posted> list() const;
    void assign(const std::vector<posted>& all);

  private:
    struct entry {
        cycle_t at;
        std::uint32_t slot;  ///< in m_all
        std::uint32_t turn;  ///< of equal ones the first one added comes first
        bool operator<(const entry& other) const { return at < other.at; }
    };
    template <class F>
    void take(std::uint32_t slot, const F& f) {
        f(m_all[slot]);
        m_free.push_back(slot);
    }
    const std::vector<entry>& take_more(const entry& first, cycle_t now);

    std::vector<posted> m_all;
    std::vector<std::uint32_t> m_free;  ///< of these
    sorted_queue<entry> m_order;
    std::uint32_t m_turns = 0;
    std::vector<entry> m_taken;  ///< of the present cycle
};

}  // namespace sare
