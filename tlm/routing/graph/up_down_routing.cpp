// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/graph/up_down_routing.h"

#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

/// Bounds the tables.
constexpr std::uint64_t most_table_bytes = std::uint64_t{1} << 29;
/// Up to this many routers the root is one of least eccentricity.
constexpr std::uint32_t most_searches = 4096;

void check_paired(const std::string& function, const topology& net, const config::value& section) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const auto to = net.peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::router) links.emplace_back(r, to.id);
        }
    std::sort(links.begin(), links.end());
    for (const auto& [a, b] : links)
        if (!std::binary_search(links.begin(), links.end(), std::make_pair(b, a)))
            throw config::error(place(section, "function"),
                                fmt::format("'function' is {}, which needs links in both directions; router "
                                            "{} has a link to router {} but none back",
                                            function, a, b));
}

/// Of the part with the most routers one of least eccentricity (then of most links, then of lowest number);
/// in large networks one of most links.
std::uint32_t choose_root(const adjacency& out) {
    const auto routers = static_cast<std::uint32_t>(out.first.size() - 1);
    std::vector<std::uint32_t> distance, queue;
    auto best = std::make_tuple(unreached, unreached, 0U, 0U);
    for (std::uint32_t r = 0; r < routers; ++r) {
        std::uint32_t eccentricity = 0, reached = routers;
        if (routers <= most_searches) {
            breadth_first(out, r, distance, queue);
            eccentricity = distance[queue.back()];
            reached = static_cast<std::uint32_t>(queue.size());
        }
        const std::uint32_t links = out.first[r + 1] - out.first[r];
        best = std::min(best, std::make_tuple(routers - reached, eccentricity, unreached - links, r));
    }
    return std::get<3>(best);
}

}  // namespace

up_down_routing::up_down_routing(std::string name, std::int32_t root, const config::value& section,
                                 const routing_context& context)
    : m_name(std::move(name)), m_parallel(*context.network) {
    const topology& net = *context.network;
    check_paired(m_name, net, section);
    find_levels(root, adjacency(net, adjacency::direction::forward), section);
    number_nodes(net);
    mark_downward_inputs(net);
}

/// The root of a part that has none yet is its router of lowest number.
void up_down_routing::find_levels(std::int32_t root, const adjacency& out, const config::value& section) {
    const auto routers = static_cast<std::uint32_t>(out.first.size() - 1);
    if (root >= 0 && static_cast<std::uint32_t>(root) >= routers)
        throw config::error(
            place(section, "root"),
            fmt::format("'root' is {}; the network has {} routers, numbered from 0", root, routers));
    std::vector<std::uint32_t> distance, queue;
    breadth_first(out, root >= 0 ? static_cast<std::uint32_t>(root) : choose_root(out), m_level, queue);
    for (std::uint32_t r = 0; r < routers; ++r) {
        if (m_level[r] != unreached) continue;
        breadth_first(out, r, distance, queue);
        for (const std::uint32_t q : queue) m_level[q] = distance[q];
    }
}

void up_down_routing::number_nodes(const topology& net) {
    std::vector<std::uint32_t> target(net.routers(), unreached);
    for (const auto& at : node_attachments(net)) {
        if (target[at.router] == unreached) {
            target[at.router] = targets();
            m_target_routers.push_back(at.router);
        }
        m_nodes.push_back({at.router, target[at.router], static_cast<port_number>(at.port)});
    }
}

void up_down_routing::mark_downward_inputs(const topology& net) {
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        m_most_ports = std::max(m_most_ports, net.ports(router_id(r)));
    m_down_inputs = bit_rows(net.routers(), m_most_ports);
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const auto from = net.source(router_id(r), port_id(p));
            if (from.what == port_peer::kind::router && !up(from.id, r)) m_down_inputs.set(r, p);
        }
}

void up_down_routing::check_bytes(std::uint64_t bytes, const std::string& function, std::uint32_t routers,
                                  const config::value& section, const std::string& less) {
    if (bytes <= most_table_bytes) return;
    throw config::error(
        place(section, "function"),
        fmt::format("'function' is {}, whose table for {} routers would take {} bytes; at most {}{}",
                    function, routers, bytes, most_table_bytes, less));
}

/// Shortest legal paths. State 2r: at router r, all moves upward so far; 2r + 1: has moved down, so must go
/// on down.
void up_down_routing::distances_to(std::uint32_t target, const adjacency& in,
                                   std::vector<std::uint32_t>& distance,
                                   std::vector<std::uint32_t>& queue) const {
    distance.assign(2 * (in.first.size() - 1), unreached);
    queue.assign({2 * target, 2 * target + 1});
    distance[2 * target] = distance[2 * target + 1] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const std::uint32_t r = queue[head] >> 1, down = queue[head] & 1;
        for (std::uint32_t e = in.first[r]; e < in.first[r + 1]; ++e) {
            const std::uint32_t q = in.to[e];
            if (up(q, r) == (down == 1))
                continue;  // an upward hop leads to state 2r, a downward one to 2r + 1
            for (std::uint32_t before = 2 * q; before <= 2 * q + down; ++before) {
                if (distance[before] != unreached) continue;
                distance[before] = distance[queue[head]] + 1;
                queue.push_back(before);
            }
        }
    }
}

void up_down_routing::find_ports(std::uint32_t r, std::uint32_t down, const adjacency& out,
                                 const std::vector<std::uint32_t>& distance,
                                 std::vector<port_number>& ports) const {
    ports.clear();
    const std::uint32_t here = distance[2 * r + down];
    if (here == 0 || here == unreached) return;
    for (std::uint32_t e = out.first[r]; e < out.first[r + 1]; ++e) {
        const bool upward = up(r, out.to[e]);
        if (upward && down == 1) continue;
        if (distance[2 * out.to[e] + !upward] == here - 1) ports.push_back(out.port[e]);
    }
}

}  // namespace sare
