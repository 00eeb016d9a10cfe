// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/virtual_mesh.h"

namespace sare::traffic::variants::mesh_exchange {
namespace {

/// A halo exchange: receives from all neighbours are posted, messages are sent to all, then all are waited
/// for; then the task computes.
class mesh_exchange final : public neighbour_kernel {
  public:
    mesh_exchange(const neighbour_parameters& p, std::uint32_t tasks, const config::location& where)
        : neighbour_kernel("mesh_exchange", p, tasks, where), m_bytes(p.bytes) {}

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const std::uint32_t n = ways();
        for (; k < 2 * n; ++k) {
            const std::uint32_t peer = k < n ? before(task, k) : after(task, k - n);
            if (peer != virtual_mesh::none)
                return k < n ? start_receive(o, peer, m_bytes) : start_send(o, peer, m_bytes);
        }
        if (k == 2 * n) return wait_all(o);
        return k == 2 * n + 1 && computes() && compute(o);
    }

  private:
    std::uint64_t m_bytes;
};

const kernel_registration<mesh_exchange, neighbour_parameters> registered{
    "mesh_exchange", "Kernels 2M, 3M: messages to all neighbours in a mesh or torus of tasks at once.",
    neighbour_fields()};

}  // namespace
}  // namespace sare::traffic::variants::mesh_exchange
