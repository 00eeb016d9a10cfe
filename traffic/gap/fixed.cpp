// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/gap.h"

namespace sare::traffic::variants::fixed_gaps {
namespace {

struct parameters {
    double gap = 100;
};

class constant : public gap_law {
  public:
    using gap_law::gap_law;
    double draw(rng&) const override { return mean(); }
    bool fixed() const override { return true; }
};

const config::registration<gap_law, const std::string&> registered{
    "fixed", "All gaps are the same.",
    config::schema<parameters>().number("gap", &parameters::gap, 1e-3, 1e12, "cycles", "each"),
    [](const parameters& p, const config::value&, const std::string&) { return new constant(p.gap); }};

}  // namespace
}  // namespace sare::traffic::variants::fixed_gaps
