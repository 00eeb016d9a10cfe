// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/rng.h"
#include "traffic/placement/placement.h"

#include <utility>

namespace sare::traffic::variants::random {
namespace {

class random_order final : public node_order {
  public:
    using node_order::node_order;

  protected:
    void sort(std::vector<std::uint32_t>& nodes, const traffic_port& port) const override {
        rng random(port.seed(), stream::placement, 0);
        for (std::uint32_t i = port.nodes(); i > 1; --i) std::swap(nodes[i - 1], nodes[random.below(i)]);
    }
};

const config::registration<placement, const placement_context&> registered{
    "random", "Nodes drawn from the seed (Fisher-Yates).",
    [](const config::no_parameters&, const config::value&, const placement_context& c) {
        return new random_order(c.at);
    }};

}  // namespace
}  // namespace sare::traffic::variants::random
