// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

#include <numeric>
#include <utility>

namespace sare::traffic::variants::random_permutation {
namespace {

const config::registration<pattern, const pattern_context&> registered{
    "random_permutation",
    "One permutation, drawn from the seed (Fisher-Yates); fixed points send to themselves.",
    config::schema<config::no_parameters>(),
    [](const config::no_parameters&, const config::value&, const pattern_context& c) {
        std::vector<std::uint32_t> table(c.nodes);
        std::iota(table.begin(), table.end(), 0u);
        rng random(c.seed, stream::workload, 0);
        for (std::uint32_t i = c.nodes; i > 1; --i) std::swap(table[i - 1], table[random.below(i)]);
        return new permutation(std::move(table));
    }};

}  // namespace
}  // namespace sare::traffic::variants::random_permutation
