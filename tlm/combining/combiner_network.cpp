// SPDX-License-Identifier: Apache-2.0
#include "tlm/combining/combiner_network.h"

#include <fmt/format.h>

namespace sare {
namespace {

/// Another routing function, and the ways to combiners and from them.
class to_combiners final : public routing_function {
  public:
    to_combiners(std::unique_ptr<routing_function> inner, const combiner_network& map, std::uint32_t vcs)
        : m_inner(std::move(inner)), m_map(map), m_vcs(first_vcs(vcs)) {}

    std::string name() const override { return m_inner->name(); }
    std::uint32_t max_candidates() const override { return m_inner->max_candidates(); }
    bool deterministic() const override { return m_inner->deterministic(); }
    bool knows_routers_only() const override { return m_inner->knows_routers_only(); }
    bool finishes_dimensions_in_order() const override { return m_inner->finishes_dimensions_in_order(); }
    bool treats_dimensions_apart() const override { return m_inner->treats_dimensions_apart(); }
    std::vector<part> parts() const override { return m_inner->parts(); }
    bool needs_escape() const override { return m_inner->needs_escape(); }
    void begin(route_header& h, rng& random) const override {
        if (!is_local(h)) m_inner->begin(h, random);
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        is_local(plain) ? out.push_back(plain) : m_inner->every_header(plain, out);
    }
    void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const override {
        is_local(plain) ? out.push_back({plain, 1}) : m_inner->drawn_headers(plain, out);
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        if (!is_local(h)) return m_inner->route(r, in, in_vc, h, out);
        route_locally(r, h.destination, out);
    }
    bool looks_at_congestion() const override { return m_inner->looks_at_congestion(); }
    void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                      const congestion_view& here, route_set& out) const override {
        if (!is_local(h)) return m_inner->route_seeing(r, in, in_vc, h, here, out);
        route_locally(r, h.destination, out);
    }
    std::uint32_t board_delay() const override { return m_inner->board_delay(); }
    bool forks() const override { return m_inner->forks(); }
    const multicast_table* groups() const override { return m_inner->groups(); }
    void expect(const route_header& h) const override {
        if (!is_local(h)) m_inner->expect(h);
    }

  private:
    bool is_local(const route_header& h) const {
        return m_map.is_combiner(h.source) || m_map.is_combiner(h.destination);
    }
    /// Adds the port to a node of the router, or to the neighbour that has the node.
    void route_locally(std::uint32_t r, std::uint32_t to, route_set& out) const {
        const router_port last = m_map.ejection_of(node_id(to));
        if (last.router.value == r) return out.add(last.port.value, m_vcs);
        for (std::uint32_t p = 0; p < m_map.ports(router_id(r)); ++p) {
            const port_peer next = m_map.peer(router_id(r), port_id(p));
            if (next.what == port_peer::kind::router && next.id == last.router.value)
                return out.add(p, m_vcs);
        }
    }

    std::unique_ptr<routing_function> m_inner;
    const combiner_network& m_map;
    vc_mask m_vcs;
};

[[noreturn]] void refuse_one_way(const topology& net, const config::location& section) {
    throw config::error(section, fmt::format("'combining' needs links both ways, which this {} has not: sums "
                                             "go up a tree of links, and come down the same",
                                             net.name()));
}

}  // namespace

combiner_network::combiner_network(std::unique_ptr<topology> map, std::uint32_t ports_each,
                                   const config::location& section)
    : wrapped_topology(std::move(map)), m_each(ports_each) {
    const topology& net = plain();
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const port_peer to = net.peer(router_id(r), port_id(p)),
                            from = net.source(router_id(r), port_id(p));
            if (to.what != from.what || to.id != from.id) refuse_one_way(net, section);
        }
    place_names named = names();
    for (std::uint32_t n = plain_nodes(); n < nodes(); ++n)
        named.set(place_kind::node, n,
                  fmt::format("combiner{}{}", router_of(node_id(n)).value,
                              m_each == 1 ? "" : fmt::format("/{}", (n - plain_nodes()) % m_each)));
    set_names(std::move(named));
}

std::unique_ptr<routing_function> route_to_combiners(std::unique_ptr<routing_function> inner,
                                                     const combiner_network& map, std::uint32_t vcs) {
    return std::make_unique<to_combiners>(std::move(inner), map, vcs);
}

}  // namespace sare
