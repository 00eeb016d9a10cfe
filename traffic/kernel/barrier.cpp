// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/tree.h"

namespace sare::traffic::variants::barrier {
namespace {

/// A kernel of empty messages up a binary tree, then down. A task computes before it. Any number of tasks.
class barrier final : public kernel {
  public:
    barrier(const kernel_parameters& p, std::uint32_t tasks, const config::location&)
        : kernel("barrier", tasks, p), m_tree(tasks) {}

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        if (computes() && k == 0) return compute(o);
        const std::uint32_t first = computes() ? k - 1 : k;
        const tree::link up = m_tree.upward(task, first);
        if (up.is) return up.parent ? receive(o, up.peer, 0) : send(o, up.peer, 0);
        std::uint32_t links = 0;
        while (m_tree.upward(task, links).is) ++links;
        const tree::link down = m_tree.downward(task, first - links);
        if (!down.is) return false;
        return down.parent ? send(o, down.peer, 0) : receive(o, down.peer, 0);
    }

  private:
    tree m_tree;
};

const kernel_registration<barrier, kernel_parameters> registered{
    "barrier", "Kernel: empty messages up a binary tree, then down ('bytes' means nothing).",
    kernel_fields()};

}  // namespace
}  // namespace sare::traffic::variants::barrier
