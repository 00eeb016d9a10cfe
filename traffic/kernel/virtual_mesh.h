// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/kernel.h"

namespace sare::traffic {

struct grid_parameters : kernel_parameters {
    std::uint32_t dimensions = 2;     ///< number of dimensions, 1 to 8, if `dims` is empty
    std::vector<std::uint32_t> dims;  ///< tasks in each dimension; empty: as equal as possible
};
const config::schema<grid_parameters>& grid_fields();

struct neighbour_parameters : grid_parameters {
    bool torus = false;      ///< true: the mesh is closed to a torus
    bool diagonals = false;  ///< true: neighbours may differ in several dimensions, by 1; false: in one
};
const config::schema<neighbour_parameters>& neighbour_fields();

/// A mesh or torus of tasks; dimension 0 varies fastest.
class virtual_mesh {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    using offset = std::vector<int>;  ///< an offset of -1, 0 or 1 in each dimension

    /// Makes a mesh of sizes `p.dims`, or with sizes for `p.dimensions` dimensions that are as equal as
    /// possible, the largest first. Throws config::error at `where` if `p.dims` do not make `tasks` tasks.
    virtual_mesh(const grid_parameters& p, std::uint32_t tasks, bool torus, const config::location& where);

    std::uint32_t dimensions() const { return static_cast<std::uint32_t>(m_dims.size()); }
    const std::vector<std::uint32_t>& dims() const { return m_dims; }
    /// Returns the offset along a dimension, forwards or backwards.
    offset along(std::uint32_t dimension, bool forwards) const;
    /// Returns all offsets: forwards and backwards in dimension 0, in 1, ...; with diagonals all 3^D - 1.
    std::vector<offset> ways(bool diagonals) const;
    /// Return the task that an offset leads to, or that it comes from; none: over the edge. A torus has no
    /// offset along a dimension of one task, and no backward one along a dimension of two, where it would
    /// equal the forward one.
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
    /// Return the task that offset i of the neighbours leads to, or that it comes from; virtual_mesh::none:
    /// over the edge.
    std::uint32_t after(std::uint32_t task, std::uint32_t i) const { return m_mesh.after(task, m_ways[i]); }
    std::uint32_t before(std::uint32_t task, std::uint32_t i) const { return m_mesh.before(task, m_ways[i]); }
    const virtual_mesh& mesh() const { return m_mesh; }

  private:
    virtual_mesh m_mesh;
    std::vector<virtual_mesh::offset> m_ways;
};

/// Returns a task's part of the data, in cells by dimension. `given`: a number for each dimension, or one for
/// all of them; throws config::error for another count.
std::vector<std::uint64_t> cells_of(const std::vector<std::uint32_t>& given, std::uint32_t dimensions,
                                    const config::location& where);
/// Returns the number of cells (at most a million in a dimension) of the face, edge or corner of a task's
/// part that lies towards an offset; at most 10 * most_message_bytes, which no message has.
std::uint64_t surface(const std::vector<std::uint64_t>& cells, const virtual_mesh::offset& way);

/// Returns the number of tasks of a kernel on a grid: p.tasks, else the product of p.dims, else as many as
/// the nodes have room for.
std::uint32_t task_count(const grid_parameters& p, const workload_context& c);

}  // namespace sare::traffic
