// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/systemc/engine_clock.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <stdexcept>

namespace sare {

/// Returns the first cycle of a clock that begins at `time` or later.
inline cycle_t first_cycle_from(const engine_clock& clock, const sc_core::sc_time& time) {
    const cycle_t c = clock.cycle_at(time);
    return clock.begin_of(c) < time ? c + 1 : c;
}

/// An asynchronous FIFO: an entry written in a cycle of one clock can be read in a cycle of another one, when
/// the writer's pointer has passed a synchroniser of `stages` flip-flops; places come back in the same way.
/// So an entry written in cycle w can be read in cycle r + stages - 1, where r is the first cycle of the
/// reader that begins when w has ended or later: by the clocks as they run then, even if they have changed
/// since.
template <class T>
class async_fifo {
  public:
    /// `depth`, `stages`: at least 1. The clocks must outlive it. Writing to a full FIFO, and pop() or
    /// front() of an empty one, throw std::logic_error.
    async_fifo(const engine_clock& writer, const engine_clock& reader, std::uint32_t depth,
               std::uint32_t stages)
        : m_writer(writer), m_reader(reader), m_stages(stages), m_places(depth) {}

    /// @name Writer
    /// @{
    /// First cycle in which there is a place, as far as is known; never: an entry must be read first.
    cycle_t room_at() const { return m_places.empty() ? workload::never : m_places.front().cycle; }
    bool has_room(cycle_t now) const { return room_at() <= now; }
    /// Writes an entry in cycle `now` of the writer's clock.
    void write(const T& what, cycle_t now) {
        if (m_places.empty()) throw std::logic_error("an asynchronous FIFO has no place for what is written");
        m_places.pop_front();
        m_entries.push_back({what, seen(m_writer.begin_of(now + 1), m_reader)});
    }
    /// @}

    /// @name Reader
    /// @{
    /// First cycle in which an entry can be read; never: it is empty.
    cycle_t ready_at() const { return m_entries.empty() ? workload::never : m_entries.front().seen.cycle; }
    bool is_ready(cycle_t now) const { return ready_at() <= now; }
    const T& front() const { return first().what; }
    /// Removes the entry of front() in cycle `now` of the reader's clock.
    void pop(cycle_t now) {
        first();
        m_entries.pop_front();
        m_places.push_back(seen(m_reader.begin_of(now + 1), m_writer));
    }
    /// @}
    /// Recalculates, in the cycle before a clock changes, when entries and places can be seen.
    void clock_changed(const sc_core::sc_time& now) {
        for (entry& e : m_entries) look_again(e.seen, m_reader, now);
        for (moment& place : m_places) look_again(place, m_writer, now);
    }
    /// True if no entry is in it, readable or not yet; size(): number of all entries.
    bool empty() const { return m_entries.empty(); }
    std::size_t size() const { return m_entries.size(); }

  private:
    /// A time of one clock, and the cycle of the other clock that sees it.
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
    /// Recalculates a moment, unless its time is over: then the synchroniser counts cycles already.
    void look_again(moment& m, const engine_clock& there, const sc_core::sc_time& now) const {
        if (m.time > now) m = seen(m.time, there);
    }

    const engine_clock& m_writer;
    const engine_clock& m_reader;
    std::uint32_t m_stages;
    std::deque<entry> m_entries;
    std::deque<moment> m_places;  ///< free places, as the writer sees them
};

}  // namespace sare
