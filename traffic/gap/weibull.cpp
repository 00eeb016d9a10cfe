// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/gap.h"
#include "traffic/gap/geometric.h"

#include <cmath>

namespace sare::traffic::variants::weibull_gaps {
namespace {

struct parameters {
    double scale = 100;
    double shape = 1;
};

class weibull : public gap_law {
  public:
    explicit weibull(const parameters& p)
        : gap_law(p.scale * std::tgamma(1 + 1 / p.shape)), m_scale(p.scale), m_power(1 / p.shape) {}
    double draw(rng& random) const override { return m_scale * power_of(draw_exponential(random), m_power); }

  private:
    double m_scale, m_power;
};

const config::registration<gap_law, const std::string&> registered{
    "weibull", "Weibull's law: below shape 1 gaps are burstier than exponential ones, above it more even.",
    config::schema<parameters>()
        .number("scale", &parameters::scale, 1e-3, 1e12, "cycles", "of the gaps: 63% are below it")
        .number("shape", &parameters::shape, 0.1, 100, "", "1: exponential"),
    config::made<weibull>};

}  // namespace
}  // namespace sare::traffic::variants::weibull_gaps
