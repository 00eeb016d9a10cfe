// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/executor.h"
#include "traffic/training/stragglers.h"

/// The model that is trained, and how it is distributed over tasks.
namespace sare::traffic {

/// A layer of the model, or several alike; an entry of the list `layers`.
struct layer {
    std::uint32_t count = 1;  ///< number of consecutive layers that are alike
    double parameters = 0;    ///< bytes of the weights (of all experts together); the gradients have as many
                              ///< bytes
    double activations = 0;   ///< bytes of the layer's output for one microbatch
    double forward = 0, backward = 0;  ///< seconds of computation of a microbatch if one task has the whole
                                       ///< layer: forwards, and backwards
    /// Number of all-reduces of the activations of a microbatch among the tasks that share the layer, in each
    /// direction; not used if each layer is in one task.
    std::uint32_t all_reduces = 2;
    std::uint32_t experts = 0;     ///< number of experts of the layer; 0: it has no experts
    double experts_per_token = 1;  ///< number of experts that each token goes through
};
/// Returns the schema of layer.
const config::schema<layer>& layer_fields();

/// Order of the passages of microbatches through a stage: all forwards and then all backwards (GPipe), or
/// each backwards as soon as possible, in turn with forwards (1F1B).
enum class pipeline_schedule { all_forward_first, one_forward_one_backward };
/// Exchange of gradients among copies of the model: all-reduce; or reduce-scatter, an optimizer for a part of
/// the weights in each copy, and all-gather of the weights (ZeRO).
enum class gradient_exchange { all_reduce, sharded };

/// Parameters of the workload `training`.
struct training_parameters : executor_parameters {
    std::uint32_t tasks = 0;   ///< number of tasks; 0: tasks_per_node on every node
    config::value layers;      ///< list of entries that layer_fields() describes, from the first layer to the
                               ///< last
    std::uint32_t data = 0;    ///< number of copies of the model (data parallelism); 0: tasks / (tensor *
                               ///< pipeline)
    std::uint32_t tensor = 1;  ///< number of tasks that share each layer (tensor parallelism)
    std::uint32_t pipeline = 1;  ///< number of stages among which the layers are divided (pipeline
                                 ///< parallelism)
    std::uint32_t expert = 1;    ///< number of copies that divide the experts of a layer among them (expert
                                 ///< parallelism); divides `data`
    std::uint32_t microbatches = 1;  ///< number of microbatches of a step, for each copy
    std::uint32_t steps = 1;         ///< number of steps; each ends with the optimizer
    /// Order of microbatches in a stage.
    pipeline_schedule schedule = pipeline_schedule::one_forward_one_backward;
    gradient_exchange gradients = gradient_exchange::all_reduce;  ///< exchange of gradients among copies
    double bucket_bytes = 25e6;  ///< least bytes of gradients in one exchange, which begins as soon as they
                                 ///< are ready; 0: one exchange of all gradients of a step
    bool overlap = true;   ///< true: gradients are exchanged while the last microbatch still goes backwards;
                           ///< false: after it
    double optimizer = 0;  ///< seconds of the optimizer in each step for all weights of a task; divided by
                           ///< the number of copies if gradients are sharded
    /// Tasks that compute slower than the others.
    straggler_parameters stragglers;
};
/// Returns the schema of training_parameters.
const config::schema<training_parameters>& training_fields();

/// The kinds of communicators of a parallel_grid: a communicator has the tasks that agree in all coordinates
/// but one. That one is the tensor rank (tensor); the data rank (data); the data rank within a row of
/// `expert` copies, which have all experts of a layer together (expert); or the number of that row, so that
/// the tasks have the same experts (replica). Ranks in a communicator are in the order of the coordinate.
enum class group_kind : std::uint32_t { tensor, data, expert, replica };

/// The tasks as a grid of three coordinates: tensor rank, data rank and pipeline rank (stage), the first
/// varying fastest.
class parallel_grid {
  public:
    /// `tasks`: number of tasks. Throws config::error at `where` if tensor * data * pipeline is not `tasks`,
    /// or if `expert` does not divide `data`.
    parallel_grid(const training_parameters& p, std::uint32_t tasks, const config::location& where);

    /// Returns the pipeline rank of a task, from 0.
    std::uint32_t stage(std::uint32_t task) const { return task / (tensor * data); }
    /// Returns the task with the same tensor and data rank that is `stages` stages further on (below 0:
    /// back). Does not check that there is such a stage.
    std::uint32_t neighbour(std::uint32_t task, int stages) const {
        return static_cast<std::uint32_t>(static_cast<std::int64_t>(task) +
                                          stages * std::int64_t{tensor} * data);
    }
    std::uint32_t size(group_kind kind) const;  ///< number of tasks in each communicator of a kind
    /// group_of() returns the number, from 1, of the communicator of `kind` in which `task` is; group()
    /// returns the tasks of the communicator with that number (not checked). Numbers differ between kinds.
    std::uint32_t group_of(group_kind kind, std::uint32_t task) const;
    strided_tasks group(std::uint32_t number) const;

    /// Number of tasks; lengths of the grid and of rows of experts, as in training_parameters, but `data` is
    /// never 0.
    std::uint32_t tasks, tensor, data = 1, pipeline, expert;

  private:
    std::uint32_t stride(group_kind kind) const;
};

/// Returns the layers one by one, each entry of p.layers as often as its `count` says. Throws config::error:
/// at `where` if p.layers is no list, is empty, or has fewer layers than there are stages; at an entry whose
/// experts `grid.expert` does not divide, or are fewer than experts_per_token.
std::vector<layer> read_layers(const training_parameters& p, const parallel_grid& grid,
                               const config::location& where);

}  // namespace sare::traffic
