// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"

#include <cstdint>
#include <memory>
#include <vector>

/// Jobs as trees of tasks, and the laws that draw them.
namespace sare::traffic {

/// A job: its tasks are vertices of a tree. The root is 0; a parent has a lower number than its children.
class job_tree {
  public:
    static constexpr std::uint32_t most_vertices = 1000000;

    /// `parents`: parents[v - 1], which is below v, is the parent of vertex v, for v from 1.
    explicit job_tree(const std::vector<std::uint32_t>& parents);

    std::uint32_t vertices() const { return static_cast<std::uint32_t>(m_first.size() - 1); }
    std::uint32_t leaves() const { return m_leaves; }
    std::uint32_t delegating() const { return m_delegating; }  ///< vertices with two children or more
    std::uint32_t depth() const { return m_depth; }            ///< vertices on the longest path from the root

    std::uint32_t children(std::uint32_t vertex) const { return m_first[vertex + 1] - m_first[vertex]; }
    /// Child k, from 0, of a vertex.
    std::uint32_t child(std::uint32_t vertex, std::uint32_t k) const {
        return m_children[m_first[vertex] + k];
    }

  private:
    std::vector<std::uint32_t> m_first;  ///< index of each vertex's first child; one more for the end
    std::vector<std::uint32_t> m_children;
    std::uint32_t m_leaves = 0, m_delegating = 0, m_depth = 1;  ///< see the functions of these names
};

/// The law of a workload's trees.
class tree_law {
  public:
    virtual ~tree_law() = default;
    /// Returns the tree of the next job; a law with one tree draws nothing from `random`.
    virtual std::shared_ptr<const job_tree> next(rng& random) = 0;
};

/// The registry of laws, which are made with the folder that files are relative to.
using tree_registry = config::registry<tree_law, const std::string&>;

}  // namespace sare::traffic
