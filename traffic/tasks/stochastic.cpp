// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/tree.h"

#include <cmath>
#include <map>

namespace sare::traffic::variants::stochastic {
namespace {

struct parameters {
    std::uint32_t n = 16;
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

    /// A vertex by its weight; its degree is one more from now on.
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
        double weight = 0;  ///< of each
        std::vector<std::uint32_t> vertices;
        double total() const { return weight * static_cast<double>(vertices.size()); }
    };
    double m_exponent;
    std::map<std::uint32_t, group> m_groups;  ///< by degree; none is empty
};

/// Vertex by vertex, each a child of one that is there: of vertex v with a probability in proportion to
/// (2 deg v)^s. The first child has only the root to go to.
class stochastic : public tree_law {
  public:
    explicit stochastic(const parameters& p) : m(p) {}

    std::shared_ptr<const job_tree> next(rng& random) override {
        std::vector<std::uint32_t> parents;
        attachment open(m.s);
        for (std::uint32_t v = 1; v < m.n; ++v) {
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
    parameters m;
};

const config::registration<tree_law> registered{
    "stochastic", "Grown by preferential attachment: every job has another tree.",
    config::schema<parameters>()
        .number("n", &parameters::n, 1, job_tree::most_vertices, "tasks", "of a job")
        .number("s", &parameters::s, -16, 16, "",
                "a task gets the next subtask in proportion to (2 deg)^s: 0 any, above 0 those with many"),
    [](const parameters& p, const config::value&) { return new stochastic(p); }};

}  // namespace
}  // namespace sare::traffic::variants::stochastic
