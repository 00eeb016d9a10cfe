// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/kernel.h"

namespace sare::traffic {

/// The binomial tree over any number of tasks, with task 0 as root. In stage t, from 0, each task whose
/// number is a multiple of 2^(t+1) is the parent of the task 2^t above it, if there is such a task.
class tree {
  public:
    /// `tasks`: number of tasks, at least 1.
    explicit tree(std::uint32_t tasks) : m_tasks(tasks) {
        while (std::uint64_t{1} << m_stages < tasks) ++m_stages;
    }
    /// Returns the number of stages: the binary logarithm of the number of tasks, rounded up.
    std::uint32_t stages() const { return m_stages; }

    /// A link of a task to its parent or to a child.
    struct link {
        bool is = false;  ///< false: there is no such link, and the other members have no meaning
        std::uint32_t stage = 0, peer = 0;  ///< stage of the link; task at its other end
        bool parent = false;                ///< true: the task is the parent of `peer`
    };
    /// Returns link `k`, from 0, of a task in ascending order of stages: its children, then its parent. `is`
    /// is false behind the last one.
    link upward(std::uint32_t task, std::uint32_t k) const {
        const std::uint32_t children = children_of(task);
        // It is a parent in every stage before its last.
        if (k < children) return {true, k, task + (1u << k), true};
        if (k > children || task == 0) return {};
        const std::uint32_t own = lowest_bit(task);
        return {true, own, task - (1u << own), false};
    }
    /// Returns link `k`, from 0, of a task in descending order of stages: its parent, then its children. `is`
    /// is false behind the last one.
    link downward(std::uint32_t task, std::uint32_t k) const {
        const std::uint32_t links = children_of(task) + (task == 0 ? 0 : 1);
        return k < links ? upward(task, links - 1 - k) : link{};
    }

  private:
    static std::uint32_t lowest_bit(std::uint32_t task) {
        std::uint32_t bit = 0;
        while ((task >> bit & 1) == 0) ++bit;
        return bit;
    }
    /// Returns the number of children of a task; it has them in stages 0, 1 and so on.
    std::uint32_t children_of(std::uint32_t task) const {
        const std::uint32_t most = task == 0 ? m_stages : lowest_bit(task);
        std::uint32_t n = 0;
        while (n < most && task + (std::uint64_t{1} << n) < m_tasks) ++n;
        return n;
    }
    std::uint32_t m_tasks, m_stages = 0;
};

}  // namespace sare::traffic
