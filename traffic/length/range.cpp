// SPDX-License-Identifier: Apache-2.0
#include "traffic/length/length.h"

#include <fmt/format.h>

namespace sare::traffic::variants::range {
namespace {

struct parameters {
    std::uint32_t min = 1;
    std::uint32_t max = 5;
};

class range : public length_law {
  public:
    explicit range(const parameters& p) : length_law(p.min, p.max), m(p) {}
    double mean_of(const function_of_length& f) const override {
        double sum = 0;
        for (std::uint32_t flits = m.min; flits <= m.max; ++flits) sum += f(flits);
        return sum / (m.max - m.min + 1);
    }

  private:
    std::uint32_t draw(rng& random) override { return m.min + random.below(m.max - m.min + 1); }
    parameters m;
};

const config::registration<length_law, const length_context&> registered{
    "range", "Every length from min to max is as likely.",
    config::schema<parameters>()
        .number("min", &parameters::min, 1, 1 << 20, "flits", "the shortest")
        .number("max", &parameters::max, 1, 1 << 20, "flits", "the longest"),
    [](const parameters& p, const config::value& section, const length_context&) {
        if (p.min > p.max)
            throw config::error(section.where(),
                                fmt::format("length 'range': min {} is above max {}", p.min, p.max));
        return new range(p);
    }};

}  // namespace
}  // namespace sare::traffic::variants::range
