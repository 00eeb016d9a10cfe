// SPDX-License-Identifier: Apache-2.0
#include "traffic/training/training.h"

/// The exchange among the copies of the model at the end of a step.
namespace sare::traffic {

/// Adds the gradients of a layer, which are ready: full buckets go.
void training::add_gradients(std::uint32_t task, const layer& l) {
    const bool of_experts = l.experts != 0;
    double& pending = m_at[task].pending[of_experts ? 1 : 0];
    pending += l.parameters / m_grid.tensor / (of_experts ? m_grid.expert : 1);
    if (m.bucket_bytes > 0 && pending >= m.bucket_bytes) exchange(task, of_experts);
}

/// Exchanges all gradients that are ready, if there are any: of weights among all copies, of experts among
/// those that have the same. With overlap one exchange goes on behind the other, beside the task.
void training::exchange(std::uint32_t task, bool of_experts) {
    task_progress& p = m_at[task];
    const double bytes = p.pending[of_experts ? 1 : 0];
    p.pending[of_experts ? 1 : 0] = 0;
    if (bytes < 1) return;
    operation* const o = collective(
        task, gradients, m.gradients == gradient_exchange::sharded ? op::reduce_scatter : op::allreduce,
        of_experts ? group_kind::replica : group_kind::data, bytes);
    if (o == nullptr) return;
    if (m.overlap) {
        o->request = p.exchanged.size() + 1;
        if (o->request > 1) o->needs.push_back({o->request - 1, false});
    }
    p.exchanged.push_back({of_experts, bytes});
}

/// Gathers sharded weights, of which each copy has a part that is new.
void training::gather_parameters(std::uint32_t task) {
    if (m.gradients != gradient_exchange::sharded) return;
    for (const auto& each : m_at[task].exchanged)
        collective(task, parameters, op::allgatherv, each.of_experts ? group_kind::replica : group_kind::data,
                   each.bytes);
}

}  // namespace sare::traffic
