// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/kernel.h"

namespace sare::traffic {

/// The binomial tree over any number of tasks, whose root is task 0: in stage t = 0, 1, ... a task whose
/// number is a multiple of 2^(t+1) is the parent of the task 2^t further on, if there is one.
class tree {
  public:
    explicit tree(std::uint32_t tasks) : m_tasks(tasks) {
        while (std::uint64_t{1} << m_stages < tasks) ++m_stages;
    }
    std::uint32_t stages() const { return m_stages; }  ///< number of stages

    struct link {
        bool is = false;                    ///< false: the task has no such link
        std::uint32_t stage = 0, peer = 0;  ///< stage, and task at the other end
        bool parent = false;                ///< true: the task is the parent of `peer`
    };
    /// Returns link k, from 0, of a task in ascending order of stages: to its children, then to its parent.
    link upward(std::uint32_t task, std::uint32_t k) const {
        const std::uint32_t children = children_of(task);
        // It is a parent in every stage before its last.
        if (k < children) return {true, k, task + (1u << k), true};
        if (k > children || task == 0) return {};
        const std::uint32_t own = lowest_bit(task);
        return {true, own, task - (1u << own), false};
    }
    /// Returns link k, from 0, of a task in descending order of stages: to its parent, then to its children.
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
    /// Returns the number of a task's children, which it has in stages 0, 1, ... without a hole.
    std::uint32_t children_of(std::uint32_t task) const {
        const std::uint32_t most = task == 0 ? m_stages : lowest_bit(task);
        std::uint32_t n = 0;
        while (n < most && task + (std::uint64_t{1} << n) < m_tasks) ++n;
        return n;
    }
    std::uint32_t m_tasks, m_stages = 0;
};

}  // namespace sare::traffic
