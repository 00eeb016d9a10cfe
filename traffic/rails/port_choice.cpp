// SPDX-License-Identifier: Apache-2.0
#include "traffic/rails/port_choice.h"

#include <fmt/format.h>

namespace sare::traffic {
namespace {

constexpr std::uint32_t no_path = ~std::uint32_t{0};

}  // namespace

port_numbers::port_numbers(const rails_parameters& p, std::uint32_t in_network, const config::location& at)
    : m_nodes(in_network / p.ports), m_ports(p.ports), m_at(in_network), m_place(in_network) {
    if (m_nodes == 0 || in_network % m_ports != 0)
        throw config::error(
            at,
            fmt::format(
                "workload 'rails': {} ports of each node; the network has {} nodes, which must be a multiple",
                m_ports, in_network));
    if (p.transpose.size() > m_ports)
        throw config::error(at, fmt::format("'transpose' has {} numbers, one for each of {} ports",
                                            p.transpose.size(), m_ports));
    for (std::uint32_t port = 0; port < m_ports; ++port) {
        const std::uint32_t columns = port < p.transpose.size() ? p.transpose[port] : 0;
        if (columns != 0 && m_nodes % columns != 0)
            throw config::error(at, fmt::format("'transpose' is {}; it must divide the number of nodes, {}",
                                                columns, m_nodes));
        for (std::uint32_t n = 0; n < m_nodes; ++n) {
            const std::uint32_t number = columns == 0 ? n : (n % columns) * (m_nodes / columns) + n / columns;
            const std::uint32_t whole =
                p.order == port_order::planes ? port * m_nodes + number : number * m_ports + port;
            m_at[std::size_t{n} * m_ports + port] = whole;
            m_place[whole] = n * m_ports + port;
        }
    }
}

port_chooser::port_chooser(port_rule rule, const port_numbers& numbers,
                           const std::vector<std::uint32_t>& dims, const traffic_port& network)
    : m_rule(rule),
      m_numbers(numbers),
      m_dims(dims),
      m_network(network),
      m_map(network.map()),
      m_next(numbers.nodes()) {}

std::uint32_t port_chooser::choose(const message& m) {
    const std::uint32_t ports = m_numbers.ports();
    switch (m_rule) {
        case port_rule::nearest:
            return shortest_queue(m.source, nearest(m.source, m.destination));
        case port_rule::shortest_queue:
            return shortest_queue(m.source, ~std::uint64_t{0});
        case port_rule::round_robin:
            break;
        case port_rule::message_class:
            return m.message_class % ports;
        case port_rule::destination:
            return m.destination % ports;
        case port_rule::direction:
            return direction(m.source, m.destination) % ports;
    }
    std::uint32_t& next = m_next.at(m.source);
    const std::uint32_t port = next;
    next = (next + 1) % ports;
    return port;
}

std::uint32_t port_chooser::shortest_queue(std::uint32_t node, std::uint64_t among) const {
    std::uint32_t best = 0, least = ~std::uint32_t{0};
    for (std::uint32_t p = 0; p < m_numbers.ports(); ++p) {
        if ((among >> p & 1) == 0) continue;
        const std::uint32_t queued = m_network.queued(m_numbers.at(node, p));
        if (queued < least) least = queued, best = p;
    }
    return best;
}

std::uint64_t port_chooser::nearest(std::uint32_t from, std::uint32_t to) {
    if (m_map == nullptr) return ~std::uint64_t{0};
    std::uint64_t& ports = m_nearest[std::uint64_t{from} * m_numbers.nodes() + to];
    if (ports != 0) return ports;
    std::uint32_t least = no_path;
    for (std::uint32_t p = 0; p < m_numbers.ports(); ++p) {
        const std::uint32_t length = links(m_numbers.at(from, p), m_numbers.at(to, p));
        if (length < least) ports = 0, least = length;
        if (length == least && length != no_path) ports |= std::uint64_t{1} << p;
    }
    if (ports == 0)
        throw config::error(
            fmt::format("workload 'rails': no path joins the same port of node {} and node {}; are the ports "
                        "in 'order: planes'?",
                        from, to));
    return ports;
}

/// Returns the number of links on a shortest path between two ports; no_path if there is none.
std::uint32_t port_chooser::links(std::uint32_t from, std::uint32_t to) const {
    try {
        return path_between(*m_map, node_id(from), node_id(to)).links;
    } catch (const std::exception&) {
        return no_path;
    }
}

std::uint32_t port_chooser::direction(std::uint32_t from, std::uint32_t to) const {
    for (std::uint32_t d = 0; d < m_dims.size(); ++d) {
        const std::uint32_t size = m_dims[d], ahead = (to % size + size - from % size) % size;
        if (ahead != 0) return 2 * d + (2 * ahead > size ? 1 : 0);
        from /= size, to /= size;
    }
    return 0;
}

}  // namespace sare::traffic
