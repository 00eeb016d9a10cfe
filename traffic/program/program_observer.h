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

/// A listener that is told what the tasks of a program do, as they do it, and shows it in the end.
class program_observer {
  public:
    virtual ~program_observer() = default;

    /// @name While the program runs; all of it happens now
    /// @{
    /// Tells that a strand is due, in this order among those of the cycle: strands::order().
    virtual void is_due(std::uint32_t strand, std::uint64_t order) = 0;
    /// Tells that a strand goes on: what let it causes all that happens from here on.
    virtual void goes_on(std::uint32_t strand) = 0;
    /// Tells that a strand waits no more, or is made, because of what happens now.
    virtual void released(std::uint32_t strand) = 0;
    virtual void made(std::uint32_t strand) = 0;
    virtual void begins(std::uint32_t strand, std::uint32_t task, const operation& o) = 0;
    virtual void marks(std::uint32_t task, std::int64_t mark) = 0;
    /// Tells that a strand spends time until cycle `end`: compute, send or receive.
    virtual void occupies(std::uint32_t strand, std::uint32_t task, task_state s, cycle_t end) = 0;
    virtual void waits(std::uint32_t strand, std::uint32_t task, task_state s) = 0;
    /// Tells that there is room again for a strand that has waited since `since`.
    virtual void has_room(std::uint32_t strand, std::uint32_t task, cycle_t since) = 0;
    virtual void ends(std::uint32_t strand, std::uint32_t task) = 0;
    virtual void finishes() = 0;
    /// Tells that a message of a program's is counted.
    virtual void sends(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) = 0;
    /// Tells that a message, known by `slot` until it comes, leaves `from` for `to` through the network
    /// (`out`) or inside a node (null). `control`: a question or an answer of a rendezvous.
    virtual void leaves(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool control,
                        std::uint64_t bytes, const message* out) = 0;
    virtual void comes(std::uint32_t slot, cycle_t injected, bool inside_node) = 0;
    /// @}

    /// @name Words that go along with a message from process to process: workload::write_words()
    /// @{
    virtual void write(std::uint32_t slot, std::uint64_t* to) const = 0;
    virtual void take_over(std::uint32_t slot, const std::uint64_t* from) = 0;
    /// @}

    /// @name In the end
    /// @{
    /// Ends the last spans of all tasks; nothing may follow.
    virtual void close(cycle_t end) = 0;
    /// Adds up several processes after close(), each of which has seen its tasks: rank 0 shows all.
    virtual void add_up(world& all) = 0;
    virtual void add_results(config::value& out) const = 0;
    virtual std::vector<std::pair<std::string, std::string>> tables() const = 0;
    /// Returns files that are written from what was observed; they keep it as long as they need it.
    virtual result_streams files() const = 0;
    /// @}
};

}  // namespace sare::traffic
