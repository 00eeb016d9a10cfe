// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/stats/log/merged_records.h"
#include "traffic/observe/task_event.h"

#include <limits>
#include <vector>

namespace sare::traffic {

/// A span of time on a way through the program, and what came before it.
struct path_segment {
    enum kind : std::uint8_t {
        compute,
        send,       ///< overhead of sends
        receive,    ///< overhead of receives
        queue,      ///< a task waits for room in its source queue
        message,    ///< from the task that sent it to the task it released
        handshake,  ///< a question or an answer of a rendezvous
        local,      ///< a message inside a node
    };
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    cycle_t begin = 0, end = 0;
    cycle_t injected = 0;  ///< of a message: the first flit has left its source queue
    cycle_t alone = 0;     ///< of a message: what it takes where nothing else is on its way
    std::uint64_t before = none;
    std::uint32_t from = 0, to = 0;  ///< tasks
    std::uint32_t phase = 0;         ///< of `from`
    kind is = compute;
    std::uint16_t rank = 0;  ///< of several processes: that which counts `before` and `phase`
};
static_assert(sizeof(path_segment) == 56);

/// What released what. Every strand has a *way*: spans that follow each other, without a hole, from the first
/// cycle until now, each the last thing that the next one waited for. That of a strand that waits gets the
/// way of what lets it go on.
///
/// A span is recorded (56 bytes in a file) for every time of computation or overhead, and for every message
/// that releases something or is answered; a strand and a message under way have 8 and 56 bytes in memory.
/// Each of several processes records what its tasks do, and has the file of it.
class critical_path {
  public:
    explicit critical_path(std::uint16_t rank = 0) : m_rank(rank), m_spans(1) {}

    /// @name What happens now is caused by
    /// @{
    void strand_goes_on(std::uint32_t strand) { m_cause = {way_of(strand), {}, false}; }
    void message_came(const path_segment& way, cycle_t first, turn when);  ///< not recorded yet
    /// @}

    /// A strand goes on, or is made, because of what happens now.
    void released(std::uint32_t strand) { way_of(strand) = cause(); }
    /// A strand has spent, or is to spend, this span; `before` is set here.
    void spends(std::uint32_t strand, path_segment span);
    /// The way to what happens now, for what it sends.
    std::uint64_t cause();
    /// A task has ended, because of what happens now.
    void finished(cycle_t now, turn when);

    struct way_to {
        std::uint64_t way = path_segment::none;  ///< its last span
        path_segment pending;                    ///< behind that one, if it `has` one, and not recorded yet
        bool has = false;
    };
    /// The last that happened: the end of the last task, or a message that came later.
    struct ending {
        cycle_t at = 0;
        way_to what;
        turn when;
        bool is_task = false;
        std::uint16_t rank = 0;
    };
    const ending& last() const { return m_last; }
    /// Of all ranks at once: in rank 0 it is of all, and ends with `last`.
    void gather(world& all, const ending& last);

    /// The way to the last that happened, first span first.
    std::vector<path_segment> result() const;

  private:
    std::uint64_t& way_of(std::uint32_t strand) {
        if (strand >= m_ways.size()) m_ways.resize(strand + 1, path_segment::none);
        return m_ways[strand];
    }

    std::uint16_t m_rank;
    std::vector<record_file<path_segment>> m_spans;  ///< one, or by rank
    std::vector<std::uint64_t> m_ways;               ///< by strand: its last span
    way_to m_cause;
    ending m_last;
};

}  // namespace sare::traffic
