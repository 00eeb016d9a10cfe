// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/collectives.h"
#include "traffic/program/executor/parameters.h"
#include "traffic/program/executor/phases.h"
#include "traffic/program/executor/stages.h"

#include <array>

namespace sare::traffic {

/// Takes tasks through their operations. Each operation, or each step of a collective, becomes a stage
/// (sends, receives, waits, computation; struct stage) of the strand that does it. This is the task's own
/// strand, or one that is made for the operation (class strands).
class interpreter {
  public:
    /// `node_of`: node of each task; `observer`: is told of all acts; null: none. All references must outlive
    /// the object.
    interpreter(program& what, const executor_parameters& p, traffic_port& port,
                const std::vector<std::uint32_t>& node_of, program_observer* observer);

    /// Returns the state of all strands, messages and cores.
    stages& doing() { return m_stages; }
    const stages& doing() const { return m_stages; }
    /// Runs strand `s`, which must be ready to go on (not checked), until it waits for an event or for time
    /// to pass, or has ended.
    void run(std::uint32_t s);
    /// Runs all strands that have become ready to go on in this cycle.
    void run_ready();

    std::size_t finished() const { return m_finished; }  ///< number of tasks of this process that have ended
    /// Returns the cycle in which the last of these tasks ended; 0: no task has. After add_up(): of all
    /// processes.
    cycle_t last_finish() const { return m_last_finish; }
    /// Returns the number of operations of a task that were read: they have begun, or wait for what they
    /// need.
    std::uint64_t operations(std::uint32_t task) const { return m_tasks[task].operations; }
    /// Returns the cycle in which a task ended; 0: the task has not ended.
    cycle_t finish(std::uint32_t task) const { return m_tasks[task].finish; }
    /// Returns the collectives of all tasks.
    const collectives& called() const { return m_collectives; }
    /// Returns the cycles at which tasks passed marks.
    const phases& marks() const { return m_marks; }

    /// Adds up, in every process, the results of all processes, which must call it together.
    void add_up(world& all);
    void serialize(archive& a);

  private:
    struct of_task {
        std::uint32_t beside = 0;  ///< number of strands beside the task's own that have not ended
        bool read = false;         ///< true: all operations of the task were read
        /// Number of operations that were read.
        std::uint64_t operations = 0;
        /// Cycle in which the task ended; 0: not yet.
        cycle_t finish = 0;
    };
    /// The collective that a strand is in, as a number of collectives; strands::none: no collective.
    struct part {
        std::uint32_t collective = strands::none;
        double after = 0;  ///< seconds of computation behind the collective
    };

    strands& threads() { return m_stages.threads(); }
    bool fetch(std::uint32_t s);
    void prepare(std::uint32_t s, const operation& o);
    void prepare_collective(std::uint32_t s, const operation& o);
    void translate(stage& now, std::uint32_t communicator) const;
    /// Returns the seconds of computation of an operation on the simulated machine.
    double seconds(const operation& o) const {
        return (o.seconds + o.flops / m.flops_per_second) * m.cpu_factor;
    }
    std::uint32_t task_of(std::uint32_t communicator, std::uint32_t rank) const;
    bool next_step(std::uint32_t s);
    void pass(std::uint32_t index, std::int64_t mark);
    void fork(std::uint32_t index, const operation& o);
    static void wait_for_one_sided(stage& now);
    bool is_held(std::uint32_t s, const operation& o);
    void end(std::uint32_t s);
    void finish_if_done(std::uint32_t index);
    const communicator& group(std::uint32_t id) const { return id == 0 ? m_all : m_program.group(id); }

    program& m_program;
    const executor_parameters& m;
    const traffic_port& m_port;
    program_observer* m_observer;
    stages m_stages;
    all_tasks m_all;
    collectives m_collectives;
    phases m_marks;
    std::array<stage::plan, op_count> m_plans;  ///< plan of the stage of each kind of operation that is no
                                                ///< collective
    operation m_operation;                      ///< last operation that was read
    std::vector<of_task> m_tasks;
    growing_array<part> m_parts;  ///< collective that each strand is in
    std::size_t m_finished = 0;
    cycle_t m_last_finish = 0;
};

}  // namespace sare::traffic
