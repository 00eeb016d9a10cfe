// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/systemc/engine_clock.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <stdexcept>

namespace sare {

/// Returns the number of the first cycle of `clock` that begins at `time` or later; `time` as for
/// engine_clock::cycle_at().
inline cycle_t first_cycle_from(const engine_clock& clock, const sc_core::sc_time& time) {
    const cycle_t c = clock.cycle_at(time);
    return clock.begin_of(c) < time ? c + 1 : c;
}

/// An asynchronous FIFO between a writer and a reader with different clocks. An entry written in a cycle of
/// the writer's clock can be read when the writer's pointer has passed a synchroniser of `stages` flip-flops
/// of the reader's clock: an entry written in cycle w is readable from cycle r + stages - 1 on, where r is
/// the first cycle of the reader that begins when w has ended or later. A place that the reader frees comes
/// back to the writer by the same rule. A `cycle_t` is a cycle number of the clock that a function names.
template <class T>
class async_fifo {
  public:
    /// `depth`: most entries in the FIFO; `stages`: flip-flops of each synchroniser; both must be at least 1,
    /// which is not checked. `writer`, `reader`: their clocks, which must outlive the FIFO.
    async_fifo(const engine_clock& writer, const engine_clock& reader, std::uint32_t depth,
               std::uint32_t stages)
        : m_writer(writer), m_reader(reader), m_stages(stages), m_places(depth) {}

    /// @name Writer
    /// @{
    /// Returns the first cycle of the writer's clock in which a place is free; workload::never: no place is
    /// free until an entry is read.
    cycle_t room_at() const { return m_places.empty() ? workload::never : m_places.front().cycle; }
    /// True if a place is free in cycle `now` of the writer's clock.
    bool has_room(cycle_t now) const { return room_at() <= now; }
    /// Writes an entry in cycle `now` of the writer's clock; has_room(now) must be true, which is not
    /// checked. Throws std::logic_error if no place is free or on its way back.
    void write(const T& what, cycle_t now) {
        if (m_places.empty()) throw std::logic_error("an asynchronous FIFO has no place for what is written");
        m_places.pop_front();
        m_entries.push_back({what, seen(m_writer.begin_of(now + 1), m_reader)});
    }
    /// @}

    /// @name Reader
    /// @{
    /// Returns the first cycle of the reader's clock in which the first entry can be read; workload::never:
    /// the FIFO is empty.
    cycle_t ready_at() const { return m_entries.empty() ? workload::never : m_entries.front().seen.cycle; }
    /// True if the first entry can be read in cycle `now` of the reader's clock.
    bool is_ready(cycle_t now) const { return ready_at() <= now; }
    /// Returns the first entry, readable yet or not. Throws std::logic_error if the FIFO is empty.
    const T& front() const { return first().what; }
    /// Removes the first entry in cycle `now` of the reader's clock; is_ready(now) must be true, which is not
    /// checked. Throws std::logic_error if the FIFO is empty.
    void pop(cycle_t now) {
        first();
        m_entries.pop_front();
        m_places.push_back(seen(m_reader.begin_of(now + 1), m_writer));
    }
    /// @}
    /// Recalculates the cycles from which on entries can be read and places are free. Call it at time `now`,
    /// after a change of the period of one of the clocks (engine_clock::change()) and before the new period
    /// begins.
    void clock_changed(const sc_core::sc_time& now) {
        for (entry& e : m_entries) look_again(e.seen, m_reader, now);
        for (moment& place : m_places) look_again(place, m_writer, now);
    }
    /// True if the FIFO has no entry, readable or not.
    bool empty() const { return m_entries.empty(); }
    /// Returns the number of entries, readable or not.
    std::size_t size() const { return m_entries.size(); }

  private:
    /// Time at which a cycle of one clock ends, and first cycle of the other clock in which what was done in
    /// that cycle is seen.
    struct moment {
        sc_core::sc_time time;
        cycle_t cycle = 0;
    };
    /// An entry, and when the reader sees it.
    struct entry {
        T what;
        moment seen;
    };
    /// Returns the moment at which clock `there` sees what is done in a cycle that ends at `time`.
    moment seen(const sc_core::sc_time& time, const engine_clock& there) const {
        return {time, first_cycle_from(there, time) + m_stages - 1};
    }
    /// Returns the first entry. Throws std::logic_error if the FIFO is empty.
    const entry& first() const {
        if (m_entries.empty()) throw std::logic_error("an asynchronous FIFO is read that has nothing");
        return m_entries.front();
    }
    /// Recalculates moment m for clock `there`, unless m.time is not after `now`: the synchroniser is then
    /// counting cycles already.
    void look_again(moment& m, const engine_clock& there, const sc_core::sc_time& now) const {
        if (m.time > now) m = seen(m.time, there);
    }

    const engine_clock& m_writer;
    const engine_clock& m_reader;
    std::uint32_t m_stages;       ///< flip-flops of each synchroniser
    std::deque<entry> m_entries;  ///< entries, the first one first
    /// Places that are free, or free from a cycle of the writer on, the earliest first.
    std::deque<moment> m_places;
};

}  // namespace sare
