// SPDX-License-Identifier: Apache-2.0
#include "traffic/placement/placement.h"

namespace sare::traffic::variants::consecutive {
namespace {

class consecutive final : public node_order {
  public:
    using node_order::node_order;

  protected:
    void sort(std::vector<std::uint32_t>& nodes, const traffic_port& port) const override {
        (void)nodes, (void)port;
    }
};

const config::registration<placement, const placement_context&> registered{
    "consecutive", "Nodes in order of number (by row).",
    [](const config::no_parameters&, const config::value&, const placement_context& c) {
        return new consecutive(c.at);
    }};

}  // namespace
}  // namespace sare::traffic::variants::consecutive
