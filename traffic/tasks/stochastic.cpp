// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/scaled.h"
#include "traffic/tasks/tree.h"

#include <cmath>
#include <map>

namespace sare::traffic::variants::stochastic {
namespace {

struct parameters {
    std::uint32_t n = 16;
    config::value n_law = config::value::scalar("fixed");
    double s = 1;
};

/// Vertices that wait for children, by their degree (edges to children and to the parent): those of a degree
/// are equally likely, so that a draw looks at the degrees and not at the vertices.
class attachment {
  public:
    explicit attachment(double exponent) : m_exponent(exponent) {}

    void add(std::uint32_t vertex, std::uint32_t degree) {
        group& g = m_groups[degree];
        if (g.weight == 0) g.weight = std::pow(2.0 * degree, m_exponent);
        g.vertices.push_back(vertex);
    }

    /// Draws a vertex by its weight; its degree is one more from now on.
    std::uint32_t draw(rng& random) {
        double all = 0;
        for (const auto& [degree, g] : m_groups) all += g.total();
        double left = random.uniform() * all;
        auto at = m_groups.begin();
        for (auto next = std::next(at); next != m_groups.end() && left >= at->second.total(); ++next) {
            left -= at->second.total();
            at = next;
        }
        const std::uint32_t degree = at->first;
        std::vector<std::uint32_t>& same = at->second.vertices;
        const std::uint32_t k = random.below(static_cast<std::uint32_t>(same.size()));
        const std::uint32_t vertex = same[k];
        same[k] = same.back();
        same.pop_back();
        if (same.empty()) m_groups.erase(at);
        add(vertex, degree + 1);
        return vertex;
    }

  private:
    struct group {
        double weight = 0;  ///< weight of each vertex
        std::vector<std::uint32_t> vertices;
        double total() const { return weight * static_cast<double>(vertices.size()); }
    };
    double m_exponent;
    std::map<std::uint32_t, group> m_groups;  ///< groups by degree; none is empty
};

/// A law that makes vertex by vertex, each a child of an earlier one: of vertex v with a probability in
/// proportion to (2 deg v)^s. The first child has only the root to go to.
class stochastic : public tree_law {
  public:
    /// The first task is always there: the law is for the number of the others.
    stochastic(const parameters& p, const std::string& folder)
        : m_others(static_cast<double>(p.n) - 1, p.n_law, folder), m_exponent(p.s) {}

    std::shared_ptr<const job_tree> next(rng& random) override {
        std::vector<std::uint32_t> parents;
        attachment open(m_exponent);
        const std::uint64_t others = m_others.draw_whole(random, job_tree::most_vertices - 1);
        for (std::uint32_t v = 1; v <= others; ++v) {
            if (v == 1) {
                parents.push_back(0);
                open.add(0, 1);
            } else {
                parents.push_back(open.draw(random));
            }
            open.add(v, 1);
        }
        return std::make_shared<job_tree>(parents);
    }

  private:
    scaled_law m_others;
    double m_exponent;
};

const config::registration<tree_law, const std::string&> registered{
    "stochastic", "Grown by preferential attachment: every job has another tree.",
    config::schema<parameters>()
        .number("n", &parameters::n, 1, job_tree::most_vertices, "tasks", "of a job")
        .raw("n_law", &parameters::n_law, "gaps", "the law of the number of tasks, of which 'n' is the mean",
             resolve_gaps)
        .number("s", &parameters::s, -16, 16, "",
                "a task gets the next subtask in proportion to (2 deg)^s: 0 any, above 0 those with many"),
    config::made<stochastic>};

}  // namespace
}  // namespace sare::traffic::variants::stochastic
