// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/needs.h"

#include <algorithm>

namespace sare::traffic {

std::vector<task_needs> needs_law::draw(const job_tree& tree, rng& random) const {
    constexpr std::uint64_t most_bytes = 4000000000;
    std::vector<task_needs> all(tree.vertices());
    for (task_needs& task : all) {
        task.s_s = s_s.draw_whole(random, most_bytes);
        task.s_r = s_r.draw_whole(random, most_bytes);
        task.t_i = t_i.draw(random);
        task.t_a = t_a.draw(random);
    }
    return all;
}

double work_of(const std::vector<task_needs>& needs) {
    double sum = 0;
    for (const task_needs& task : needs) sum += task.t_i + task.t_a;
    return sum;
}

double longest_path(const job_tree& tree, const std::vector<task_needs>& needs) {
    std::vector<double> path(needs.size());  // to the end of a vertex, from the root
    double longest = 0;
    for (std::uint32_t v = 0; v < tree.vertices(); ++v) {
        path[v] += needs[v].t_i + needs[v].t_a;
        longest = std::max(longest, path[v]);
        for (std::uint32_t k = 0; k < tree.children(v); ++k) path[tree.child(v, k)] = path[v];
    }
    return longest;
}

}  // namespace sare::traffic
