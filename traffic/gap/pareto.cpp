// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/gap.h"
#include "traffic/gap/geometric.h"

namespace sare::traffic::variants::pareto_gaps {
namespace {

struct parameters {
    double least = 1;
    double shape = 1.5;
};

class pareto : public gap_law {
  public:
    explicit pareto(const parameters& p)
        : gap_law(p.shape * p.least / (p.shape - 1)), m_least(p.least), m_power(1 / p.shape) {}
    /// Draws u^(-1/shape), u uniform: 2^(exponential / (shape ln 2)).
    double draw(rng& random) const override {
        constexpr double e = 2.718281828459045;
        return m_least * power_of(e, draw_exponential(random) * m_power);
    }

  private:
    double m_least, m_power;
};

const config::registration<gap_law, const std::string&> registered{
    "pareto", "Pareto's law: few gaps are very long, as between the bursts of many sources.",
    config::schema<parameters>()
        .number("least", &parameters::least, 1e-3, 1e12, "cycles", "of the gaps")
        .number("shape", &parameters::shape, 1.01, 100, "",
                "the smaller, the more long ones; below 2 they have no variance"),
    config::made<pareto>};

}  // namespace
}  // namespace sare::traffic::variants::pareto_gaps
