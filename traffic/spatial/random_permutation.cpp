// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

#include <numeric>
#include <utility>

namespace sare::traffic::variants::random_permutation {
namespace {

struct parameters {
    std::uint64_t seed = 0;
};

const config::registration<pattern, const pattern_context&> registered{
    "random_permutation",
    "One permutation, drawn from a seed (Fisher-Yates); fixed points send to themselves.",
    config::schema<parameters>().number("seed", &parameters::seed, 0, 9e15, "",
                                        "of the permutation; 0: that of the experiment"),
    [](const parameters& p, const config::value&, const pattern_context& c) {
        std::vector<std::uint32_t> table(c.nodes);
        std::iota(table.begin(), table.end(), 0u);
        rng random(p.seed != 0 ? p.seed : c.seed, stream::workload, 0);
        for (std::uint32_t i = c.nodes; i > 1; --i) std::swap(table[i - 1], table[random.below(i)]);
        return new permutation(std::move(table));
    }};

}  // namespace
}  // namespace sare::traffic::variants::random_permutation
