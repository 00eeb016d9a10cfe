// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/stats/log/merged_records.h"
#include "traffic/observe/task_event.h"

#include <limits>
#include <vector>

namespace sare::traffic {

/// A span of time on a path through the events of a run, with the number of the span before it.
struct path_segment {
    enum kind : std::uint8_t {
        /// Computation of a task.
        compute,
        send,       ///< a task spends its overhead of a send
        receive,    ///< a task spends its overhead of a receive
        queue,      ///< a task waits for room in its source queue
        message,    ///< a message under way, from the task that sent it to the task that it released
        handshake,  ///< a message without data under way: request to send or clear to send of a rendezvous,
                    ///< request of a get, or acknowledgement of a put
        local,      ///< a message between tasks of one node
    };
    /// Value of `before` for the first span of a path.
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    cycle_t begin = 0, end = 0;      ///< first cycle of the span, and the cycle behind its last one
    cycle_t injected = 0;            ///< message: cycle in which its first flit left the source queue
    cycle_t alone = 0;               ///< message: cycles that it would take alone in the network; 0: unknown
    std::uint64_t before = none;     ///< number of the span before it; none: it is the first one
    std::uint32_t from = 0, to = 0;  ///< task of the span; message: sending and receiving task
    std::uint32_t phase = 0;         ///< number of the phase of task `from` (phase_table)
    kind is = compute;               ///< kind of the span
    std::uint16_t rank = 0;  ///< rank of the process whose numbers `before` and `phase` are; 0 if there is
                             ///< one process
};
static_assert(sizeof(path_segment) == 56);

/// Records which event let each strand go on, to find the critical path of a run. (A strand is a thread of
/// control of a task: the sequence of its program, or an operation beside it.) Every strand has a *way*: a
/// chain of spans without holes from the first cycle until now, in which each span is the last thing that the
/// next one waited for. A strand that waits gets the way of the event that lets it go on.
class critical_path {
  public:
    /// `rank`: rank of this process, if several run the program; else 0.
    explicit critical_path(std::uint16_t rank = 0) : m_rank(rank), m_spans(1) {}

    /// @name Calls that set the present event: the cause of everything that is noted until the next such call
    void strand_goes_on(std::uint32_t strand) { m_cause = {way_of(strand), {}, false}; }
    /// The present event is that a message has come. `way`: span of the message, which is stored only if the
    /// message causes a later event; `first`: first cycle of the run, in which no arrival becomes last();
    /// `when`: turn of the event in its cycle.
    void message_came(const path_segment& way, cycle_t first, turn when);
    /// @}

    /// The present event lets `strand` go on, or makes it.
    void released(std::uint32_t strand) { way_of(strand) = cause(); }
    /// Adds the span `span`, which a strand has spent or is about to spend, to its way; sets span.before and
    /// span.rank. A span of no cycles is not added.
    void spends(std::uint32_t strand, path_segment span);
    /// Returns the number of the last span of the way to the present event, for the span of a message that
    /// the event sends; path_segment::none if the way is empty. Stores the span of a message that came, if
    /// that is the event.
    std::uint64_t cause();
    /// The present event ends a task, in cycle `now` and in turn `when` of this cycle.
    void finished(cycle_t now, turn when);

    /// A way, represented by its last span.
    struct way_to {
        std::uint64_t way = path_segment::none;  ///< number of the last stored span; none: there is none
        path_segment pending;  ///< span behind span `way` that is not stored yet, if `has` is true
        bool has = false;      ///< true: `pending` is the last span of the way
    };
    /// The last event so far: the end of a task, or the arrival of a later message.
    struct ending {
        /// Cycle of the event; way to it; its turn in the cycle; whether it is the end of a task; rank of the
        /// process.
        cycle_t at = 0;
        way_to what;
        turn when;
        bool is_task = false;
        std::uint16_t rank = 0;
    };
    /// Returns the last event so far; its cycle `at` is 0 if there was none.
    const ending& last() const { return m_last; }
    /// Gathers the spans of all processes in rank 0, where the path then ends with `last`, the last event of
    /// all. All ranks must call it together.
    void gather(world& all, const ending& last);

    /// Returns the spans of the way to the last event, the first one first; none if there was no event. With
    /// several processes, call it after gather(), in rank 0.
    std::vector<path_segment> result() const;

  private:
    std::uint64_t& way_of(std::uint32_t strand) {
        if (strand >= m_ways.size()) m_ways.resize(strand + 1, path_segment::none);
        return m_ways[strand];
    }

    std::uint16_t m_rank;
    std::vector<record_file<path_segment>> m_spans;  ///< spans of this process; after gather(), of each rank
    std::vector<std::uint64_t> m_ways;               ///< number of the last span of each strand's way
    way_to m_cause;
    ending m_last;
};

}  // namespace sare::traffic
