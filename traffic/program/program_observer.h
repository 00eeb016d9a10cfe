// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "traffic/program/operation.h"

namespace sare::traffic {

/// The state of a task. A task with several strands (threads of control) has the state of the strand whose
/// state comes last here.
enum class task_state : std::uint8_t {
    idle,        ///< has ended, or has nothing to do at present
    collective,  ///< waits in a collective
    wait,        ///< waits in a wait or waitall, or for the needs of an operation
    blocked,     ///< waits in a receive or probe, or in a send by rendezvous
    receive,     ///< spends the overhead of a receive on a core
    send,        ///< spends the overhead of a send on a core, or waits for room in the source queue
    /// Computes.
    compute,
};
/// Number of states.
constexpr std::size_t task_state_count = static_cast<std::size_t>(task_state::compute) + 1;

/// Calls that tell of the acts of a program's tasks in the cycle in which each happens. A strand is a thread
/// of control of a task: its sequence, or an operation beside it. Strands are numbered from 0; strand t is
/// the sequence of task t. The present event is what is_due(), goes_on() or comes() told last.
class program_events {
  public:
    /// A strand is due: it begins, or its computation or overhead is over. `order`: strands::order() of the
    /// strand.
    virtual void is_due(std::uint32_t strand, std::uint64_t order) = 0;
    /// A strand goes on: it is the cause of everything that is told until the next goes_on() or comes().
    virtual void goes_on(std::uint32_t strand) = 0;
    /// A strand no longer waits, since the present event has ended its wait.
    virtual void released(std::uint32_t strand) = 0;
    /// The present event has made a strand.
    virtual void made(std::uint32_t strand) = 0;
    /// A strand begins the operation `o`.
    virtual void begins(std::uint32_t strand, std::uint32_t task, const operation& o) = 0;
    /// A task passes the mark with number `mark`.
    virtual void marks(std::uint32_t task, std::int64_t mark) = 0;
    /// A strand takes a core until cycle `end`, to compute or for the overhead of a send or receive (`s`).
    virtual void occupies(std::uint32_t strand, std::uint32_t task, task_state s, cycle_t end) = 0;
    /// A strand begins to wait; `s`: state of its task meanwhile.
    virtual void waits(std::uint32_t strand, std::uint32_t task, task_state s) = 0;
    /// The source queue has room for a strand that has waited for it since cycle `since`; the strand goes on
    /// next.
    virtual void has_room(std::uint32_t strand, std::uint32_t task, cycle_t since) = 0;
    /// A strand has ended its last operation; called once for each strand.
    virtual void ends(std::uint32_t strand, std::uint32_t task) = 0;
    /// The present event has ended the last strand of a task.
    virtual void finishes() = 0;
    /// Task `from` sends `bytes` to task `to`; for a get, `from` is the task that has the data. Not called
    /// for messages that only the protocol needs.
    virtual void sends(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) = 0;
    /// A message leaves task `from` for `to`, with the tag `slot`, which names it until it comes: through the
    /// network as `out`, or inside a node (`out` is null). `control`: true for messages without data:
    /// handshake of a rendezvous, request of a get, acknowledgement of a put. `bytes`: its data.
    virtual void leaves(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool control,
                        std::uint64_t bytes, const message* out) = 0;
    /// The message with the tag `slot` has arrived. `injected`: cycle in which its first flit left the source
    /// queue; `inside_node`: true if the message did not use the network.
    virtual void comes(std::uint32_t slot, cycle_t injected, bool inside_node) = 0;

  protected:
    ~program_events() = default;
};

/// Records of an observer that go with a message from the process of its sender to the process of its
/// receiver (divided_traffic::write_words()).
class carried_records {
  public:
    /// Writes what is known of the message with the tag `slot` to `to`, in a fixed number of 64-bit words.
    virtual void write(std::uint32_t slot, std::uint64_t* to) const = 0;
    /// Reads, in the process of the receiver, what write() wrote of the message, which has the tag `slot`
    /// here.
    virtual void take_over(std::uint32_t slot, const std::uint64_t* from) = 0;

  protected:
    ~carried_records() = default;
};

/// A listener to a program, which has results at the end of the run.
class program_observer : public program_events, public carried_records {
  public:
    virtual ~program_observer() = default;

    /// Ends the record: tasks keep their states until cycle `end`. Further calls of close() do nothing.
    virtual void close(cycle_t end) = 0;
    /// Gathers the records of all processes in the process of rank 0, after close(). All processes must call
    /// it together.
    virtual void add_up(world& all) = 0;
    /// Adds the observer's results, each under a key of its own, to the map `out`.
    virtual void add_results(config::value& out) const = 0;
    /// Returns the observer's tables of results, as file name and contents; call it after close().
    virtual std::vector<std::pair<std::string, std::string>> tables() const = 0;
    /// Returns larger files of results, whose contents are made from the record when they are written; they
    /// keep the record alive.
    virtual result_streams files() const = 0;
};

}  // namespace sare::traffic
