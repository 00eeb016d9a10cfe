// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/executor.h"
#include "traffic/training/stragglers.h"

/// The trained model, and its distribution over tasks.
namespace sare::traffic {

struct layer {
    std::uint32_t count = 1;           ///< number of layers that are alike
    double parameters = 0;             ///< bytes; gradients have as many
    double activations = 0;            ///< bytes of a microbatch
    double forward = 0, backward = 0;  ///< seconds of a microbatch
    std::uint32_t all_reduces = 2;  ///< number forwards, and as many backwards, among the tasks that share it
    std::uint32_t experts = 0;      ///< number of experts; 0: every token goes through all of it
    double experts_per_token = 1;
};
const config::schema<layer>& layer_fields();

enum class pipeline_schedule { all_forward_first, one_forward_one_backward };
enum class gradient_exchange { all_reduce, sharded };

struct training_parameters : executor_parameters {
    std::uint32_t tasks = 0;
    config::value layers;  ///< sections of layer_fields()
    std::uint32_t data = 0, tensor = 1, pipeline = 1, expert = 1, microbatches = 1, steps = 1;
    pipeline_schedule schedule = pipeline_schedule::one_forward_one_backward;
    gradient_exchange gradients = gradient_exchange::all_reduce;
    double bucket_bytes = 25e6;
    bool overlap = true;
    double optimizer = 0;
    straggler_parameters stragglers;
};
const config::schema<training_parameters>& training_fields();

/// The kinds of communicators; ranks within each are counted by its own coordinate.
enum class group_kind : std::uint32_t { tensor, data, expert, replica };

/// A grid of tasks of tensor, data and pipeline ranks, the first varying fastest. Of the data ranks, `expert`
/// in a row share the experts of a layer; ranks with the same experts are replicas.
class parallel_grid {
  public:
    /// Throws config::error if the degrees do not make so many tasks.
    parallel_grid(const training_parameters& p, std::uint32_t tasks, const config::location& where);

    std::uint32_t stage(std::uint32_t task) const { return task / (tensor * data); }
    std::uint32_t neighbour(std::uint32_t task, int stages) const {
        return static_cast<std::uint32_t>(static_cast<std::int64_t>(task) +
                                          stages * std::int64_t{tensor} * data);
    }
    std::uint32_t size(group_kind kind) const;
    /// Returns the number of a task's communicator, or the communicator of a number.
    std::uint32_t group_of(group_kind kind, std::uint32_t task) const;
    strided_tasks group(std::uint32_t number) const;

    std::uint32_t tasks, tensor, data = 1, pipeline, expert;

  private:
    std::uint32_t stride(group_kind kind) const;
};

/// Returns the layers one by one. Throws config::error for a list that is none, for less layers than stages,
/// and for experts that cannot be dealt out.
std::vector<layer> read_layers(const training_parameters& p, const parallel_grid& grid,
                               const config::location& where);

}  // namespace sare::traffic
