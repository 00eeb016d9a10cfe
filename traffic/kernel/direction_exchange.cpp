// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/virtual_mesh.h"

namespace sare::traffic::variants::direction_exchange {
namespace {

/// An exchange in one direction after another: a task sends to the neighbour there and waits for the message
/// of the opposite one; after all of them it computes.
class direction_exchange final : public neighbour_kernel {
  public:
    direction_exchange(const neighbour_parameters& p, std::uint32_t tasks, const config::location& where)
        : neighbour_kernel("direction_exchange", p, tasks, where), m_bytes(p.bytes) {}

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const std::uint32_t n = ways();
        for (; k < 2 * n; ++k) {
            const std::uint32_t peer = k % 2 == 0 ? after(task, k / 2) : before(task, k / 2);
            if (peer != virtual_mesh::none)
                return k % 2 == 0 ? send(o, peer, m_bytes) : receive(o, peer, m_bytes);
        }
        return k == 2 * n && computes() && compute(o);
    }

  private:
    std::uint64_t m_bytes;
};

const kernel_registration<direction_exchange, neighbour_parameters> registered{
    "direction_exchange", "Kernels 2D, 3D: messages to the neighbours, one direction after another.",
    neighbour_fields()};

}  // namespace
}  // namespace sare::traffic::variants::direction_exchange
