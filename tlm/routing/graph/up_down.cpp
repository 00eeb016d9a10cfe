// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/graph/up_down_routing.h"
#include "tlm/topology/link_parameters.h"

#include <algorithm>

namespace sare::variants::up_down {
namespace {

struct up_down_parameters {
    std::int32_t root = -1;
    bool adaptive = false;
};

/// Up*/down* on any graph with links in both directions: one of the shortest legal paths, or all of them.
class up_down final : public up_down_routing {
  public:
    up_down(const up_down_parameters& p, const config::value& section, const routing_context& context)
        : up_down_routing("up_down", p.root, section, context), m_adaptive(p.adaptive) {
        check_vcs(section, context, "up_down", {1, "packets travel on it"});
        m_vcs = vc_classes(0, context.vcs);
        fill_table(*context.network, section);
    }

    std::uint32_t max_candidates() const override { return m_most; }
    bool tabular_by_input() const override { return true; }
    bool deterministic() const override { return !m_adaptive; }
    bool goes_round_failures() const override { return true; }
    bool knows_routers_only() const override { return !parallel().any(); }

    void route(std::uint32_t r, std::uint32_t in, std::uint32_t, route_header& h,
               route_set& out) const override {
        const target_index& to = target_of(h.destination);
        if (r == to.router) return out.add(to.port, m_vcs.all);
        const std::size_t entry = entry_of(r, to.target, came_down(r, in));
        if (m_adaptive) {
            m_next.for_each(entry, [&](std::uint32_t port) { out.add(port, m_vcs.all); });
        } else if (m_ports[entry] != no_port_number) {
            out.add(parallel().for_packet(r, in, m_ports[entry], h.destination), m_vcs.all);
        }
    }

  private:
    std::size_t entry_of(std::uint32_t r, std::uint32_t target, bool down) const {
        return (std::size_t{r} * targets() + target) << 1 | static_cast<std::size_t>(down);
    }

    void fill_table(const topology& net, const config::value& section) {
        const std::uint64_t entries = std::uint64_t{net.routers()} * targets() * 2;
        const std::uint32_t each = m_adaptive ? 8 * bit_rows::words(most_ports_here()) : sizeof(port_number);
        check_bytes(entries * each, name(), net.routers(), section,
                    m_adaptive ? " (adaptive: false takes a quarter or less)" : "");
        if (!m_adaptive) {
            m_ports.assign(entries, no_port_number);
            for_one_path_each(net, [this](std::uint32_t r, std::uint32_t t, std::uint32_t down,
                                          port_number port) { m_ports[entry_of(r, t, down != 0)] = port; });
            return;
        }
        m_next = bit_rows(entries, most_ports_here());
        for_each_path(net, [this](std::uint32_t r, std::uint32_t t, std::uint32_t down,
                                  const std::vector<port_number>& best) {
            const std::size_t entry = entry_of(r, t, down != 0);
            const std::size_t size = std::min<std::size_t>(best.size(), route_set::capacity);
            for (std::size_t k = 0; k < size; ++k) m_next.set(entry, best[k]);
            m_most = std::max(m_most, static_cast<std::uint32_t>(size));
        });
    }

    bool m_adaptive;
    vc_classes m_vcs;
    std::uint32_t m_most = 1;
    std::vector<port_number> m_ports;  ///< deterministic: the next port
    bit_rows m_next;                   ///< adaptive: the next ports
};

config::schema<up_down_parameters> fields() {
    config::schema<up_down_parameters> all;
    all.number("root", &up_down_parameters::root, -1, most_routers - 1, "",
               "root of the spanning tree; -1: a router of least eccentricity, or above 4096 routers one of "
               "most links")
        .flag("adaptive", &up_down_parameters::adaptive,
              "all shortest legal ways instead of one for each destination");
    return all;
}

const routing_registration<up_down, up_down_parameters> registered{
    "up_down",
    "Shortest path that goes up, then down a spanning tree: any network with links in both directions.",
    fields()};

}  // namespace
}  // namespace sare::variants::up_down
