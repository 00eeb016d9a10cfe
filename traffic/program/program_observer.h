// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "traffic/program/operation.h"

namespace sare::traffic {

/// The state of a task. If its strands do different things, the last of these states counts.
enum class task_state : std::uint8_t {
    idle,        ///< has ended, or waits for nothing
    collective,  ///< waits in a collective
    wait,        ///< waits for an operation of its own: wait, waitall, or a need
    blocked,     ///< waits in a receive, or in a send by rendezvous
    receive,     ///< overhead of a receive
    send,        ///< overhead of a send, or waits for room in the source queue
    compute,
};
constexpr std::size_t task_state_count = static_cast<std::size_t>(task_state::compute) + 1;

/// A listener that is told of the acts of a program's tasks in the cycle in which they happen, and has
/// results in the end.
class program_observer {
  public:
    virtual ~program_observer() = default;

    /// @name While the program runs; each call is of an event in the present cycle
    /// @{
    /// A strand is due; `order`: strands::order(), by which the strands of a cycle come.
    virtual void is_due(std::uint32_t strand, std::uint64_t order) = 0;
    /// A strand goes on: it causes everything that happens until the next goes_on() or comes().
    virtual void goes_on(std::uint32_t strand) = 0;
    /// A strand no longer waits, because of the present event.
    virtual void released(std::uint32_t strand) = 0;
    /// A strand is made, because of the present event.
    virtual void made(std::uint32_t strand) = 0;
    /// A strand begins an operation.
    virtual void begins(std::uint32_t strand, std::uint32_t task, const operation& o) = 0;
    /// A task passes a mark.
    virtual void marks(std::uint32_t task, std::int64_t mark) = 0;
    /// A strand spends time until cycle `end`: compute, send or receive.
    virtual void occupies(std::uint32_t strand, std::uint32_t task, task_state s, cycle_t end) = 0;
    /// A strand begins to wait, with this state of its task.
    virtual void waits(std::uint32_t strand, std::uint32_t task, task_state s) = 0;
    /// There is room in the source queue for a strand that has waited for it since cycle `since`.
    virtual void has_room(std::uint32_t strand, std::uint32_t task, cycle_t since) = 0;
    /// A strand ends its operation.
    virtual void ends(std::uint32_t strand, std::uint32_t task) = 0;
    /// A task has ended.
    virtual void finishes() = 0;
    /// A task sends a message to another one (not the messages of its protocol).
    virtual void sends(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) = 0;
    /// A message, known by `slot` until it comes, leaves task `from` for `to`: through the network, as `out`,
    /// or inside a node (`out` null). `control`: it is an RTS or CTS of a rendezvous.
    virtual void leaves(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool control,
                        std::uint64_t bytes, const message* out) = 0;
    /// A message has come. `injected`: cycle in which its first flit left the source queue.
    virtual void comes(std::uint32_t slot, cycle_t injected, bool inside_node) = 0;
    /// @}

    /// @name Words that go along with a message from process to process: workload::write_words()
    /// @{
    virtual void write(std::uint32_t slot, std::uint64_t* to) const = 0;
    virtual void take_over(std::uint32_t slot, const std::uint64_t* from) = 0;
    /// @}

    /// @name In the end
    /// @{
    /// Ends the record of all tasks before cycle `end`. No event may follow.
    virtual void close(cycle_t end) = 0;
    /// Gathers the records of all processes in rank 0, after close(). All processes call together.
    virtual void add_up(world& all) = 0;
    virtual void add_results(config::value& out) const = 0;
    virtual std::vector<std::pair<std::string, std::string>> tables() const = 0;
    /// Returns files that are written from the record, which they keep alive.
    virtual result_streams files() const = 0;
    /// @}
};

}  // namespace sare::traffic
