// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/classes/class_links.h"

#include "tlm/topology/adjacency.h"
#include "tlm/topology/changed_links.h"
#include "tlm/topology/surviving_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sare {
namespace {

/// Throws unless every node can send to every other one.
void check_reached(const topology& seen, std::uint32_t message_class, const config::location& at) {
    const adjacency graph(seen, adjacency::direction::forward);
    std::vector<std::uint32_t> distance, queue;
    std::uint32_t searched = seen.routers();  // of nodes in their order, those of a router follow each other
    for (std::uint32_t n = 0; n < seen.nodes(); ++n) {
        const std::uint32_t from = seen.router_of(node_id(n)).value;
        if (from == searched) continue;
        breadth_first(graph, from, distance, queue);
        searched = from;
        for (std::uint32_t d = 0; d < seen.nodes(); ++d)
            if (distance[seen.ejection_of(node_id(d)).router.value] == unreached)
                throw config::error(at, fmt::format("'links' leaves message class {} no way from node {} to "
                                                    "node {}; every class needs links between all nodes",
                                                    message_class, n, d));
    }
}

}  // namespace

bool any_link_of_classes(const config::value& links) {
    const auto all = link_exception::read(links);
    return std::any_of(all.begin(), all.end(), [](const auto& x) { return !x.classes.empty(); });
}

class_links::class_links(const config::value& links, const topology& map, std::uint32_t classes)
    : m_map(map), m_at(links.where()) {
    for (const link_exception& x : link_exception::read(links)) {
        if (x.classes.empty()) continue;
        std::uint32_t carried = 0;
        for (const std::uint32_t c : x.classes) {
            if (c >= classes)
                throw config::error(
                    x.classes_at,
                    fmt::format("there is no message class {}; this traffic has {}, 0 and up", c, classes));
            carried |= 1U << c;
        }
        for (const auto& [r, p] : x.links_of(map)) m_carried[{r.value, p.value}] = carried;
    }
}

bool class_links::carries(std::uint32_t router, std::uint32_t port, std::uint32_t message_class) const {
    const auto found = m_carried.find({router, port});
    return found == m_carried.end() || (found->second >> message_class & 1) != 0;
}

std::unique_ptr<topology> class_links::seen_by(std::uint32_t message_class) const {
    auto seen = std::make_unique<surviving_network>(m_map);
    for (const auto& [at, carried] : m_carried)
        if ((carried >> message_class & 1) == 0) seen->fail(at.first, at.second);
    check_reached(*seen, message_class, m_at);
    return seen;
}

}  // namespace sare
