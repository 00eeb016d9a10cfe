// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/gap/scaled.h"
#include "traffic/tasks/tree.h"

/// The times of computation and sizes of messages of single tasks, and the laws that draw them.
namespace sare::traffic {

/// The computation and the messages of one task (a vertex of a job's tree).
struct task_needs {
    std::uint64_t s_s = 0,
                  s_r = 0;  ///< bytes of the message that gives the task to another node; bytes of the
                            ///< message with its result; not used if the task runs on the node of its parent
    double t_i = 0, t_a = 0;  ///< seconds of computation: to initialise the task, and to aggregate the
                              ///< results of its subtasks
};

/// The laws by which the needs of tasks are drawn.
struct needs_law {
    scaled_law s_s, s_r, t_i, t_a;  ///< law of each member of task_needs

    /// Returns true if all tasks have the same needs.
    bool fixed() const { return s_s.fixed() && s_r.fixed() && t_i.fixed() && t_a.fixed(); }
    /// Returns random needs of each vertex of `tree`, by the number of the vertex; bytes are whole, at most
    /// 4e9.
    std::vector<task_needs> draw(const job_tree& tree, rng& random) const;
};

/// Returns the seconds of computation of all tasks of a job together. `needs`: needs of each vertex.
double work_of(const std::vector<task_needs>& needs);
/// Returns the largest sum of seconds of computation over the paths from the root of `tree` to a leaf: a
/// lower bound of the time of the job on any network. `needs`: needs of each vertex.
double longest_path(const job_tree& tree, const std::vector<task_needs>& needs);

}  // namespace sare::traffic
