// SPDX-License-Identifier: Apache-2.0
#include "moebius.h"

namespace {
using namespace sare;

struct moebius_parameters : link_parameters {
    std::uint32_t n = 8;
};

class moebius final : public topology {
  public:
    explicit moebius(const moebius_parameters& p) : m_links(p) { m_shape.n = p.n; }
    std::string name() const override { return "moebius"; }
    std::uint32_t nodes() const override { return m_shape.n; }
    std::uint32_t routers() const override { return m_shape.n; }
    std::uint32_t ports(router_id) const override { return 4; }
    port_peer peer(router_id r, port_id p) const override {
        const std::uint32_t n = m_shape.n;
        switch (p.value) {
            case 0:
                return {port_peer::kind::router, (r.value + 1) % n, 1};
            case 1:
                return {port_peer::kind::router, (r.value + n - 1) % n, 0};
            case 2:
                return {port_peer::kind::router, (r.value + n / 2) % n, 2};
            case 3:
                return {port_peer::kind::node, r.value, 0};
        }
        return {};
    }
    link_attributes link(router_id, port_id p) const override {
        return p.value < 3 ? m_links.link() : m_links.node_link();
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(n.value); }
    port_id port_of(node_id) const override { return port_id(3); }
    const network_shape* shape() const override { return &m_shape; }
    /// All nodes see the same network: distances are found by one search.
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), m_shape.n}};
    }

  private:
    moebius_shape m_shape;
    link_parameters m_links;
};

const config::registration<topology> registered{
    "moebius", "A ring whose opposite routers are linked.",
    config::schema<moebius_parameters>()
        .number("n", &moebius_parameters::n, 4, 65536, "routers", "routers in the ring, an even number")
        .include(link_fields()),
    [](const moebius_parameters& p, const config::value& section) {
        if (p.n % 2 != 0)
            throw config::error(place(section, "n"), "'n' is " + std::to_string(p.n) + "; it must be even");
        return new moebius(p);
    }};

}  // namespace
