// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/gap.h"
#include "traffic/gap/geometric.h"

namespace sare::traffic::variants::exponential_gaps {
namespace {

struct parameters {
    double mean = 100;
};

class exponential : public gap_law {
  public:
    using gap_law::gap_law;
    double draw(rng& random) const override { return mean() * draw_exponential(random); }
};

const config::registration<gap_law, const std::string&> registered{
    "exponential", "Exponential gaps: a Poisson process.",
    config::schema<parameters>().number("mean", &parameters::mean, 1e-3, 1e12, "cycles", "of the gaps"),
    [](const parameters& p, const config::value&, const std::string&) { return new exponential(p.mean); }};

}  // namespace
}  // namespace sare::traffic::variants::exponential_gaps
