// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/scaled.h"
#include "traffic/tasks/tree.h"

#include <fmt/format.h>

namespace sare::traffic::variants::deterministic {
namespace {

struct parameters {
    std::vector<std::uint32_t> z{4, 3};
    config::value z_law = config::value::scalar("fixed");
};

/// A law: every vertex of level i has z[i] children, or a number of that mean; of the last level none.
class deterministic : public tree_law {
  public:
    deterministic(const parameters& p, const config::location& at, const std::string& folder) {
        check_size(p, at);
        for (const std::uint32_t children : p.z) m_children.emplace_back(children, p.z_law, folder);
        if (m_children.empty() || m_children[0].fixed()) {
            rng none;
            m_tree = grow(none);
        }
    }

    std::shared_ptr<const job_tree> next(rng& random) override {
        return m_tree != nullptr ? m_tree : grow(random);
    }

  private:
    static void check_size(const parameters& p, const config::location& at) {
        std::uint64_t all = 1, level = 1;
        for (const std::uint32_t children : p.z) {
            level *= children;
            all += level;
            if (all > job_tree::most_vertices)
                throw config::error(
                    at, fmt::format("a job of 'z' has {} tasks or more; at most {} are possible", all,
                                    job_tree::most_vertices));
        }
    }

    /// Grows a tree level by level; children beyond the most that are possible are left out.
    std::shared_ptr<const job_tree> grow(rng& random) const {
        std::vector<std::uint32_t> parents;
        std::uint32_t first = 0, end = 1;  // of the vertices of a level
        for (const scaled_law& children : m_children) {
            for (std::uint32_t vertex = first; vertex < end; ++vertex) {
                const std::uint64_t most = job_tree::most_vertices - 1 - parents.size();
                parents.insert(parents.end(), children.draw_whole(random, most), vertex);
            }
            first = end;
            end = static_cast<std::uint32_t>(parents.size() + 1);
        }
        return std::make_shared<job_tree>(parents);
    }

    std::vector<scaled_law> m_children;      ///< children of a vertex, by level
    std::shared_ptr<const job_tree> m_tree;  ///< tree of all jobs; null: each has its own
};

const config::registration<tree_law, const std::string&> registered{
    "deterministic", "Every task of level i has z[i] subtasks: all jobs are the same, unless by a law.",
    config::schema<parameters>()
        .integers("z", &parameters::z, 1, job_tree::most_vertices, "subtasks",
                  "of a task by level, from the root; []: a job is one task")
        .raw("z_law", &parameters::z_law, "gaps",
             "the law of each task's number of subtasks, of which 'z' is the mean", resolve_gaps),
    [](const parameters& p, const config::value& section, const std::string& folder) {
        const config::value* z = section.find("z");
        return new deterministic(p, z != nullptr ? z->where() : section.where(), folder);
    }};

}  // namespace
}  // namespace sare::traffic::variants::deterministic
