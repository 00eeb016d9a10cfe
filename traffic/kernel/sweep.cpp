// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/sweep.h"

namespace sare::traffic {

sweep::sweep(const std::string& name, std::uint32_t waves, const grid_parameters& p, std::uint32_t tasks,
             const config::location& where)
    : kernel(name, tasks, p), m_mesh(p, tasks, false, where), m_waves(waves) {
    for (std::uint32_t d = 0; d < m_mesh.dimensions(); ++d) {
        for (const bool forwards : {false, true}) m_ways[forwards].push_back(m_mesh.along(d, forwards));
    }
}

/// Makes the places of a wave: a wait for each dimension, the computation, a send for each dimension.
bool sweep::at(std::uint32_t task, std::uint32_t& k, operation& o) const {
    const std::uint32_t n = m_mesh.dimensions(), each = 2 * n + 1;
    for (; k < m_waves * each; ++k) {
        const std::uint32_t wave = k / each, place = k % each;
        if (place == n) {
            if (computes()) return compute(o);
            continue;
        }
        const std::uint32_t d = place < n ? place : place - n - 1;
        const auto& way = m_ways[forwards(wave, d)][d];
        const std::uint32_t peer = place < n ? m_mesh.before(task, way) : m_mesh.after(task, way);
        if (peer == virtual_mesh::none) continue;
        return place < n ? receive(o, peer, size(wave, d)) : send(o, peer, size(wave, d));
    }
    return false;
}

}  // namespace sare::traffic
