// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/topology.h"

#include "tlm/topology/way_search.h"

namespace sare {

template class config::registry<topology>;

topology::topology() = default;
topology::~topology() = default;

void topology::add_way(router_id from, router_id to, way_sum& sum) const {
    if (!m_search) m_search = std::make_unique<way_search>(*this);
    sum.add(m_search->way(from, to));
}

way_sum way_between(const topology& net, node_id from, node_id to) {
    way_sum sum;
    sum.add(net.injection_link(from));
    const router_port exit = net.ejection_of(to);
    net.add_way(net.router_of(from), exit.router, sum);
    sum.add(net.link(exit.router, exit.port));
    return sum;
}

}  // namespace sare
