// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/tree.h"

namespace sare::traffic::variants::binary_tree {
namespace {

/// Reduction or gather: a task waits for its children in order of stage (and computes after each), then sends
/// to its parent. Any number of tasks.
class binary_tree final : public kernel {
  public:
    binary_tree(const staged_parameters& p, std::uint32_t tasks, const config::location&)
        : kernel("binary_tree", tasks, p), m(p), m_tree(tasks) {}

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        const std::uint32_t each = computes() ? 2 : 1;
        const tree::link l = m_tree.upward(task, k / each);
        if (!l.is || (!l.parent && k % each != 0)) return false;
        if (k % each == 1) return compute(o);
        return l.parent ? receive(o, l.peer, m.size(l.stage)) : send(o, l.peer, m.size(l.stage));
    }

  private:
    staged_parameters m;
    tree m_tree;
};

const kernel_registration<binary_tree, staged_parameters> registered{
    "binary_tree", "Kernel BT: messages go up a binary tree, as in a reduction or a gather.",
    staged_fields()};

}  // namespace
}  // namespace sare::traffic::variants::binary_tree
