// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/posted.h"

#include <algorithm>
#include <tuple>

namespace sare {

bool posted::operator<(const posted& other) const {
    return std::tie(at, what_kind, id, what.source, what.message_class, when) <
           std::tie(other.at, other.what_kind, other.id, other.what.source, other.what.message_class,
                    other.when);
}

/// Adds without sorting within a cycle, which take_more() does: many processes may post in the reverse order,
/// and each insertion would move all earlier ones.
posted& posted_queue::add(const posted& p) {
    if (m_free.empty()) {
        m_free.push_back(static_cast<std::uint32_t>(m_all.size()));
        m_all.emplace_back();
    }
    const std::uint32_t slot = m_free.back();
    m_free.pop_back();
    m_order.add({p.at, slot, m_turns++});
    return m_all[slot] = p;
}

/// Takes out all entries of cycles before `now` and returns them, with `first`, taken out before, in their
/// order.
const std::vector<posted_queue::entry>& posted_queue::take_more(const entry& first, cycle_t now) {
    m_taken.assign(1, first);
    for (; this->first() < now; m_order.pop()) m_taken.push_back(m_order.front());
    std::sort(m_taken.begin(), m_taken.end(), [this](const entry& a, const entry& b) {
        const posted &x = m_all[a.slot], &y = m_all[b.slot];
        return x < y || (!(y < x) && static_cast<std::int32_t>(a.turn - b.turn) < 0);
    });
    return m_taken;
}

std::vector<posted> posted_queue::list() const {
    std::vector<posted> all;
    for (const entry& e : m_order) all.push_back(m_all[e.slot]);
    return all;
}

void posted_queue::assign(const std::vector<posted>& all) {
    *this = {};
    for (const posted& p : all) add(p);
}

}  // namespace sare
