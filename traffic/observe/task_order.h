// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/log/record_file.h"
#include "traffic/observe/task_event.h"

#include <tuple>
#include <vector>

namespace sare::traffic {

/// Translates the numbers that each of several processes gave to its own things (messages or strands) into
/// the numbers that a single process would have given.
class merged_numbers {
  public:
    /// `ranks`: number of processes.
    explicit merged_numbers(std::size_t ranks) : m_of(ranks) {}
    /// Gives the next thing that `rank` has numbered the next common number, and returns this. Call for all
    /// things in their common order.
    std::uint32_t count(std::size_t rank) {
        m_of[rank].append(m_next);
        return m_next++;
    }
    /// Returns the common number of the thing that has number `there` in `rank`; count() must have been
    /// called for it.
    std::uint32_t of(std::size_t rank, std::uint32_t there) const { return m_of[rank].at(there); }

  private:
    std::vector<record_file<std::uint32_t>> m_of;
    std::uint32_t m_next = 0;  ///< next common number, from 0
};

/// The order in which a single process would have stored the events of several: by cycle and turn within the
/// cycle. Turns that are ordered by messages or strands use the common numbers of these.
class task_order {
  public:
    /// Place of an event in the order: cycle, stage of the cycle, number within the stage.
    using place = std::tuple<cycle_t, turn::stage, std::uint64_t>;

    /// `ranks`: number of processes.
    explicit task_order(std::size_t ranks) : m_now(ranks), m_messages(ranks), m_strands(ranks) {}

    /// Returns the place of `e`, the next event of `rank`. An event of kind `turn` begins a new place, which
    /// also holds for the events behind it. Call for the events of each rank in their order.
    const place& place_of(std::size_t rank, const task_event& e) {
        if (e.is == task_event::turn)
            m_now[rank] = place_of(rank, e.time, {static_cast<turn::stage>(e.what), e.value});
        return m_now[rank];
    }
    /// Returns the place of turn `t` of `rank` in cycle `time`.
    place place_of(std::size_t rank, cycle_t time, turn t) const {
        const std::uint64_t made = t.which >> 32;  // strands made before, if not its task's own
        if (t.in == turn::strand && made != 0)
            t.which = (m_strands.of(rank, static_cast<std::uint32_t>(made - 1)) + 1ull) << 32;
        if (t.in == turn::inside || t.in == turn::local)
            t.which = m_messages.of(rank, static_cast<std::uint32_t>(t.which));
        return {time, t.in, t.which};
    }
    /// Gives the next strand that `rank` has made its common number.
    void pass_strand(std::size_t rank) { m_strands.count(rank); }

    /// Returns the common numbers of messages.
    merged_numbers& messages() { return m_messages; }

  private:
    std::vector<place> m_now;  ///< place of the last event of each rank
    merged_numbers m_messages, m_strands;
};

}  // namespace sare::traffic
