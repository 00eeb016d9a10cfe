// SPDX-License-Identifier: Apache-2.0
#include "traffic/training/stragglers.h"

#include "traffic/gap/geometric.h"

#include <cmath>

namespace sare::traffic {
namespace {

/// Draws a number by Box and Muller.
double standard_normal(rng& random) {
    constexpr double two_pi = 6.283185307179586;
    const double radius = std::sqrt(2 * draw_exponential(random));
    return radius * std::cos(two_pi * random.uniform());
}

}  // namespace

const config::schema<straggler_parameters>& straggler_fields() {
    using p = straggler_parameters;
    static const auto fields =
        config::schema<p>()
            .numbers("tasks", &p::tasks, "that compute 'factor' times as long")
            .number("factor", &p::factor, 0, 1e6, "", "of these tasks")
            .choice("law", &p::law,
                    {{"none", straggler_law::none},
                     {"uniform", straggler_law::uniform},
                     {"lognormal", straggler_law::lognormal}},
                    "of a factor that is drawn for every task and step")
            .number("spread", &p::spread, 0, 10, "",
                    "uniform: from 1 - spread to 1 + spread; lognormal: the deviation of the logarithm")
            .number("seed", &p::seed, 0, 9e15, "", "of what is drawn");
    return fields;
}

double slowness(const straggler_parameters& p, std::uint32_t task, std::uint32_t step) {
    const double named = p.tasks.contains(task) ? p.factor : 1;
    rng random(p.seed, stream::workload, std::uint64_t{step} << 32 | task);
    switch (p.law) {
        case straggler_law::uniform:
            return named * (1 + p.spread * (2 * random.uniform() - 1));
        case straggler_law::lognormal:
            return named * std::exp(p.spread * standard_normal(random));
        case straggler_law::none:
            break;
    }
    return named;
}

}  // namespace sare::traffic
