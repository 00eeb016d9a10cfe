// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/tree.h"

namespace sare::traffic::variants::deterministic {
namespace {

struct parameters {
    std::vector<std::uint32_t> z{4, 3};
};

/// Every vertex of level i has z[i] children; those of the last level have none.
class deterministic : public tree_law {
  public:
    deterministic(const parameters& p, const config::location& at) {
        std::vector<std::uint32_t> parents;
        std::uint64_t first = 0, level = 1;  // of the vertices of a level: the first, and how many
        for (const std::uint32_t children : p.z) {
            const std::uint64_t all = first + level + level * children;
            if (all > job_tree::most_vertices)
                throw config::error(at, "a job of 'z' has " + std::to_string(all) +
                                            " tasks or more; at most " +
                                            std::to_string(job_tree::most_vertices) + " are possible");
            for (std::uint64_t k = 0; k < level * children; ++k)
                parents.push_back(static_cast<std::uint32_t>(first + k / children));
            first += level;
            level *= children;
        }
        m_tree = std::make_shared<job_tree>(parents);
    }

    std::shared_ptr<const job_tree> next(rng&) override { return m_tree; }

  private:
    std::shared_ptr<const job_tree> m_tree;
};

const config::registration<tree_law> registered{
    "deterministic", "Every task of level i has z[i] subtasks: all jobs are the same.",
    config::schema<parameters>().integers("z", &parameters::z, 1, job_tree::most_vertices, "subtasks",
                                          "of a task by level, from the root; []: a job is one task"),
    [](const parameters& p, const config::value& section) {
        const config::value* z = section.find("z");
        return new deterministic(p, z != nullptr ? z->where() : section.where());
    }};

}  // namespace
}  // namespace sare::traffic::variants::deterministic
