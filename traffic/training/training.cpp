// SPDX-License-Identifier: Apache-2.0
#include "traffic/training/training.h"

#include "traffic/training/schedule.h"

#include <fmt/format.h>

#include <cmath>

/// The plan of a task, a passage of its stage at a time.
namespace sare::traffic {
namespace {

/// Returns whole bytes; beyond the most that any message has, all numbers are as good.
std::uint64_t whole(double bytes) {
    return static_cast<std::uint64_t>(std::llround(std::min(bytes, 9e18)));
}

}  // namespace

training::training(const training_parameters& p, std::uint32_t tasks, const config::location& where)
    : planned_program(
          "training",
          {"forward", "backward", "optimizer", "pipeline", "tensor", "experts", "gradients", "parameters"},
          "step_end", tasks),
      m(p),
      m_grid(p, tasks, where),
      m_layers(read_layers(p, m_grid, where)),
      m_at(tasks),
      m_sent(m.collectives) {
    if (!m.stragglers.tasks.all && !m.stragglers.tasks.empty() && m.stragglers.tasks.last() >= tasks)
        throw config::error(m.stragglers.tasks.at, fmt::format("'tasks' names task {}; there are 0 to {}",
                                                               m.stragglers.tasks.last(), tasks - 1));
    if (m.stragglers.law == straggler_law::uniform && m.stragglers.spread > 1)
        throw config::error(where,
                            "'spread' of law 'uniform' is at most 1: a time cannot be below 0; it is " +
                                config::number(m.stragglers.spread).text());
}

const communicator& training::group(std::uint32_t id) const {
    const auto found = m_groups.find(id);
    return found != m_groups.end() ? found->second : m_groups.emplace(id, m_grid.group(id)).first->second;
}

bool training::plan(std::uint32_t task) {
    task_progress& p = m_at[task];
    if (p.step == m.steps) return false;
    if (p.passage == 0) p.slowness = slowness(m.stragglers, task, p.step);
    if (p.passage < 2 * m.microbatches) {
        pass_stage(task);
        ++p.passage;
        return true;
    }
    finish_step(task);
    p.passage = 0;
    ++p.step;
    return true;
}

/// Passes a microbatch from the stage before (backwards: behind) through the layers, and on.
void training::pass_stage(std::uint32_t task) {
    const std::uint32_t stage = m_grid.stage(task);
    const passage_of_stage which = passage(m, stage, m_at[task].passage);
    const std::uint32_t first = first_layer(stage), end = first_layer(stage + 1);
    transfer(task, which.backward, which.microbatch, true);
    for (std::uint32_t i = 0; i < end - first; ++i) {
        const layer& l = m_layers[which.backward ? end - 1 - i : first + i];
        pass_layer(task, l, which.backward);
        if (which.last && m.overlap) add_gradients(task, l);
    }
    transfer(task, which.backward, which.microbatch, false);
}

/// Transfers activations to the next stage, or their gradients back: the output of the layer before the cut.
void training::transfer(std::uint32_t task, bool backwards, std::uint32_t microbatch, bool receives) {
    const std::uint32_t stage = m_grid.stage(task);
    const bool forwards = receives == backwards;  // the other one is the next stage
    if (forwards ? stage + 1 == m_grid.pipeline : stage == 0) return;
    if (receives) enter(task, pipeline);
    operation& o = add(task, receives ? op::recv : op::isend);
    o.peer = m_grid.neighbour(task, forwards ? 1 : -1);
    o.bytes = whole(m_layers[first_layer(forwards ? stage + 1 : stage) - 1].activations);
    o.tag = 2 * std::int64_t{microbatch} + (backwards ? 1 : 0);
    if (!receives) m_bytes[pipeline] += o.bytes;
}

/// Passes a layer. Tasks that share it all-reduce what each has of the activations, part by part; tokens go
/// to their experts and back.
void training::pass_layer(std::uint32_t task, const layer& l, bool backwards) {
    const state own = backwards ? backward : forward;
    const std::uint32_t parts = m_grid.tensor > 1 ? l.all_reduces : 0;
    const double seconds = (backwards ? l.backward : l.forward) / m_grid.tensor;
    const double tokens = l.activations * l.experts_per_token / m_grid.expert;
    if (l.experts != 0) collective(task, experts, op::alltoall, group_kind::expert, tokens);
    for (std::uint32_t i = 0; i < std::max(parts, 1u); ++i) {
        enter(task, own);
        work(task, seconds / std::max(parts, 1u));
        if (parts != 0) collective(task, tensor, op::allreduce, group_kind::tensor, l.activations);
    }
    if (l.experts != 0) collective(task, experts, op::alltoall, group_kind::expert, tokens);
}

void training::finish_step(std::uint32_t task) {
    task_progress& p = m_at[task];
    const std::uint32_t stage = m_grid.stage(task);
    if (!m.overlap)
        for (std::uint32_t i = first_layer(stage + 1); i > first_layer(stage); --i)
            add_gradients(task, m_layers[i - 1]);
    for (const bool of_experts : {false, true}) exchange(task, of_experts);
    if (!p.exchanged.empty()) enter(task, gradients);
    add(task, op::waitall);
    enter(task, optimizer);
    work(task, m.optimizer / (m.gradients == gradient_exchange::sharded ? m_grid.data : 1));
    gather_parameters(task);
    p.exchanged.clear();
    enter(task, step_end);
}

/// Adds a collective among the group of a task; null if that is the task alone. `bytes`: of the whole vector,
/// of an all-to-all those for each task.
operation* training::collective(std::uint32_t task, state s, op what, group_kind kind, double bytes) {
    const std::uint32_t size = m_grid.size(kind);
    if (size == 1) return nullptr;
    if (s != gradients || !m.overlap) enter(task, s);
    operation& o = add(task, what);
    o.communicator = m_grid.group_of(kind, task);
    const std::uint64_t total = whole(bytes);
    if (what == op::reduce_scatter || what == op::allgatherv)
        for (std::uint32_t i = 0; i < size; ++i)
            o.counts.push_back(total / size + (i < total % size ? 1 : 0));
    else
        o.bytes = total;
    m_bytes[s] += m_sent.of(o, group(o.communicator), task, total);
    return &o;
}

namespace {

const config::registration<workload, const workload_context&> registered{
    "training", "Training of a neural network, data-, tensor-, pipeline- and expert-parallel.",
    training_fields(),
    [](const training_parameters& p, const config::value& section, const workload_context& c) {
        const std::uint32_t tasks = task_count(p.tasks, p, c);
        return new executor(std::make_unique<training>(p, tasks, section.where()), p, section.where(),
                            c.folder);
    }};

}  // namespace
}  // namespace sare::traffic
