// SPDX-License-Identifier: Apache-2.0
#include "traffic/placement/placement.h"

#include <algorithm>
#include <map>

namespace sare::traffic::variants::shuffle {
namespace {

class shuffle final : public node_order {
  public:
    using node_order::node_order;

  protected:
    void sort(std::vector<std::uint32_t>& nodes, const traffic_port& port) const override {
        std::map<std::uint32_t, std::uint32_t> seen;  // nodes of a router
        std::vector<std::pair<std::uint32_t, std::uint32_t>> place(nodes.size());
        for (const auto node : nodes) place[node] = {seen[port.router_of(node)]++, port.router_of(node)};
        std::stable_sort(nodes.begin(), nodes.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return place[a] < place[b]; });
    }
};

const config::registration<placement, const placement_context&> registered{
    "shuffle",
    "The first node of every router (leaf switch) in order of router, then the second of every one, ...",
    [](const config::no_parameters&, const config::value&, const placement_context& c) {
        return new shuffle(c.at);
    }};

}  // namespace
}  // namespace sare::traffic::variants::shuffle
