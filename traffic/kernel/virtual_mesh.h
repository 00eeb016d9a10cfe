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

/// A mesh or torus of tasks; dimension 0 varies fastest.
class virtual_mesh {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    using offset = std::vector<int>;  ///< an offset of -1, 0 or 1 in each dimension

    /// Makes sizes `p.dims`, or as equal as they can be for so many dimensions, the largest first. Throws
    /// config::error if they do not hold so many tasks.
    virtual_mesh(const grid_parameters& p, std::uint32_t tasks, bool torus, const config::location& where);

    std::uint32_t dimensions() const { return static_cast<std::uint32_t>(m_dims.size()); }
    const std::vector<std::uint32_t>& dims() const { return m_dims; }
    /// Returns the way along a dimension, forwards or backwards.
    offset along(std::uint32_t dimension, bool forwards) const;
    /// Returns all ways: forwards and backwards in dimension 0, in 1, ...; with diagonals all 3^D - 1.
    std::vector<offset> ways(bool diagonals) const;
    /// Returns the task that a way leads to, or that it comes from; none: over the edge. A torus has no way
    /// along a dimension of one, and no backward way along one of two, where it would equal the forward way.
    std::uint32_t after(std::uint32_t task, const offset& way) const { return go(task, way, 1); }
    std::uint32_t before(std::uint32_t task, const offset& way) const { return go(task, way, -1); }

  private:
    std::uint32_t go(std::uint32_t task, const offset& way, int sign) const;

    std::vector<std::uint32_t> m_dims;
    bool m_torus;
};

/// A kernel of messages to and from neighbours in a mesh or a torus.
class neighbour_kernel : public kernel {
  protected:
    neighbour_kernel(std::string name, const neighbour_parameters& p, std::uint32_t tasks,
                     const config::location& where)
        : kernel(std::move(name), tasks, p),
          m_mesh(p, tasks, p.torus, where),
          m_ways(m_mesh.ways(p.diagonals)) {}

    std::uint32_t ways() const { return static_cast<std::uint32_t>(m_ways.size()); }
    const virtual_mesh::offset& way(std::uint32_t i) const { return m_ways[i]; }
    /// Returns the task that way i leads to, or that it comes from; virtual_mesh::none: over the edge.
    std::uint32_t after(std::uint32_t task, std::uint32_t i) const { return m_mesh.after(task, m_ways[i]); }
    std::uint32_t before(std::uint32_t task, std::uint32_t i) const { return m_mesh.before(task, m_ways[i]); }
    const virtual_mesh& mesh() const { return m_mesh; }

  private:
    virtual_mesh m_mesh;
    std::vector<virtual_mesh::offset> m_ways;
};

/// Returns a task's part of the data, in cells by dimension: one number stands for all. Throws config::error
/// for a count other than that of the dimensions.
std::vector<std::uint64_t> cells_of(const std::vector<std::uint32_t>& given, std::uint32_t dimensions,
                                    const config::location& where);
/// Returns the cells (at most a million in a dimension) of the face, edge or corner that lies towards a way;
/// at most 10 most_message_bytes, which no message has.
std::uint64_t surface(const std::vector<std::uint64_t>& cells, const virtual_mesh::offset& way);

/// Returns the tasks of a kernel on a grid, as task_count() of others; `dims` say the number as well.
std::uint32_t task_count(const grid_parameters& p, const workload_context& c);

}  // namespace sare::traffic
