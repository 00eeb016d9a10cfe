// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/systemc/engine_clock.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <stdexcept>

namespace sare {

/// The first cycle that begins at `time` or later.
inline cycle_t first_cycle_from(const engine_clock& clock, const sc_core::sc_time& time) {
    const cycle_t c = clock.cycle_at(time);
    return clock.begin_of(c) < time ? c + 1 : c;
}

/// An asynchronous FIFO: what is written in a cycle of one clock can be read in a cycle of another one, when
/// the writer's pointer has come through a synchroniser of so many stages; places come back likewise. So an
/// entry that is written in cycle w can be read in cycle r + stages - 1, where r is the first cycle of the
/// reader that begins when w has ended, or later: by the clocks as they run then, whatever they were when it
/// was written.
template <class T>
class async_fifo {
  public:
    /// `depth`, `stages`: at least 1. The clocks outlive it. A write without a place, and a pop or front() of
    /// an empty one, are std::logic_error.
    async_fifo(const engine_clock& writer, const engine_clock& reader, std::uint32_t depth,
               std::uint32_t stages)
        : m_writer(writer), m_reader(reader), m_stages(stages), m_places(depth) {}

    /// @name Of the writer
    /// @{
    /// The first cycle in which there is a place, as far as is known; never: what is here must be read first.
    cycle_t room_at() const { return m_places.empty() ? workload::never : m_places.front().cycle; }
    bool has_room(cycle_t now) const { return room_at() <= now; }
    void write(const T& what, cycle_t now) {
        if (m_places.empty()) throw std::logic_error("an asynchronous FIFO has no place for what is written");
        m_places.pop_front();
        m_entries.push_back({what, seen(m_writer.begin_of(now + 1), m_reader)});
    }
    /// @}

    /// @name Of the reader
    /// @{
    cycle_t ready_at() const { return m_entries.empty() ? workload::never : m_entries.front().seen.cycle; }
    bool is_ready(cycle_t now) const { return ready_at() <= now; }
    const T& front() const { return first().what; }
    void pop(cycle_t now) {
        first();
        m_entries.pop_front();
        m_places.push_back(seen(m_reader.begin_of(now + 1), m_writer));
    }
    /// @}
    /// A clock has changed: what is still to be seen is seen by the new one. In the cycle before that in
    /// which it does.
    void clock_changed(const sc_core::sc_time& now) {
        for (entry& e : m_entries) look_again(e.seen, m_reader, now);
        for (moment& place : m_places) look_again(place, m_writer, now);
    }
    bool empty() const { return m_entries.empty(); }
    std::size_t size() const { return m_entries.size(); }

  private:
    /// What happens at a time is seen in a cycle of the other clock.
    struct moment {
        sc_core::sc_time time;
        cycle_t cycle = 0;
    };
    struct entry {
        T what;
        moment seen;
    };
    moment seen(const sc_core::sc_time& time, const engine_clock& there) const {
        return {time, first_cycle_from(there, time) + m_stages - 1};
    }
    const entry& first() const {
        if (m_entries.empty()) throw std::logic_error("an asynchronous FIFO is read that has nothing");
        return m_entries.front();
    }
    /// The synchroniser is clocked from the first cycle after that time on: if that has begun, its cycles are
    /// counted already, and go on whatever they take.
    void look_again(moment& m, const engine_clock& there, const sc_core::sc_time& now) const {
        if (m.time > now) m = seen(m.time, there);
    }

    const engine_clock& m_writer;
    const engine_clock& m_reader;
    std::uint32_t m_stages;
    std::deque<entry> m_entries;
    std::deque<moment> m_places;  ///< free ones, as the writer sees them
};

}  // namespace sare
