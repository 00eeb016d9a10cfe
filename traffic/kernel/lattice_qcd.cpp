// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/virtual_mesh.h"

namespace sare::traffic::variants::lattice_qcd {
namespace {

struct parameters : neighbour_parameters {
    parameters() {
        dimensions = 4;
        torus = true;
    }
    std::vector<std::uint32_t> cells = {8};
    std::uint32_t site_bytes = 48;
    bool naik = true;
};

/// Conjugate gradients on a lattice whose sites are even or odd. For either kind a task gathers the surfaces
/// of its neighbours: forwards, then backwards; it computes when the first have come, and again when the
/// second have. Two scalar products end an iteration.
class lattice_qcd final : public neighbour_kernel {
  public:
    lattice_qcd(const parameters& p, std::uint32_t tasks, const config::location& where)
        : neighbour_kernel("lattice_qcd", p, tasks, where), m_gathers(p.naik ? 2 : 1) {
        const auto cells = cells_of(p.cells, mesh().dimensions(), where);
        std::uint64_t sites = 1;
        for (const auto n : cells) sites = sites * (n % 2);
        if (sites != 0)
            throw config::error(where,
                                "the 'cells' of a task must be even in a dimension at least: half of its "
                                "sites are even ones");
        for (std::uint32_t d = 0; d < mesh().dimensions(); ++d)
            m_sizes.push_back(message_bytes({(surface(cells, way(2 * d)) + 1) / 2, p.site_bytes}, where));
    }

  protected:
    /// Makes the places of a parity: receives, then sends of all ways forwards; of all backwards; waits for
    /// messages from forwards, a computation, a wait for all, a computation.
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const std::uint32_t n = mesh().dimensions() * m_gathers, each = 5 * n + 3;
        for (; k < 2 * each; ++k) {
            const std::uint32_t place = k % each;
            if (place < 4 * n) {
                if (gather(task, place, o)) return true;
            } else if (place < 5 * n) {
                if (after(task, 2 * ((place - 4 * n) / m_gathers)) == virtual_mesh::none) continue;
                o.what = op::wait;
                o.request = place - 4 * n + 1;
                return true;
            } else if (place == 5 * n + 1) {
                return wait_all(o);
            } else if (computes()) {
                return compute(o);
            }
        }
        if (k == 2 * each + 1 && computes()) return compute(o);
        if (k == 2 * each + 1) ++k;
        if (k > 2 * each + 2) return false;
        o.what = op::allreduce;
        o.bytes = sizeof(double);
        return true;
    }

  private:
    /// Makes a receive from a way's neighbour, or the send for the same gather of the task before.
    bool gather(std::uint32_t task, std::uint32_t place, operation& o) const {
        const std::uint32_t n = mesh().dimensions() * m_gathers, i = place % n, d = i / m_gathers;
        const bool backwards = place >= 2 * n, receives = place / n % 2 == 0;
        // There is no way backwards in a torus of two: what lies behind is what lies before.
        const std::uint32_t w = 2 * d + (backwards ? 1 : 0),
                            peer = receives ? after(task, w) : before(task, w);
        if (peer == virtual_mesh::none) return false;
        const std::uint64_t bytes = m_sizes[d] * (i % m_gathers + 1);
        if (!receives) return start_send(o, peer, bytes);
        start_receive(o, peer, bytes);
        o.request = (backwards ? n : 0) + i + 1;
        return true;
    }

    std::uint32_t m_gathers;             ///< messages in a way: of the next plane, of the two behind it
    std::vector<std::uint64_t> m_sizes;  ///< bytes of a parity's sites on a surface, by dimension
};

const kernel_registration<lattice_qcd, parameters> registered{
    "lattice_qcd",
    "Kernel: conjugate gradients of lattice QCD, halos in 4 dimensions (Ember's LQCD). 'bytes' means "
    "nothing.",
    config::schema<parameters>()
        .include(grid_fields())
        .flag("torus", &parameters::torus, "the last of a row has the first as neighbour")
        .integers("cells", &parameters::cells, 1, 1e4, "sites",
                  "of a task, by dimension; one number: of all; even in one at least")
        .number("site_bytes", &parameters::site_bytes, 1, 1e6, "bytes", "of a site: 3 complex numbers")
        .flag("naik", &parameters::naik, "gathers of the planes two and three away too, twice as large")};

}  // namespace
}  // namespace sare::traffic::variants::lattice_qcd
