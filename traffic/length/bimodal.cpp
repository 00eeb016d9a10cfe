// SPDX-License-Identifier: Apache-2.0
#include "traffic/length/length.h"

#include <algorithm>

namespace sare::traffic::variants::bimodal {
namespace {

struct parameters {
    std::uint32_t first = 1;
    std::uint32_t second = 5;
    double probability = 0.5;
};

class bimodal : public length_law {
  public:
    explicit bimodal(const parameters& p)
        : length_law(std::min(p.first, p.second), std::max(p.first, p.second)), m(p) {}
    double mean_of(const function_of_length& f) const override {
        return f(m.first) * m.probability + f(m.second) * (1 - m.probability);
    }

  private:
    std::uint32_t draw(rng& random) override { return random.bernoulli(m.probability) ? m.first : m.second; }
    parameters m;
};

const config::registration<length_law, const length_context&> registered{
    "bimodal", "One of two lengths (short requests, long replies).",
    config::schema<parameters>()
        .number("first", &parameters::first, 1, 1 << 20, "flits", "the one length")
        .number("second", &parameters::second, 1, 1 << 20, "flits", "the other length")
        .number("probability", &parameters::probability, 0, 1, "", "probability of the first length"),
    config::made<bimodal>};

}  // namespace
}  // namespace sare::traffic::variants::bimodal
