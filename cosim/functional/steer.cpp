// SPDX-License-Identifier: Apache-2.0
#include "cosim/functional/steer.h"

#include "cosim/random/random_case.h"

namespace sare::cosim {
namespace {

/// Weight of a hole that a router could hit, against one that it hits; found by trial with 60 routers.
constexpr double weight_of_chance = 0.1;

/// Cost in seconds of a processor, roughly: building a router takes longer with more VCs.
double cost_of(const router_setting& s) {
    return 4 + 0.3 * s.ports * s.model.vcs;
}

}  // namespace

std::uint64_t steered_seed(std::uint64_t first, std::uint32_t count, std::uint32_t most_vcs,
                           const config::value& held, const router_points& points) {
    std::uint64_t best = first;
    double most = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const router_setting s = draw_setting(seed, most_vcs, held);
        const router_points::reach holes = points.holes_of(s);
        const double gain = (holes.certain + weight_of_chance * holes.possible) / cost_of(s);
        if (gain <= most) continue;
        most = gain;
        best = seed;
    }
    return best;
}

}  // namespace sare::cosim
