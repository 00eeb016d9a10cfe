// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/virtual_mesh.h"

namespace sare::traffic {
namespace {

/// One direction after another: a task sends to the neighbour there and waits for the message of the opposite
/// one; after all of them it computes.
class direction_exchange final : public kernel {
  public:
    direction_exchange(const neighbour_parameters& p, std::uint32_t tasks, const config::location& where)
        : kernel("direction_exchange", tasks, p),
          m_bytes(p.bytes),
          m_mesh(p, tasks, p.torus, where),
          m_ways(m_mesh.ways(p.diagonals)) {}

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const auto n = static_cast<std::uint32_t>(m_ways.size());
        for (; k < 2 * n; ++k) {
            const auto& way = m_ways[k / 2];
            const std::uint32_t peer = k % 2 == 0 ? m_mesh.after(task, way) : m_mesh.before(task, way);
            if (peer != virtual_mesh::none)
                return k % 2 == 0 ? send(o, peer, m_bytes) : receive(o, peer, m_bytes);
        }
        return k == 2 * n && computes() && compute(o);
    }

  private:
    std::uint64_t m_bytes;
    virtual_mesh m_mesh;
    std::vector<virtual_mesh::offset> m_ways;
};

const config::registration<workload, const workload_context&> registered{
    "direction_exchange", "Kernels 2D, 3D: messages to the neighbours, one direction after another.",
    config::schema<neighbour_parameters>().include(neighbour_fields()).include(executor_fields()),
    run_kernel<direction_exchange, neighbour_parameters>};

}  // namespace
}  // namespace sare::traffic
