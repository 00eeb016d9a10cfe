// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/workload.h"
#include "tlm/systemc/engine_clock.h"

#include <algorithm>
#include <cstdint>
#include <deque>

namespace sare {

/// The first cycle that begins at `time` or later.
inline cycle_t first_cycle_from(const engine_clock& clock, const sc_core::sc_time& time) {
    const cycle_t c = clock.cycle_at(time);
    return clock.begin_of(c) < time ? c + 1 : c;
}

/// An asynchronous FIFO: what is written in a cycle of one clock can be read in a cycle of another one, when
/// the writer's pointer has come through a synchroniser of so many stages; places come back likewise. So an
/// entry that is written in cycle w can be read in cycle r + stages - 1, where r is the first cycle of the
/// reader that begins when w has ended, or later.
template <class T>
class async_fifo {
  public:
    /// `depth`, `stages`: at least 1. The clocks outlive it.
    async_fifo(const engine_clock& writer, const engine_clock& reader, std::uint32_t depth,
               std::uint32_t stages)
        : m_writer(writer), m_reader(reader), m_stages(stages), m_places(depth, 0) {}

    /// @name Of the writer
    /// @{
    /// The first cycle in which there is a place, as far as is known; never: what is here must be read first.
    cycle_t room_at() const { return m_places.empty() ? workload::never : m_places.front(); }
    bool has_room(cycle_t now) const { return room_at() <= now; }
    void write(const T& what, cycle_t now) {
        m_places.pop_front();
        m_last_read = std::max(m_last_read, seen(m_writer, now, m_reader));
        m_entries.push_back({what, m_last_read});
    }
    /// @}

    /// @name Of the reader
    /// @{
    cycle_t ready_at() const { return m_entries.empty() ? workload::never : m_entries.front().ready; }
    bool is_ready(cycle_t now) const { return ready_at() <= now; }
    const T& front() const { return m_entries.front().what; }
    void pop(cycle_t now) {
        m_entries.pop_front();
        m_last_place = std::max(m_last_place, seen(m_reader, now, m_writer));
        m_places.push_back(m_last_place);
    }
    /// @}
    bool empty() const { return m_entries.empty(); }

  private:
    struct entry {
        T what;
        cycle_t ready;  ///< of the reader
    };
    /// What happens in cycle `now` of one clock is seen in this cycle of the other one.
    cycle_t seen(const engine_clock& here, cycle_t now, const engine_clock& there) const {
        return first_cycle_from(there, here.begin_of(now + 1)) + m_stages - 1;
    }

    const engine_clock& m_writer;
    const engine_clock& m_reader;
    std::uint32_t m_stages;
    std::deque<entry> m_entries;
    std::deque<cycle_t> m_places;  ///< free ones: from which cycle of the writer on
    cycle_t m_last_read = 0, m_last_place = 0;
};

}  // namespace sare
