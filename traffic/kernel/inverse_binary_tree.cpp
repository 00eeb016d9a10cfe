// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/tree.h"

namespace sare::traffic::variants::inverse_binary_tree {
namespace {

/// Broadcast or scatter: a task waits for its parent (and computes), then sends to its children, the last
/// stage of the tree first. Any number of tasks. A stage's size is that of the same stage of binary_tree.
class inverse_binary_tree final : public kernel {
  public:
    inverse_binary_tree(const staged_parameters& p, std::uint32_t tasks, const config::location&)
        : kernel("inverse_binary_tree", tasks, p), m(p), m_tree(tasks) {}

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const bool after = computes() && task != 0;  // an operation more, the second
        if (after && k == 1) return compute(o);
        const tree::link l = m_tree.downward(task, after && k > 1 ? k - 1 : k);
        if (!l.is) return false;
        return l.parent ? send(o, l.peer, m.size(l.stage)) : receive(o, l.peer, m.size(l.stage));
    }

  private:
    staged_parameters m;
    tree m_tree;
};

const kernel_registration<inverse_binary_tree, staged_parameters> registered{
    "inverse_binary_tree", "Kernel: messages go down a binary tree, as in a broadcast or a scatter.",
    staged_fields()};

}  // namespace
}  // namespace sare::traffic::variants::inverse_binary_tree
