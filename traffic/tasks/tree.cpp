// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/tree.h"

#include <algorithm>

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool named = (tree_registry::instance().name_kind("task tree", "name"), true);

}  // namespace

job_tree::job_tree(const std::vector<std::uint32_t>& parents)
    : m_first(parents.size() + 2, 0), m_children(parents.size()) {
    for (const std::uint32_t p : parents) ++m_first[p + 1];
    for (std::uint32_t v = 0; v < vertices(); ++v) {
        const std::uint32_t degree = m_first[v + 1];
        m_leaves += degree == 0 ? 1 : 0;
        m_delegating += degree >= 2 ? 1 : 0;
        m_first[v + 1] += m_first[v];
    }
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1), depth(vertices(), 1);
    for (std::uint32_t v = 1; v < vertices(); ++v) {
        const std::uint32_t parent = parents[v - 1];
        m_children[next[parent]++] = v;
        depth[v] = depth[parent] + 1;
        m_depth = std::max(m_depth, depth[v]);
    }
}

}  // namespace sare::traffic
