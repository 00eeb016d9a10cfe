// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/planned.h"
#include "traffic/training/model.h"
#include "traffic/training/sent_bytes.h"

namespace sare::traffic {

/// The workload `training`: training of a neural network in steps. In a step each microbatch goes through the
/// stages of a pipeline, forwards and backwards; then the gradients of all copies of the model are summed up,
/// and the optimizer updates the weights.
class training final : public planned_program {
  public:
    /// `tasks`: number of tasks. Throws config::error at `where`, or at the key that is wrong, for parameters
    /// that do not fit each other or the tasks.
    training(const training_parameters& p, std::uint32_t tasks, const config::location& where);

    const communicator& group(std::uint32_t id) const override;
    void passed(std::uint32_t task, std::int64_t mark, cycle_t now) override;
    void add_up(world& all) override;
    std::vector<std::pair<std::string, config::value>> results(const program_run& run) const override;
    std::vector<std::pair<std::string, std::string>> tables(const program_run& run) const override;
    void serialize(archive& a) override;

  private:
    /// State of a task, to which its time is charged. forward, backward and optimizer: computation. pipeline
    /// to parameters are waits: for a neighbouring stage (pipeline), for all-reduces among the tasks of a
    /// layer (tensor), for all-to-alls of experts, for exchanges of gradients, for all-gathers of weights
    /// (parameters). step_end: marks the end of a step.
    enum state : std::int64_t {
        forward,
        backward,
        optimizer,
        pipeline,
        tensor,
        experts,
        gradients,
        parameters,
        step_end
    };
    struct task_progress {
        std::uint32_t step = 0, passage = 0;  ///< number of the present step, and of the passage in it, from
                                              ///< 0
        double slowness = 1;                  ///< factor on the task's computation in this step
        double pending[2] = {0, 0};  ///< bytes of gradients that are ready and not exchanged yet: [0]
                                     ///< ordinary layers, [1] layers with experts
        /// Gradients exchanged by one collective.
        struct shard {
            bool of_experts = false;
            double bytes = 0;
        };
        std::vector<shard> exchanged;  ///< exchanges of this step, in order
        std::uint32_t steps_over = 0;  ///< number of steps that the task has ended
        cycle_t over = 0;              ///< cycle in which the task last ended a step; 0: no step has ended
        template <class Archive>
        void serialize(Archive& a) {
            a(step, passage, slowness, pending, exchanged, steps_over, over);
        }
    };

    // training.cpp: what a task does
    bool plan(std::uint32_t task) override;
    void pass_stage(std::uint32_t task);
    void transfer(std::uint32_t task, bool backwards, std::uint32_t microbatch, bool receives);
    void pass_layer(std::uint32_t task, const layer& l, bool backwards);
    void finish_step(std::uint32_t task);

    // gradients.cpp: what copies exchange
    void add_gradients(std::uint32_t task, const layer& l);
    void exchange(std::uint32_t task, bool of_experts);
    void gather_parameters(std::uint32_t task);

    void work(std::uint32_t task, double seconds) { compute(task, seconds * m_at[task].slowness); }
    operation* collective(std::uint32_t task, state s, op what, group_kind kind, double bytes);
    config::value bytes() const;
    std::uint32_t first_layer(std::uint32_t stage) const {
        return static_cast<std::uint32_t>(std::uint64_t{stage} * m_layers.size() / m_grid.pipeline);
    }

    training_parameters m;
    parallel_grid m_grid;
    std::vector<layer> m_layers;
    std::vector<task_progress> m_at;
    mutable std::map<std::uint32_t, strided_tasks> m_groups;  ///< communicators made so far, by number
    sent_bytes m_sent;
    std::uint64_t m_bytes[step_end] = {};  ///< bytes that tasks here have sent, or planned to, in each state
    std::vector<cycle_t> m_step_ends;      ///< cycle in which the last task ended each step
};

}  // namespace sare::traffic
