// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/demand.h"

#include "tlm/inside/wait_samples.h"
#include "tlm/routing/first_way.h"

#include <cmath>

namespace sare {
namespace {

constexpr std::uint64_t most_ways = 1 << 18;  ///< of pairs, that are gone; some tenths of a second

class demand {
  public:
    demand(const topology& map, const routing_function* routing, const wait_samples& numbers)
        : m_map(map), m_routing(routing), m_numbers(numbers), m_offered(numbers.links()) {}

    /// Follows the routes that packets may take, each as often as the others.
    void add(std::uint32_t source, std::uint32_t destination, double flits) {
        m_offered[m_numbers.link_of_node(source)] += flits;
        const router_port last = m_map.ejection_of(node_id(destination));
        m_offered[m_numbers.link_from(last.router.value, last.port.value)] += flits;
        if (m_routing == nullptr) return;
        route_header plain;
        plain.source = source;
        plain.destination = destination;
        m_headers.clear();
        m_routing->every_header(plain, m_headers);
        for (const route_header& h : m_headers) go(h, flits / static_cast<double>(m_headers.size()));
    }
    /// Makes links between routers unknown.
    void forget_channels() {
        for (std::uint32_t r = 0; r < m_map.routers(); ++r)
            for (std::uint32_t p = 0; p < m_map.ports(router_id(r)); ++p)
                if (m_map.peer(router_id(r), port_id(p)).what != port_peer::kind::node)
                    m_offered[m_numbers.link_from(r, p)] = std::nan("");
    }
    std::vector<double> offered() { return std::move(m_offered); }

  private:
    void go(const route_header& header, double flits) {
        follow_first_way(m_map, *m_routing, header, [&](std::uint32_t router, std::uint32_t way) {
            m_offered[m_numbers.link_from(router, way)] += flits;
        });
    }

    const topology& m_map;
    const routing_function* m_routing;
    const wait_samples& m_numbers;
    std::vector<double> m_offered;
    std::vector<route_header> m_headers;
};

/// True if packets of a pair take one route, or one of a few that are equally likely.
bool goes_one_way(const routing_function& routing, const std::vector<std::uint64_t>& pairs) {
    std::uint64_t sending = 0;
    for (const std::uint64_t flits : pairs) sending += flits != 0 ? 1 : 0;
    return routing.deterministic() && routing.max_candidates() == 1 && sending <= most_ways;
}

}  // namespace

std::vector<double> offered_to_links(const run_result& out, const topology& map,
                                     const routing_function* routing, const wait_samples& numbers) {
    const std::size_t nodes = out.node_loads.size();
    const auto window = static_cast<double>(out.measured_to - out.measured_from);
    if (window == 0 || out.pair_flits.size() != nodes * nodes) return {};
    const bool one_way = routing != nullptr && goes_one_way(*routing, out.pair_flits);
    demand all(map, one_way ? routing : nullptr, numbers);
    for (std::size_t s = 0; s < nodes; ++s) {
        const std::uint64_t* const row = &out.pair_flits[s * nodes];
        double injected = 0;
        for (std::size_t d = 0; d < nodes; ++d) injected += static_cast<double>(row[d]);
        const double offered = static_cast<double>(out.node_loads[s].generated_flits) / window;
        for (std::size_t d = 0; d < nodes; ++d)
            if (row[d] != 0)
                all.add(static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(d),
                        offered * static_cast<double>(row[d]) / injected);
    }
    if (!one_way) all.forget_channels();
    return all.offered();
}

}  // namespace sare
