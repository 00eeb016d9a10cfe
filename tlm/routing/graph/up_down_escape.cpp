// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/graph/up_down_routing.h"

#include <algorithm>

namespace sare::variants::up_down_escape {
namespace {

struct no_parameters_but_root {
    std::int32_t root = -1;
};

/// Minimal adaptive on any graph with links in both directions, with up*/down* as its escape (Silla and
/// Duato, "High-performance routing in networks of workstations with irregular topology", 2000): every
/// shortest path on all VCs but the lowest, and on that one the shortest legal path up and down the tree. A
/// packet on the escape stays there: it would otherwise come down, leave it, and want to go up again.
class up_down_escape final : public up_down_routing {
  public:
    up_down_escape(const no_parameters_but_root& p, const config::value& section,
                   const routing_context& context)
        : up_down_routing("up_down_escape", p.root, section, context) {
        check_vcs(section, context, name(), {2, "1 escape VC and 1 adaptive VC"});
        m_all = vc_classes(0, context.vcs).all;
        m_adaptive = m_all & ~vc_mask{1};
        fill_tables(*context.network, section);
    }

    std::uint32_t max_candidates() const override { return m_most + 1; }
    bool deterministic() const override { return false; }
    bool needs_escape() const override { return true; }
    bool goes_round_failures() const override { return true; }
    bool knows_routers_only() const override { return !parallel().any(); }

    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        const target_index& to = target_of(h.destination);
        if (r == to.router) return out.add(to.port, m_all);
        const bool on_escape = in_vc == h.vc_base && in < most_ports_here() && m_router_ports.test(r, in);
        if (!on_escape)
            m_minimal.for_each(std::size_t{r} * targets() + to.target,
                               [&](std::uint32_t port) { out.add(port, m_adaptive); });
        const port_number legal = m_escape[entry_of(r, to.target, on_escape && came_down(r, in))];
        if (legal != no_port_number) out.add(parallel().for_destination(r, legal, h.destination), 1, true);
    }

  private:
    std::size_t entry_of(std::uint32_t r, std::uint32_t target, bool down) const {
        return (std::size_t{r} * targets() + target) << 1 | static_cast<std::size_t>(down);
    }

    void fill_tables(const topology& net, const config::value& section) {
        const std::uint64_t pairs = std::uint64_t{net.routers()} * targets();
        check_bytes(pairs * (8 * bit_rows::words(most_ports_here()) + 4), name(), net.routers(), section, "");
        m_router_ports = bit_rows(net.routers(), most_ports_here());
        for (std::uint32_t r = 0; r < net.routers(); ++r)
            for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p)
                if (net.source(router_id(r), port_id(p)).what == port_peer::kind::router)
                    m_router_ports.set(r, p);
        m_escape.assign(pairs * 2, no_port_number);
        for_one_path_each(net, [this](std::uint32_t r, std::uint32_t t, std::uint32_t down,
                                      port_number port) { m_escape[entry_of(r, t, down != 0)] = port; });
        find_minimal(net);
    }

    /// One path less than a set of paths holds is left to the escape.
    void find_minimal(const topology& net) {
        m_minimal = bit_rows(std::size_t{net.routers()} * targets(), most_ports_here());
        const adjacency in(net, adjacency::direction::backward), out(net, adjacency::direction::forward);
        std::vector<std::uint32_t> distance, queue;
        for (std::uint32_t t = 0; t < targets(); ++t) {
            breadth_first(in, target_router(t), distance, queue);
            for (const std::uint32_t r : queue) {
                std::uint32_t count = 0;
                for (std::uint32_t e = out.first[r]; e < out.first[r + 1]; ++e) {
                    if (distance[out.to[e]] + 1 != distance[r] || count + 1 == route_set::capacity) continue;
                    m_minimal.set(std::size_t{r} * targets() + t, out.port[e]);
                    ++count;
                }
                m_most = std::max(m_most, count);
            }
        }
    }

    vc_mask m_all = 0, m_adaptive = 0;
    std::uint32_t m_most = 1;
    bit_rows m_router_ports;            ///< by router: input ports that routers send to
    bit_rows m_minimal;                 ///< by router and target: ports that lead nearer
    std::vector<port_number> m_escape;  ///< see entry_of(): the next port
};

config::schema<no_parameters_but_root> fields() {
    config::schema<no_parameters_but_root> all;
    all.number("root", &no_parameters_but_root::root, -1, 16777215, "",
               "root of the escape's spanning tree; -1: as for up_down");
    return all;
}

const routing_registration<up_down_escape, no_parameters_but_root> registered{
    "up_down_escape",
    "Any shortest way on the adaptive VCs of any network with links in both directions; up*/down* on the "
    "lowest VC as the escape.",
    fields()};

}  // namespace
}  // namespace sare::variants::up_down_escape
