// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/kernel.h"

namespace sare::traffic {

/// Parameters of kernels on a grid of tasks.
struct grid_parameters : kernel_parameters {
    std::uint32_t dimensions = 2;     ///< number of dimensions, 1 to 8; used only if `dims` is empty
    std::vector<std::uint32_t> dims;  ///< number of tasks in each dimension, dimension 0 varying fastest;
                                      ///< empty: as equal as possible, the largest first
};
/// Returns the schema of grid_parameters without the keys of executor_parameters.
const config::schema<grid_parameters>& grid_fields();

/// Parameters of kernels on a grid of tasks with neighbours.
struct neighbour_parameters : grid_parameters {
    bool torus = false;  ///< true: the first and the last task of a row are neighbours, in every dimension
    bool diagonals = false;  ///< true: neighbours differ by at most 1 in each dimension; false: by 1 in a
                             ///< single one
};
/// Returns the schema of neighbour_parameters without the keys of executor_parameters.
const config::schema<neighbour_parameters>& neighbour_fields();

/// A mesh or torus of tasks, in which dimension 0 varies fastest.
class virtual_mesh {
  public:
    /// Result of after() and before() for "no task".
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    using offset = std::vector<int>;  ///< an offset of -1, 0 or 1 in each dimension

    /// Makes a mesh with `p.dims` tasks in each dimension; if that is empty, with p.dimensions dimensions as
    /// equal as possible, the largest first. `torus`: true: each dimension is closed to a ring. Throws
    /// config::error at `where` if the product of `p.dims` is not `tasks` or is above 2^24, or if there are
    /// more than 8 dimensions.
    virtual_mesh(const grid_parameters& p, std::uint32_t tasks, bool torus, const config::location& where);

    /// Number of dimensions.
    std::uint32_t dimensions() const { return static_cast<std::uint32_t>(m_dims.size()); }
    /// Returns the number of tasks in each dimension.
    const std::vector<std::uint32_t>& dims() const { return m_dims; }
    /// Returns the offset of one task along a dimension, forwards (+1) or backwards (-1).
    offset along(std::uint32_t dimension, bool forwards) const;
    /// Returns the offsets to all neighbours: one task forwards, then one backwards, along dimension 0, then
    /// along dimension 1 and so on; with `diagonals`, all 3^D - 1 offsets other than 0.
    std::vector<offset> ways(bool diagonals) const;
    /// after() returns the task at the offset `way` from `task`; before() returns the task from which `way`
    /// leads to `task`. Both return `none` beyond the edge of a mesh. In a torus they return `none` along a
    /// dimension of one task, and for a backward offset along one of two tasks, which leads where the forward
    /// one does.
    std::uint32_t after(std::uint32_t task, const offset& way) const { return go(task, way, 1); }
    std::uint32_t before(std::uint32_t task, const offset& way) const { return go(task, way, -1); }

  private:
    std::uint32_t go(std::uint32_t task, const offset& way, int sign) const;

    std::vector<std::uint32_t> m_dims;
    bool m_torus;
};

/// Base class of kernels in which tasks exchange messages with their neighbours in a mesh or a torus.
class neighbour_kernel : public kernel {
  protected:
    /// `name`: name of the workload; `tasks`: number of tasks. Throws config::error as virtual_mesh() does.
    neighbour_kernel(std::string name, const neighbour_parameters& p, std::uint32_t tasks,
                     const config::location& where)
        : kernel(std::move(name), tasks, p),
          m_mesh(p, tasks, p.torus, where),
          m_ways(m_mesh.ways(p.diagonals)) {}

    /// Returns the number of neighbours of a task that is not at an edge.
    std::uint32_t ways() const { return static_cast<std::uint32_t>(m_ways.size()); }
    /// Returns the offset to neighbour i, from 0, below ways().
    const virtual_mesh::offset& way(std::uint32_t i) const { return m_ways[i]; }
    /// after() returns the task at way(i) from `task`; before() returns the task from which way(i) leads to
    /// `task`; both virtual_mesh::none if there is none.
    std::uint32_t after(std::uint32_t task, std::uint32_t i) const { return m_mesh.after(task, m_ways[i]); }
    std::uint32_t before(std::uint32_t task, std::uint32_t i) const { return m_mesh.before(task, m_ways[i]); }
    const virtual_mesh& mesh() const { return m_mesh; }  ///< mesh of the tasks

  private:
    virtual_mesh m_mesh;
    std::vector<virtual_mesh::offset> m_ways;
};

/// Returns the number of cells of a task's part of the data in each dimension. `given`: a number for each
/// dimension, or one number for all of them; throws config::error at `where` for another count.
std::vector<std::uint64_t> cells_of(const std::vector<std::uint32_t>& given, std::uint32_t dimensions,
                                    const config::location& where);
/// Returns the number of cells in the face, edge or corner of a task's part that lies towards the offset
/// `way`. This is the product of `cells` (at most a million each) over the dimensions in which `way` is 0, at
/// most 10 * most_message_bytes.
std::uint64_t surface(const std::vector<std::uint64_t>& cells, const virtual_mesh::offset& way);

/// Returns the number of tasks of a kernel on a grid: p.tasks; if that is 0, the product of p.dims; if that
/// is empty, tasks_per_node for each node.
std::uint32_t task_count(const grid_parameters& p, const workload_context& c);

}  // namespace sare::traffic
