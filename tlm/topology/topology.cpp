// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/topology.h"

#include "tlm/topology/path_search.h"
#include "tlm/topology/region/clock_region.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace sare {

template class config::registry<topology>;

topology::topology() = default;
topology::~topology() = default;

clock_ratio topology::clock(router_id r) const {
    const clock_region* const its = region(r);
    return its == nullptr ? clock_ratio() : its->clock;
}
clock_ratio topology::clock(node_id n) const {
    const clock_region* const its = region(n);
    return its == nullptr ? clock_ratio() : its->clock;
}

namespace {

/// Throws std::out_of_range for a number that there is not.
void check_there(const char* what, std::uint32_t number, std::uint32_t all) {
    if (number < all) return;
    throw std::out_of_range(fmt::format("there is no {} {}; there are {}, 0 and up", what, number, all));
}

}  // namespace

void topology::add_path(router_id from, router_id to, path_cost& sum) const {
    check_there("router", from.value, routers());
    check_there("router", to.value, routers());
    if (!m_search) m_search = std::make_unique<path_search>(*this);
    sum.add(m_search->path(from, to));
}

path_cost path_between(const topology& net, node_id from, node_id to) {
    check_there("node", from.value, net.nodes());
    check_there("node", to.value, net.nodes());
    path_cost sum;
    sum.add(net.injection_link(from));
    const router_port exit = net.ejection_of(to);
    net.add_path(net.router_of(from), exit.router, sum);
    sum.add(net.link(exit.router, exit.port));
    return sum;
}

}  // namespace sare
