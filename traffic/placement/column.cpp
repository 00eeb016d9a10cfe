// SPDX-License-Identifier: Apache-2.0
#include "traffic/placement/placement.h"

#include <algorithm>

namespace sare::traffic::variants::column {
namespace {

class column final : public node_order {
  public:
    using node_order::node_order;

  protected:
    void sort(std::vector<std::uint32_t>& nodes, const traffic_port& port) const override {
        const auto& dims = port.dims();
        std::stable_sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
            return coordinates_of(a, dims) < coordinates_of(b, dims);  // dimension 0 counts most
        });
    }
};

const config::registration<placement, const placement_context&> registered{
    "column", "Nodes by column: the last dimension of their grid varies fastest.",
    [](const config::no_parameters&, const config::value&, const placement_context& c) {
        return new column(c.at);
    }};

}  // namespace
}  // namespace sare::traffic::variants::column
