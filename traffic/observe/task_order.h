// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/log/record_file.h"
#include "traffic/observe/task_event.h"

#include <tuple>
#include <vector>

namespace sare::traffic {

/// The numbers that one process would have given to things (messages, strands) which each of several
/// processes has numbered by itself.
class merged_numbers {
  public:
    explicit merged_numbers(std::size_t ranks) : m_of(ranks) {}
    /// Gives the next thing of `rank` the next common number, and returns that.
    std::uint32_t count(std::size_t rank) {
        m_of[rank].append(m_next);
        return m_next++;
    }
    /// Returns the common number of a thing that `rank` has numbered `there`.
    std::uint32_t of(std::size_t rank, std::uint32_t there) const { return m_of[rank].at(there); }

  private:
    std::vector<record_file<std::uint32_t>> m_of;
    std::uint32_t m_next = 0;  ///< next common number
};

/// The order in which one process would have recorded the events of several: by cycle and turn. Turns in the
/// order of messages or strands use the numbers that one process would have given them.
class task_order {
  public:
    using place = std::tuple<cycle_t, turn::stage, std::uint64_t>;

    explicit task_order(std::size_t ranks) : m_now(ranks), m_messages(ranks), m_strands(ranks) {}

    /// Returns the place of a rank's next record; all records before it have been passed.
    const place& place_of(std::size_t rank, const task_event& e) {
        if (e.is == task_event::turn)
            m_now[rank] = place_of(rank, e.time, {static_cast<turn::stage>(e.what), e.value});
        return m_now[rank];
    }
    /// Returns the place of a turn of a rank in a cycle.
    place place_of(std::size_t rank, cycle_t time, turn t) const {
        const std::uint64_t made = t.which >> 32;  // strands made before, if not its task's own
        if (t.in == turn::strand && made != 0)
            t.which = (m_strands.of(rank, static_cast<std::uint32_t>(made - 1)) + 1ull) << 32;
        if (t.in == turn::inside || t.in == turn::local)
            t.which = m_messages.of(rank, static_cast<std::uint32_t>(t.which));
        return {time, t.in, t.which};
    }
    /// Numbers the next strand that a rank has made.
    void pass_strand(std::size_t rank) { m_strands.count(rank); }

    merged_numbers& messages() { return m_messages; }

  private:
    std::vector<place> m_now;  ///< place of each rank
    merged_numbers m_messages, m_strands;
};

}  // namespace sare::traffic
