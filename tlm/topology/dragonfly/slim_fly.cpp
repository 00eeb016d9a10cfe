// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/dragonfly/slim_fly.h"

#include "tlm/topology/dragonfly/galois_field.h"
#include "tlm/topology/layout/layouts.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::variants::slim_fly {
namespace {

struct slim_fly_parameters : link_parameters {
    std::uint32_t q = 5, concentration = 4;
};

/// Router (s, x, y) is number s q² + x q + y, with x and y in the field of q elements. Its first ports lead
/// to (s, x, y + d), for each d of a set of the half s, in their order; port x' of the q following ones to
/// the router (1 - s, x', y') of the other half with y = x' x + y' (s = 0), y' = x' x + y (s = 1). Nodes are
/// on the last ones.
class slim_fly final : public topology {
  public:
    explicit slim_fly(const slim_fly_parameters& p)
        : m_field(p.q), m_q(p.q), m_concentration(p.concentration), m_links(p) {
        for (std::uint32_t s = 0; s < 2; ++s) make_differences(s);
        m_own = static_cast<std::uint32_t>(m_differences[0].size());
    }

    std::string name() const override { return "slim_fly"; }
    std::uint32_t nodes() const override { return routers() * m_concentration; }
    std::uint32_t routers() const override { return 2 * m_q * m_q; }
    std::uint32_t ports(router_id) const override { return degree() + m_concentration; }

    port_peer peer(router_id r, port_id p) const override {
        if (p.value >= ports(r)) return {};
        if (p.value >= degree())
            return {port_peer::kind::node, r.value * m_concentration + p.value - degree(), 0};
        const std::uint32_t s = r.value / (m_q * m_q), x = r.value / m_q % m_q, y = r.value % m_q;
        if (p.value < m_own) {
            const std::uint32_t d = m_differences[s][p.value];
            return {port_peer::kind::router, r.value - y + m_field.add(y, d),
                    place_of(s, m_field.subtract(0, d))};
        }
        const std::uint32_t other = p.value - m_own, product = m_field.multiply(other, x);
        const std::uint32_t to = s == 0 ? m_field.subtract(y, product) : m_field.add(product, y);
        return {port_peer::kind::router, (1 - s) * m_q * m_q + other * m_q + to, m_own + x};
    }

    link_attributes link(router_id, port_id p) const override {
        return p.value < degree() ? m_links.link() : m_links.node_link();
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(n.value / m_concentration); }
    port_id port_of(node_id n) const override { return port_id(degree() + n.value % m_concentration); }
    const network_shape* shape() const override { return &m_shape; }

    /// All routers but itself and its neighbours are two links away.
    closed_forms known() const override {
        const double others = routers() - 1.0;
        return {2U, (2 * others - degree()) / routers(), std::nullopt};
    }
    /// So distances are the same from everywhere, though the two halves need not look alike.
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), nodes()}};
    }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        if (from != to) sum.add(m_links.link(), are_linked(from.value, to.value) ? 1 : 2);
    }
    /// All routers of the same s and x are a group.
    std::unique_ptr<layout> picture() const override {
        return std::make_unique<circle_of_groups>(
            2 * m_q, m_q, [q = m_q](std::uint32_t i) { return fmt::format("s={} x={}", i / q, i % q); });
    }

  private:
    std::uint32_t degree() const { return m_own + m_q; }
    bool are_linked(std::uint32_t a, std::uint32_t b) const {
        const std::uint32_t half = m_q * m_q;
        if (a > b) std::swap(a, b);
        const std::uint32_t x = a / m_q % m_q, other = b / m_q % m_q;
        if (a / half != b / half)  // a is of half 0: its y = x' x + y'
            return m_field.add(m_field.multiply(other, x), b % m_q) == a % m_q;
        const auto& steps = m_differences[a / half];
        return x == other &&
               std::binary_search(steps.begin(), steps.end(), m_field.subtract(b % m_q, a % m_q));
    }
    std::uint32_t place_of(std::uint32_t s, std::uint32_t d) const {
        const auto& all = m_differences[s];
        return static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), d) - all.begin());
    }
    /// McKay, Miller and Širáň's sets (1998), by powers of a primitive element: half 0 has the even ones,
    /// half 1 the odd ones. For q = 4 w - 1, where -1 is an odd power, the even ones below 2 w with their
    /// negatives and the odd ones with theirs.
    void make_differences(std::uint32_t s) {
        auto& all = m_differences[s];
        const std::uint32_t half = (m_q - 1) / 2;
        if (m_q % 4 == 3) {
            for (std::uint32_t e = s; e < half + 1; e += 2) {
                all.push_back(m_field.power(e));
                all.push_back(m_field.power(e + half));
            }
        } else {
            for (std::uint32_t e = s; e < m_q - 1 + s; e += 2) all.push_back(m_field.power(e));
        }
        std::sort(all.begin(), all.end());
    }

    galois_field m_field;
    std::uint32_t m_q, m_own = 0, m_concentration;
    std::vector<std::uint32_t> m_differences[2];
    link_parameters m_links;
    slim_fly_shape m_shape;
};

config::schema<slim_fly_parameters> fields() {
    config::schema<slim_fly_parameters> all;
    all.number(
           "q", &slim_fly_parameters::q, 3, 41, "",
           "a power of a prime, with remainder 0, 1 or 3 by 4: 2 q^2 routers, each linked to about 3 q / 2")
        .number("concentration", &slim_fly_parameters::concentration, 1, most_ports, "nodes",
                concentration_sentence)
        .include(link_fields());
    return all;
}

topology* make(const slim_fly_parameters& p, const config::value& section) {
    if (galois_field(p.q).size() == 0)
        throw config::error(place(section, "q"),
                            fmt::format("'q' is {}; it must be a power of a prime: 3, 4, 5, 7, 8, 9, 11, 13, "
                                        "16, 17, 19, 23, 25, 27, 29, 31, 32, 37 or 41",
                                        p.q));
    const std::uint32_t ports = p.q + (p.q + (p.q % 4 == 3 ? 1 : 0)) / 2 + p.concentration;
    if (ports > most_ports)
        throw config::error(place(section, "q"),
                            fmt::format("'q' is {} and 'concentration' {}: {} ports; a router has at most {}",
                                        p.q, p.concentration, ports, most_ports));
    return new slim_fly(p);
}

const config::registration<topology> registered{
    "slim_fly",
    "The Slim Fly: 2 q^2 routers of about 3 q / 2 links, none further than two links from another.", fields(),
    make};

}  // namespace
}  // namespace sare::variants::slim_fly
