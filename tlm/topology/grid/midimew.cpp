// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/circulant.h"

#include <algorithm>

namespace sare::variants::midimew {
namespace {

/// Beivide et al. (1991): 4d routers at each distance d as long as there are any left.
closed_forms known(const circulant_parameters& p) {
    if (p.unidirectional) return {};
    std::uint32_t diameter = 0;
    std::uint64_t nearer = 1, sum = 0;  // routers within `diameter`, and their distances added up
    while (nearer < p.n) {
        ++diameter;
        const std::uint64_t here = std::min<std::uint64_t>(4ULL * diameter, p.n - nearer);
        nearer += here;
        sum += here * diameter;
    }
    return {diameter, static_cast<double>(sum) / p.n, std::nullopt};
}

topology* make(const circulant_parameters& p, const config::value& section) {
    std::uint32_t b = 1;
    while (2 * std::uint64_t{b} * b < p.n) ++b;  // ceil(sqrt(n / 2))
    return make_circulant("midimew", p, {b - 1, b}, known(p), section);
}

const config::registration<topology> registered{
    "midimew", "The circulant of two steps with the least diameter and mean distance.", circulant_fields(5),
    make};

}  // namespace
}  // namespace sare::variants::midimew
