// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/gap/scaled.h"
#include "traffic/tasks/tree.h"

/// The times of computation and sizes of messages of single tasks, and the laws that draw them.
namespace sare::traffic {

struct task_needs {
    std::uint64_t s_s = 0,
                  s_r = 0;    ///< bytes of the message that gives it to another node, and of its result
    double t_i = 0, t_a = 0;  ///< seconds of initialisation and aggregation
};

struct needs_law {
    scaled_law s_s, s_r, t_i, t_a;  ///< laws of the members of task_needs

    bool fixed() const { return s_s.fixed() && s_r.fixed() && t_i.fixed() && t_a.fixed(); }
    /// Draws the needs of every vertex of a tree, by vertex.
    std::vector<task_needs> draw(const job_tree& tree, rng& random) const;
};

/// Returns the seconds of computation of all tasks of a job together.
double work_of(const std::vector<task_needs>& needs);
/// Returns the seconds of computation on the longest path from the root: no network ends a job sooner.
double longest_path(const job_tree& tree, const std::vector<task_needs>& needs);

}  // namespace sare::traffic
