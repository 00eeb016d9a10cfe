// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/stats/log/merged_records.h"
#include "traffic/observe/task_event.h"

#include <limits>
#include <vector>

namespace sare::traffic {

/// A span of time on a path through the program, and the number of the span before it.
struct path_segment {
    enum kind : std::uint8_t {
        compute,
        send,       ///< overhead of sends
        receive,    ///< overhead of receives
        queue,      ///< a task waits for room in its source queue
        message,    ///< a message, from the task that sent it to the task it released
        handshake,  ///< a question or an answer of a rendezvous
        local,      ///< a message inside a node
    };
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    cycle_t begin = 0, end = 0;      ///< cycles [begin, end)
    cycle_t injected = 0;            ///< message: cycle in which its first flit has left its source queue
    cycle_t alone = 0;               ///< message: cycles that it takes alone in the network
    std::uint64_t before = none;     ///< number of the span before it; none: it is the first
    std::uint32_t from = 0, to = 0;  ///< task of the span; message: tasks that sent and received it
    std::uint32_t phase = 0;         ///< phase of `from`
    kind is = compute;
    std::uint16_t rank = 0;  ///< with several processes: rank that has numbered `before` and `phase`
};
static_assert(sizeof(path_segment) == 56);

/// Records which event has let each strand (see strands) go on, to find the critical path of a run. Every
/// strand has a *way*: spans that follow each other, without a hole, from the first cycle until now; each is
/// the last thing that the next one waited for. A strand that waits gets the way of the event that lets it go
/// on.
///
/// A span is recorded (56 bytes in a file) for every time of computation or overhead, and for every message
/// that lets a strand go on or is answered; a strand and a message under way have 8 and 56 bytes in memory.
/// If several processes run the program, each records the acts of its tasks in a file of its own.
class critical_path {
  public:
    /// `rank`: rank of this process, if several run the program.
    explicit critical_path(std::uint16_t rank = 0) : m_rank(rank), m_spans(1) {}

    /// @name The present event, which causes everything until the next of these calls
    /// @{
    /// Notes that a strand goes on.
    void strand_goes_on(std::uint32_t strand) { m_cause = {way_of(strand), {}, false}; }
    /// Notes that a message has come. `way`: its span, which is recorded only if it causes something.
    void message_came(const path_segment& way, cycle_t first, turn when);
    /// @}

    /// Notes that the present event lets a strand go on, or makes it.
    void released(std::uint32_t strand) { way_of(strand) = cause(); }
    /// Adds a span that a strand has spent, or is to spend; sets span.before.
    void spends(std::uint32_t strand, path_segment span);
    /// Returns the number of the last span of the way to the present event, for messages that it sends.
    std::uint64_t cause();
    /// Notes that the present event has ended a task.
    void finished(cycle_t now, turn when);

    struct way_to {
        std::uint64_t way = path_segment::none;  ///< number of the last span of the way
        path_segment pending;                    ///< span after that one, not recorded yet, if it `has` one
        bool has = false;
    };
    /// The last event: the end of the last task, or a message that came later.
    struct ending {
        cycle_t at = 0;
        way_to what;
        turn when;
        bool is_task = false;
        std::uint16_t rank = 0;
    };
    const ending& last() const { return m_last; }
    /// Gathers the spans of all ranks in rank 0, where the path ends with `last`. All ranks call together.
    void gather(world& all, const ending& last);

    /// Returns the way to the last event, first span first.
    std::vector<path_segment> result() const;

  private:
    std::uint64_t& way_of(std::uint32_t strand) {
        if (strand >= m_ways.size()) m_ways.resize(strand + 1, path_segment::none);
        return m_ways[strand];
    }

    std::uint16_t m_rank;
    std::vector<record_file<path_segment>> m_spans;  ///< spans of the run, or of each rank
    std::vector<std::uint64_t> m_ways;               ///< last span of each strand
    way_to m_cause;
    ending m_last;
};

}  // namespace sare::traffic
