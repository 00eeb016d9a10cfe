// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/kernel.h"

namespace sare::traffic {

struct grid_parameters : kernel_parameters {
    std::uint32_t dimensions = 2;
    std::vector<std::uint32_t> dims;
};
const config::schema<grid_parameters>& grid_fields();

struct neighbour_parameters : grid_parameters {
    bool torus = false, diagonals = false;
};
const config::schema<neighbour_parameters>& neighbour_fields();

/// Tasks in a mesh or a torus; dimension 0 varies fastest.
class virtual_mesh {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    using offset = std::vector<int>;  ///< -1, 0 or 1 by dimension

    /// Sizes are `p.dims`, or as equal as they can be for so many dimensions, the largest first. Throws
    /// config::error if they are not those of so many tasks.
    virtual_mesh(const grid_parameters& p, std::uint32_t tasks, bool torus, const config::location& where);

    std::uint32_t dimensions() const { return static_cast<std::uint32_t>(m_dims.size()); }
    const std::vector<std::uint32_t>& dims() const { return m_dims; }
    /// The way along a dimension, forwards or backwards.
    offset along(std::uint32_t dimension, bool forwards) const;
    /// All ways: forwards and backwards in dimension 0, in 1, ...; with diagonals all 3^D - 1.
    std::vector<offset> ways(bool diagonals) const;
    /// Where a way leads from a task, and whence it leads to it; none: over the edge. In a torus there is no
    /// way along a dimension of one, and none backwards along one of two, which would lead where forwards
    /// does.
    std::uint32_t after(std::uint32_t task, const offset& way) const { return go(task, way, 1); }
    std::uint32_t before(std::uint32_t task, const offset& way) const { return go(task, way, -1); }

  private:
    std::uint32_t go(std::uint32_t task, const offset& way, int sign) const;

    std::vector<std::uint32_t> m_dims;
    bool m_torus;
};

/// Messages to and from neighbours in a mesh or a torus.
class neighbour_kernel : public kernel {
  protected:
    neighbour_kernel(std::string name, const neighbour_parameters& p, std::uint32_t tasks,
                     const config::location& where)
        : kernel(std::move(name), tasks, p),
          m_mesh(p, tasks, p.torus, where),
          m_ways(m_mesh.ways(p.diagonals)) {}

    std::uint32_t ways() const { return static_cast<std::uint32_t>(m_ways.size()); }
    const virtual_mesh::offset& way(std::uint32_t i) const { return m_ways[i]; }
    /// Where way i leads from a task, and whence it leads to it; virtual_mesh::none: over the edge.
    std::uint32_t after(std::uint32_t task, std::uint32_t i) const { return m_mesh.after(task, m_ways[i]); }
    std::uint32_t before(std::uint32_t task, std::uint32_t i) const { return m_mesh.before(task, m_ways[i]); }
    const virtual_mesh& mesh() const { return m_mesh; }

  private:
    virtual_mesh m_mesh;
    std::vector<virtual_mesh::offset> m_ways;
};

/// What a task has of the data, in cells by dimension: one number stands for all. Throws config::error for
/// another count than that of the dimensions.
std::vector<std::uint64_t> cells_of(const std::vector<std::uint32_t>& given, std::uint32_t dimensions,
                                    const config::location& where);
/// Cells (at most a million in a dimension) of the face, edge or corner that lies towards a way; no more than
/// 10 most_message_bytes, which no message has.
std::uint64_t surface(const std::vector<std::uint64_t>& cells, const virtual_mesh::offset& way);

/// As task_count(): `dims` say it as well.
std::uint32_t task_count(const grid_parameters& p, const workload_context& c);

}  // namespace sare::traffic
