// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/gap.h"

namespace sare::traffic::variants::uniform_gaps {
namespace {

struct parameters {
    double least = 0;
    double most = 200;
};

class uniform : public gap_law {
  public:
    explicit uniform(const parameters& p) : gap_law((p.least + p.most) / 2), m(p) {}
    double draw(rng& random) const override { return m.least + (m.most - m.least) * random.uniform(); }

  private:
    parameters m;
};

const config::registration<gap_law, const std::string&> registered{
    "uniform", "Every gap from least to most is as likely.",
    config::schema<parameters>()
        .number("least", &parameters::least, 0, 1e12, "cycles", "of the gaps")
        .number("most", &parameters::most, 1e-3, 1e12, "cycles", "of the gaps"),
    [](const parameters& p, const config::value& section, const std::string&) {
        if (p.least > p.most)
            throw config::error(section.where(), "gaps 'uniform': least " + config::number_text(p.least) +
                                                     " is above most " + config::number_text(p.most));
        return new uniform(p);
    }};

}  // namespace
}  // namespace sare::traffic::variants::uniform_gaps
