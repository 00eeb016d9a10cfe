// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"

#include <cstdint>
#include <memory>
#include <vector>

/// Jobs as trees of tasks, and the laws by which trees are drawn.
namespace sare::traffic {

/// The tree of a job: vertices are tasks, children of a vertex its subtasks. The root is vertex 0; each
/// parent has a lower number than its children.
class job_tree {
  public:
    /// Largest number of vertices of a tree, which laws of trees keep; the constructor does not check it.
    static constexpr std::uint32_t most_vertices = 1000000;

    /// `parents`: element v - 1 is the parent of vertex v, for v from 1; it must be below v (not checked). An
    /// empty list makes a tree of the root alone.
    explicit job_tree(const std::vector<std::uint32_t>& parents);

    /// Returns the number of vertices, the root included.
    std::uint32_t vertices() const { return static_cast<std::uint32_t>(m_first.size() - 1); }
    /// Returns the number of vertices without children.
    std::uint32_t leaves() const { return m_leaves; }
    /// Returns the number of vertices with two or more children: tasks that may give subtasks to other nodes.
    std::uint32_t delegating() const { return m_delegating; }
    /// Returns the number of vertices on the longest path from the root to a leaf, both included.
    std::uint32_t depth() const { return m_depth; }

    /// Returns the number of children of a vertex, which must be below vertices() (not checked).
    std::uint32_t children(std::uint32_t vertex) const { return m_first[vertex + 1] - m_first[vertex]; }
    /// Returns child `k`, from 0, of a vertex. Does not check that there is one.
    std::uint32_t child(std::uint32_t vertex, std::uint32_t k) const {
        return m_children[m_first[vertex] + k];
    }

  private:
    std::vector<std::uint32_t> m_first;  ///< index in m_children of each vertex's first child, and behind the
                                         ///< last vertex the number of all children
    std::vector<std::uint32_t> m_children;
    std::uint32_t m_leaves = 0, m_delegating = 0, m_depth = 1;  ///< results of the functions with these names
};

/// A law that makes the tree of each job of a workload.
class tree_law {
  public:
    virtual ~tree_law() = default;
    /// Returns the tree of the next job. A law by which all jobs have the same tree draws nothing from
    /// `random`.
    virtual std::shared_ptr<const job_tree> next(rng& random) = 0;
};

/// The registry of laws by name. A law is made with the folder to which names of files in its section are
/// relative.
using tree_registry = config::registry<tree_law, const std::string&>;

}  // namespace sare::traffic
