// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/log/record_file.h"
#include "traffic/observe/task_event.h"

#include <tuple>
#include <vector>

namespace sare::traffic {

/// What each of several processes has numbered as it went, as one process would number it.
class merged_numbers {
  public:
    explicit merged_numbers(std::size_t ranks) : m_of(ranks) {}
    /// The next one, which is the next of `rank`, too.
    std::uint32_t count(std::size_t rank) {
        m_of[rank].append(m_next);
        return m_next++;
    }
    std::uint32_t of(std::size_t rank, std::uint32_t there) const { return m_of[rank].at(there); }

  private:
    std::vector<record_file<std::uint32_t>> m_of;
    std::uint32_t m_next = 0;
};

/// The order in which one process does what several have recorded: by cycle and turn. Turns that go by what
/// was numbered before, messages and strands, go by the numbers that it would have had there.
class task_order {
  public:
    using place = std::tuple<cycle_t, turn::stage, std::uint64_t>;

    explicit task_order(std::size_t ranks) : m_now(ranks), m_messages(ranks), m_strands(ranks) {}

    /// Of the next record of a rank; those before it have been passed.
    const place& place_of(std::size_t rank, const task_event& e) {
        if (e.is == task_event::turn)
            m_now[rank] = place_of(rank, e.time, {static_cast<turn::stage>(e.what), e.value});
        return m_now[rank];
    }
    place place_of(std::size_t rank, cycle_t time, turn t) const {
        const std::uint64_t made = t.which >> 32;  // of a strand beside its task's: how many had been
        if (t.in == turn::strand && made != 0)
            t.which = (m_strands.of(rank, static_cast<std::uint32_t>(made - 1)) + 1ull) << 32;
        if (t.in == turn::inside || t.in == turn::local)
            t.which = m_messages.of(rank, static_cast<std::uint32_t>(t.which));
        return {time, t.in, t.which};
    }
    void pass_strand(std::size_t rank) { m_strands.count(rank); }

    merged_numbers& messages() { return m_messages; }

  private:
    std::vector<place> m_now;  ///< by rank
    merged_numbers m_messages, m_strands;
};

}  // namespace sare::traffic
