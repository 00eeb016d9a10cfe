// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/virtual_mesh.h"

namespace sare::traffic::variants::halo {
namespace {

struct parameters : neighbour_parameters {
    parameters() { dimensions = 3; }
    std::vector<std::uint32_t> cells = {100};
    std::uint32_t fields = 1, width = 8;
    double copy = 0;
    bool reduce = true;
};

/// A stencil on a domain that is cut among the tasks: a task computes, then exchanges its faces, one
/// dimension after the other; with diagonals its faces, edges and corners at once. Then the residual is
/// reduced.
class halo final : public neighbour_kernel {
  public:
    halo(const parameters& p, std::uint32_t tasks, const config::location& where)
        : neighbour_kernel("halo", p, tasks, where),
          m_each(p.diagonals ? ways() : 2),
          m_copy(p.copy),
          m_reduce(p.reduce) {
        const auto cells = cells_of(p.cells, mesh().dimensions(), where);
        for (std::uint32_t i = 0; i < ways(); ++i)
            m_sizes.push_back(message_bytes({surface(cells, way(i)), p.fields, p.width}, where));
    }

  protected:
    /// Makes the places: the computation, then of every group of ways the receives, the sends, the wait and
    /// the copying, then the reduction.
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const std::uint32_t group = 2 * m_each + 2, end = 1 + ways() / m_each * group;
        if (k == 0 && computes()) return compute(o);
        for (k = std::max(k, 1u); k < end; ++k) {
            const std::uint32_t place = (k - 1) % group;
            if (place == 2 * m_each) return wait_all(o);
            if (place > 2 * m_each) {
                if (m_copy == 0) continue;
                o.seconds = m_copy;
                return true;
            }
            const std::uint32_t i = (k - 1) / group * m_each + place % m_each;
            const std::uint32_t peer = place < m_each ? before(task, i) : after(task, i);
            if (peer == virtual_mesh::none) continue;
            return place < m_each ? start_receive(o, peer, m_sizes[i]) : start_send(o, peer, m_sizes[i]);
        }
        if (k != end || !m_reduce) return false;
        o.what = op::allreduce;
        o.bytes = sizeof(double);
        return true;
    }

  private:
    std::uint32_t m_each;  ///< number of ways that are exchanged at a time
    double m_copy;
    bool m_reduce;
    std::vector<std::uint64_t> m_sizes;  ///< bytes in each way
};

const kernel_registration<halo, parameters> registered{
    "halo",
    "Kernel: computation, exchange of faces (edges, corners), reduction (Ember's Halo2D, 3D, 3D26). 'bytes' "
    "means nothing.",
    config::schema<parameters>()
        .include(neighbour_fields())
        .integers("cells", &parameters::cells, 1, 1e6, "cells", "of a task, by dimension; one number: of all")
        .number("fields", &parameters::fields, 1, 1e6, "", "values of a cell")
        .number("width", &parameters::width, 1, 1024, "bytes", "of a value")
        .number("copy", &parameters::copy, 0, 1e6, "s", "computation after each wait")
        .flag("reduce", &parameters::reduce, "an all-reduce of 8 bytes at the end")};

}  // namespace
}  // namespace sare::traffic::variants::halo
