// SPDX-License-Identifier: Apache-2.0
#include "traffic/training/model.h"

#include <fmt/format.h>

namespace sare::traffic {
namespace {

/// Resolves every entry with its defaults.
config::value resolve_layers(const config::value& given) {
    if (given.type() != config::value::kind::list) return given;
    std::vector<config::value> all;
    for (const auto& item : given.items()) {
        layer l;
        layer_fields().read(item, l, "layers");
        all.push_back(layer_fields().write(l));
    }
    return config::value::list(std::move(all), given.where());
}

}  // namespace

const config::schema<layer>& layer_fields() {
    using p = layer;
    static const auto fields =
        config::schema<p>()
            .number("count", &p::count, 1, 1e6, "", "so many in a row are alike")
            .number("parameters", &p::parameters, 0, 1e15, "bytes",
                    "of the weights (of all experts), and of their gradients")
            .number("activations", &p::activations, 0, 1e15, "bytes", "that it puts out for a microbatch")
            .number("forward", &p::forward, 0, 1e6, "s", "of a microbatch on one task")
            .number("backward", &p::backward, 0, 1e6, "s", "of a microbatch on one task")
            .number("all_reduces", &p::all_reduces, 0, 100, "",
                    "of its activations among the tasks that share it, forwards and again backwards")
            .number("experts", &p::experts, 0, 1e6, "",
                    "0: none; else an all-to-all of the activations before it and one after it")
            .number("experts_per_token", &p::experts_per_token, 0, 1e6, "", "copies of the activations");
    return fields;
}

const config::schema<training_parameters>& training_fields() {
    using p = training_parameters;
    static const auto fields =
        config::schema<p>()
            .number("tasks", &p::tasks, 0, 16777216, "", "tasks; 0: tasks_per_node on every node")
            .list("layers", &p::layers, "list of sections", layer_fields().describe(), "from first to last",
                  resolve_layers)
            .number("data", &p::data, 0, 16777216, "", "copies of the model; 0: what the other degrees leave")
            .number("tensor", &p::tensor, 1, 16777216, "", "tasks that share a layer")
            .number("pipeline", &p::pipeline, 1, 16777216, "", "stages that the layers are dealt out to")
            .number("expert", &p::expert, 1, 16777216, "",
                    "copies that deal the experts of a layer out among them; it divides 'data'")
            .number("microbatches", &p::microbatches, 1, 1e6, "", "of a step, for each copy")
            .number("steps", &p::steps, 1, 1e9, "", "each ends with the optimizer")
            .choice("schedule", &p::schedule,
                    {{"1f1b", pipeline_schedule::one_forward_one_backward},
                     {"all_forward_first", pipeline_schedule::all_forward_first}},
                    "1f1b: backwards as soon as it can be, in turn with forwards; all_forward_first: GPipe")
            .choice("gradients", &p::gradients,
                    {{"all_reduce", gradient_exchange::all_reduce}, {"sharded", gradient_exchange::sharded}},
                    "sharded: reduce-scatter, an optimizer for a part of the weights, all-gather (ZeRO)")
            .number("bucket_bytes", &p::bucket_bytes, 0, 1e15, "bytes",
                    "gradients are exchanged in pieces that are as large at least; 0: all at once")
            .flag("overlap", &p::overlap,
                  "gradients are exchanged while the last microbatch still goes backwards; else after it")
            .number("optimizer", &p::optimizer, 0, 1e6, "s", "of a step, for all weights of a task")
            .section("stragglers", &p::stragglers, straggler_fields(), "times that differ by task")
            .include(executor_fields());
    return fields;
}

parallel_grid::parallel_grid(const training_parameters& p, std::uint32_t all, const config::location& where)
    : tasks(all), tensor(p.tensor), data(p.data), pipeline(p.pipeline), expert(p.expert) {
    const std::uint64_t rest = std::uint64_t{tensor} * pipeline;
    if (data == 0 && tasks % rest == 0) data = static_cast<std::uint32_t>(tasks / rest);
    if (data == 0 || rest * data != tasks)
        throw config::error(
            where,
            fmt::format("'data', 'tensor' and 'pipeline' must multiply to the {} tasks; they are {}{} x {}",
                        tasks, (data == 0 ? "" : fmt::format("{} x ", data)), tensor, pipeline));
    if (data % expert != 0)
        throw config::error(where, fmt::format("'expert' must divide 'data', {}; {} does not", data, expert));
}

std::uint32_t parallel_grid::size(group_kind kind) const {
    switch (kind) {
        case group_kind::tensor:
            return tensor;
        case group_kind::data:
            return data;
        case group_kind::expert:
            return expert;
        case group_kind::replica:
            break;
    }
    return data / expert;
}

std::uint32_t parallel_grid::stride(group_kind kind) const {
    if (kind == group_kind::tensor) return 1;
    return kind == group_kind::replica ? tensor * expert : tensor;
}

/// Returns a group's number: that of its first task, behind the numbers of the kinds before.
std::uint32_t parallel_grid::group_of(group_kind kind, std::uint32_t task) const {
    const std::uint32_t rank = task / stride(kind) % size(kind);
    return 1 + static_cast<std::uint32_t>(kind) * tasks + task - rank * stride(kind);
}

strided_tasks parallel_grid::group(std::uint32_t number) const {
    const auto kind = static_cast<group_kind>((number - 1) / tasks);
    return {(number - 1) % tasks, stride(kind), size(kind)};
}

std::vector<layer> read_layers(const training_parameters& p, const parallel_grid& grid,
                               const config::location& where) {
    std::vector<layer> all;
    if (p.layers.type() == config::value::kind::list)
        for (const auto& item : p.layers.items()) {
            layer l;
            layer_fields().read(item, l, "layers");
            if (l.experts % grid.expert != 0)
                throw config::error(
                    item.where(),
                    fmt::format("'expert' must divide the 'experts' of a layer, {}; {} does not", l.experts,
                                grid.expert));
            if (l.experts > 0 && l.experts_per_token > l.experts)
                throw config::error(
                    item.where(),
                    fmt::format("'experts_per_token' must be at most the 'experts' of a layer, {}, not {}",
                                l.experts, config::number_text(l.experts_per_token)));
            all.insert(all.end(), l.count, l);
        }
    if (all.empty())
        throw config::error(where,
                            "workload 'training' needs 'layers', a list: [{count: 24, parameters: 25e6, "
                            "activations: 4e6, forward: 1e-3, backward: 2e-3}]");
    if (all.size() < grid.pipeline)
        throw config::error(where, fmt::format("'pipeline' has more stages than there are layers: {}, and {}",
                                               grid.pipeline, all.size()));
    return all;
}

}  // namespace sare::traffic
