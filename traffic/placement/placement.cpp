// SPDX-License-Identifier: Apache-2.0
#include "traffic/placement/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool named = [] {
    placement_registry::instance().name_kind("placement", "name");
    placement_registry::instance().set_default("consecutive", "placement");
    return true;
}();

}  // namespace

std::vector<std::uint32_t> node_order::nodes_of(const placement_request& what,
                                                const traffic_port& port) const {
    std::vector<std::uint32_t> order(port.nodes());
    std::iota(order.begin(), order.end(), 0u);
    sort(order, port);
    if (what.taken != nullptr)
        order.erase(std::remove_if(order.begin(), order.end(),
                                   [&what](std::uint32_t node) { return (*what.taken)[node]; }),
                    order.end());
    if (what.tasks > std::uint64_t{order.size()} * what.tasks_per_node)
        throw config::error(
            m_at,
            fmt::format("{} has {} tasks, the network {}{}{} tasks; take a larger network or raise "
                        "'tasks_per_node'{}",
                        what.title, what.tasks, order.size(),
                        (order.size() < port.nodes() ? " free nodes of " : " nodes of "), what.tasks_per_node,
                        (order.size() < port.nodes() ? ", or set 'shared: true'" : "")));
    std::vector<std::uint32_t> nodes(what.tasks);
    for (std::uint32_t i = 0; i < what.tasks; ++i) nodes[i] = order[i / what.tasks_per_node];
    return nodes;
}

std::vector<std::uint32_t> coordinates_of(std::uint32_t node, const std::vector<std::uint32_t>& dims) {
    std::vector<std::uint32_t> all;
    for (const auto n : dims) {
        all.push_back(node % n);
        node /= n;
    }
    return all;
}

}  // namespace sare::traffic
