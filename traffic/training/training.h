// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/planned.h"
#include "traffic/training/model.h"
#include "traffic/training/sent_bytes.h"

namespace sare::traffic {

/// The training of a neural network, in steps: microbatches go through the stages of a pipeline, forwards and
/// backwards; then the gradients of all copies are summed up, and the optimizer updates the weights.
class training final : public planned_program {
  public:
    training(const training_parameters& p, std::uint32_t tasks, const config::location& where);

    const communicator& group(std::uint32_t id) const override;
    void passed(std::uint32_t task, std::int64_t mark, cycle_t now) override;
    void add_up(world& all) override;
    std::vector<std::pair<std::string, config::value>> results(const program_run& run) const override;
    std::vector<std::pair<std::string, std::string>> tables(const program_run& run) const override;
    void serialize(archive& a) override;

  private:
    /// The activity of a task: the first three are computation, the others waits.
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
        std::uint32_t step = 0, passage = 0;  ///< present step, and passage in it
        double slowness = 1;                  ///< result of sare::traffic::slowness() for this step
        double pending[2] = {0, 0};           ///< bytes of gradients that are ready: of weights, of experts
        struct shard {
            bool of_experts = false;
            double bytes = 0;
        };
        std::vector<shard> exchanged;  ///< shards exchanged in this step
        std::uint32_t steps_over = 0;  ///< number of steps that are over
        cycle_t over = 0;              ///< cycle in which its last step was over
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
    mutable std::map<std::uint32_t, strided_tasks> m_groups;  ///< communicators that were asked for
    sent_bytes m_sent;
    std::uint64_t m_bytes[step_end] = {};  ///< bytes sent in each state
    std::vector<cycle_t> m_step_ends;      ///< end of each step, of the last task
};

}  // namespace sare::traffic
