// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <vector>

namespace sare::traffic {

/// A timing wheel: a queue of records by the cycle in which each is due, in slots of one cycle. All slots
/// together are a lap. No operation allocates memory, and the work grows with records, not with cycles; a
/// record that is further off than one lap is looked at once in each lap. `Record` has members `cycle_t
/// when`, the cycle in which it is due, and `std::uint32_t link`, which belongs to the wheel; a record is in
/// the wheel at most once.
template <class Record>
class wheel {
  public:
    /// Value of next() for an empty wheel.
    static constexpr cycle_t never = ~cycle_t{0};

    /// Empties the wheel and uses `records`, which must outlive it, from now on. `span`: about the longest
    /// usual gap in cycles; a lap has the next power of 2 of cycles, from 2^6 to 2^16.
    void reset(std::vector<Record>& records, double span) {
        m_records = &records;
        std::size_t slots = 64;
        while (slots < 65536 && static_cast<double>(slots) < span) slots *= 2;
        m_mask = slots - 1;
        m_head.assign(slots, none);
        m_used.assign(slots / 64, 0);
        m_next = never;
    }

    /// Returns the next cycle for which take() must be called, though nothing may be due in it; `never` if
    /// the wheel is empty.
    cycle_t next() const { return m_next; }

    /// Inserts record `i`, due in cycle records[i].when, later than the last take() (not checked).
    void insert(std::uint32_t i) {
        Record& r = (*m_records)[i];
        put(i, r);
        if (r.when < m_next) m_next = r.when;
    }

    /// Takes out every record due in cycle `now` and calls due(i, record) for it, in no particular order.
    /// due() may set `when` to a later cycle, and return true to have the record inserted again; false: it
    /// stays out. Must be called for each cycle that next() returns, in ascending order.
    template <class Due>
    void take(cycle_t now, Due due) {
        const std::size_t slot = now & m_mask;
        std::uint32_t i = m_head[slot];
        m_head[slot] = none;
        m_used[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
        Record* const records = m_records->data();
        while (i != none) {
            Record& r = records[i];
            const std::uint32_t following = r.link;
            if (r.when != now || due(i, r)) put(i, r);
            i = following;
        }
        m_next = after(now);
    }

    /// Writes or reads the state of the wheel; the owner of the records must do so for them.
    template <class Archive>
    void serialize(Archive& a) {
        a(m_head, m_used, m_mask, m_next);
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void put(std::uint32_t i, Record& r) {
        const std::size_t slot = r.when & m_mask;
        r.link = m_head[slot];
        m_head[slot] = i;
        m_used[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }

    /// Returns the first cycle after `now`, within one lap, whose slot is used; `never` if none is.
    cycle_t after(cycle_t now) const {
        const std::size_t words = m_used.size();
        const std::size_t first = (now + 1) & m_mask;
        std::size_t word = first / 64;
        std::uint64_t bits = m_used[word] & (~std::uint64_t{0} << (first % 64));
        for (std::size_t n = 0; n <= words; ++n) {
            if (bits != 0) {
                const std::size_t slot = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
                return now + 1 + ((slot - first) & m_mask);
            }
            word = word + 1 == words ? 0 : word + 1;
            bits = m_used[word];
        }
        return never;
    }

    std::vector<Record>* m_records = nullptr;
    std::vector<std::uint32_t> m_head;  ///< index of the first record of each slot
    std::vector<std::uint64_t> m_used;  ///< a bit for each slot, set if it has records
    std::size_t m_mask = 63;
    cycle_t m_next = never;
};

}  // namespace sare::traffic
