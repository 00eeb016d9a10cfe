// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/collectives.h"
#include "traffic/program/executor/parameters.h"
#include "traffic/program/executor/phases.h"
#include "traffic/program/executor/stages.h"

#include <array>

namespace sare::traffic {

/// The interpreter, which takes tasks through their programs: each operation, or each step of a collective,
/// becomes a stage (see stage) of the strand of its task, or of a strand that is made for it (see strands).
class interpreter {
  public:
    /// `observer` may be null.
    interpreter(program& what, const executor_parameters& p, traffic_port& port,
                const std::vector<std::uint32_t>& node_of, program_observer* observer);

    stages& doing() { return m_stages; }
    const stages& doing() const { return m_stages; }
    /// Runs a strand until it waits for an event or for time to pass, or has ended.
    void run(std::uint32_t s);
    /// Runs all strands that may go on in this cycle.
    void run_ready();

    std::size_t finished() const { return m_finished; }    ///< number of tasks whose program is over
    cycle_t last_finish() const { return m_last_finish; }  ///< latest finish() of these tasks
    /// Number of operations of a task that were read from its program.
    std::uint64_t operations(std::uint32_t task) const { return m_tasks[task].operations; }
    /// Cycle in which the program of a task was over; 0: not yet.
    cycle_t finish(std::uint32_t task) const { return m_tasks[task].finish; }
    const collectives& called() const { return m_collectives; }
    const phases& marks() const { return m_marks; }

    /// Adds up the results of all processes.
    void add_up(world& all);
    void serialize(archive& a);

  private:
    struct of_task {
        std::uint32_t beside = 0;  ///< number of strands beside its own
        bool read = false;         ///< true: its program was read to the end
        std::uint64_t operations = 0;
        cycle_t finish = 0;
    };
    /// The collective that a strand is in.
    struct part {
        std::uint32_t collective = strands::none;
        double after = 0;  ///< seconds of computation after it
    };

    strands& threads() { return m_stages.threads(); }
    bool fetch(std::uint32_t s);
    void prepare(std::uint32_t s, const operation& o);
    void prepare_collective(std::uint32_t s, const operation& o);
    void translate(stage& now, std::uint32_t communicator) const;
    /// Returns the seconds of an operation's computation, on the simulated machine.
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
    std::array<stage::plan, op_count> m_plans;  ///< plan of each operation
    operation m_operation;                      ///< operation that was read last
    std::vector<of_task> m_tasks;
    growing_array<part> m_parts;  ///< collective of each strand
    std::size_t m_finished = 0;
    cycle_t m_last_finish = 0;
};

}  // namespace sare::traffic
