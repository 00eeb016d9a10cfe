// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/sweep.h"

#include <fmt/format.h>

namespace sare::traffic::variants::sweep3d {
namespace {

struct parameters : grid_parameters {
    std::vector<std::uint32_t> cells = {50, 50, 50};
    std::uint32_t kba = 1, fields = 8, width = 8;
};

/// Sn transport by Koch, Baker and Alcouffe: the domain is cut among a 2-D mesh of tasks, each has all of the
/// third dimension and goes through it in blocks of `kba` planes. Waves start in every corner of the mesh,
/// for either way through the third dimension: eight octants, one behind the other.
class sweep3d final : public sweep {
  public:
    sweep3d(const parameters& p, std::uint32_t tasks, const config::location& where)
        : sweep("sweep3d", 8 * blocks(p, where), p, tasks, where), m_blocks(blocks(p, where)) {
        if (mesh().dimensions() != 2)
            throw config::error(where, fmt::format("workload 'sweep3d' takes 2 dimensions of tasks, not {}",
                                                   mesh().dimensions()));
        for (std::uint32_t d = 0; d < 2; ++d)
            m_bytes[d] = message_bytes({p.cells[1 - d], p.kba, p.fields, p.width}, where);
    }

  protected:
    /// Returns the bytes across the face towards a dimension, which is as wide as the other dimension.
    std::uint64_t size(std::uint32_t, std::uint32_t dimension) const override { return m_bytes[dimension]; }
    /// Returns the way of a wave, from the corners (0, 0), (end, 0), (end, end), (0, end), and again.
    bool forwards(std::uint32_t wave, std::uint32_t dimension) const override {
        const std::uint32_t corner = wave / m_blocks % 4;
        return dimension == 0 ? corner == 0 || corner == 3 : corner < 2;
    }

  private:
    static std::uint32_t blocks(const parameters& p, const config::location& where) {
        if (p.cells.size() != 3)
            throw config::error(
                where, fmt::format("'cells' must have 3 numbers, those of a task in x, y and z; not {}",
                                   p.cells.size()));
        if (p.cells[2] % p.kba != 0)
            throw config::error(
                where, fmt::format("'kba' must divide the cells in z, {}; {} does not", p.cells[2], p.kba));
        return p.cells[2] / p.kba;
    }
    std::uint32_t m_blocks;
    std::uint64_t m_bytes[2];
};

const kernel_registration<sweep3d, parameters> registered{
    "sweep3d",
    "Kernel: Sn transport by KBA, eight octants of pipelined wave-fronts (Ember's Sweep3D). 'bytes' means "
    "nothing.",
    config::schema<parameters>()
        .include(grid_fields())
        .integers("cells", &parameters::cells, 1, 1e6, "cells", "of a task: in x, in y, in z")
        .number("kba", &parameters::kba, 1, 1e6, "planes", "of z in a block; it must divide the cells in z")
        .number("fields", &parameters::fields, 1, 1e6, "", "values of a cell")
        .number("width", &parameters::width, 1, 1024, "bytes", "of a value")};

}  // namespace
}  // namespace sare::traffic::variants::sweep3d
