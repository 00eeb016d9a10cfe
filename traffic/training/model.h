// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/executor.h"
#include "traffic/training/stragglers.h"

/// The trained model, and its distribution over tasks.
namespace sare::traffic {

struct layer {
    std::uint32_t count = 1;           ///< number of layers in a row that are alike
    double parameters = 0;             ///< bytes of the weights (of all experts), and of their gradients
    double activations = 0;            ///< bytes that it puts out for a microbatch
    double forward = 0, backward = 0;  ///< seconds of a microbatch on one task, in each direction
    /// Number of all-reduces of the activations of a microbatch among the tasks that share the layer,
    /// forwards, and as many backwards.
    std::uint32_t all_reduces = 2;
    std::uint32_t experts = 0;     ///< number of experts; 0: the layer has none
    double experts_per_token = 1;  ///< number of experts that a token goes through
};
const config::schema<layer>& layer_fields();

enum class pipeline_schedule { all_forward_first, one_forward_one_backward };
enum class gradient_exchange { all_reduce, sharded };

struct training_parameters : executor_parameters {
    std::uint32_t tasks = 0;     ///< number of tasks; 0: tasks_per_node on every node
    config::value layers;        ///< sections of layer_fields()
    std::uint32_t data = 0;      ///< copies of the model; 0: as many as tensor and pipeline leave tasks for
    std::uint32_t tensor = 1;    ///< tasks that share a layer
    std::uint32_t pipeline = 1;  ///< stages among which the layers are divided
    std::uint32_t expert = 1;    ///< copies that divide the experts of a layer among them; divides `data`
    std::uint32_t microbatches = 1;  ///< microbatches of a step, for each copy
    std::uint32_t steps = 1;         ///< number of steps
    pipeline_schedule schedule = pipeline_schedule::one_forward_one_backward;
    gradient_exchange gradients = gradient_exchange::all_reduce;
    double bucket_bytes = 25e6;  ///< least bytes of gradients that are exchanged at once; 0: all at once
    bool overlap = true;   ///< true: gradients are exchanged while the last microbatch still goes backwards
    double optimizer = 0;  ///< seconds of the optimizer in a step, for all weights of a task
    straggler_parameters stragglers;
};
const config::schema<training_parameters>& training_fields();

/// The kinds of communicators of a parallel_grid: tasks that differ only in their tensor rank, data rank, or
/// among the data ranks in their expert rank or their replica rank. Ranks in a communicator are in the order
/// of that coordinate.
enum class group_kind : std::uint32_t { tensor, data, expert, replica };

/// A grid of tasks of tensor, data and pipeline ranks, the first varying fastest. Of the data ranks, `expert`
/// in a row share the experts of a layer; ranks with the same experts are replicas.
class parallel_grid {
  public:
    /// Throws config::error if the degrees do not make so many tasks.
    parallel_grid(const training_parameters& p, std::uint32_t tasks, const config::location& where);

    std::uint32_t stage(std::uint32_t task) const {
        return task / (tensor * data);
    }  ///< pipeline rank of a task
    /// Returns the task with the same tensor and data rank that is `stages` stages further on.
    std::uint32_t neighbour(std::uint32_t task, int stages) const {
        return static_cast<std::uint32_t>(static_cast<std::int64_t>(task) +
                                          stages * std::int64_t{tensor} * data);
    }
    std::uint32_t size(group_kind kind) const;  ///< number of tasks in a communicator of a kind
    /// Return the number of a task's communicator of a kind, and the communicator of a number.
    std::uint32_t group_of(group_kind kind, std::uint32_t task) const;
    strided_tasks group(std::uint32_t number) const;

    std::uint32_t tasks, tensor, data = 1, pipeline, expert;  ///< see training_parameters

  private:
    std::uint32_t stride(group_kind kind) const;
};

/// Returns the layers one by one, layer::count of each entry. Throws config::error at `where`, or at an
/// entry, if p.layers is no list, for fewer layers than stages, and for experts that cannot be divided
/// evenly.
std::vector<layer> read_layers(const training_parameters& p, const parallel_grid& grid,
                               const config::location& where);

}  // namespace sare::traffic
