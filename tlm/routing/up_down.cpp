// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/routing_support.h"
#include "tlm/topology/adjacency.h"
#include "tlm/topology/link_parameters.h"

#include <algorithm>
#include <tuple>

namespace sare {
namespace {

struct up_down_parameters {
    std::int32_t root = -1;
    bool adaptive = false;
};

/// Bounds the table: one byte (or one port mask) for each router, router with nodes, and phase.
constexpr std::uint64_t most_table_bytes = std::uint64_t{1} << 29;
/// Up to this many routers the root is one of least eccentricity.
constexpr std::uint32_t most_searches = 4096;

/// Up*/down* on any graph with links in both directions (Schroeder et al., "Autonet", 1991): a link goes up
/// if its far end is nearer to the root, or as near and of a lower number; legal paths go up, then down.
class up_down final : public routing_function {
  public:
    up_down(const up_down_parameters& p, const config::value& section, const routing_context& context)
        : m_adaptive(p.adaptive) {
        const topology& net = *context.network;
        check_vcs(section, context, "up_down", {1, "packets travel on it"});
        m_vcs = vc_classes(0, context.vcs);
        check_paired(net, section);
        const adjacency out(net, adjacency::direction::forward);
        const std::uint32_t root = choose_root(p, section, out);
        std::vector<std::uint32_t> queue;
        breadth_first(out, root, m_level, queue);
        number_nodes(net);
        mark_downward_inputs(net);
        fill_table(net, section);
    }

    std::string name() const override { return "up_down"; }
    std::uint32_t max_candidates() const override { return m_most; }
    bool tabular_by_input() const override { return true; }
    bool deterministic() const override { return !m_adaptive; }

    void route(std::uint32_t r, std::uint32_t in, std::uint32_t, route_header& h,
               route_set& out) const override {
        const place_index to = m_nodes[h.destination];
        if (r == to.router) return out.add(to.port, m_vcs.all);
        const std::size_t entry =
            ((std::size_t{r} * m_targets + to.target) << 1) | (m_down_inputs[r] >> in & 1);
        if (!m_adaptive) return out.add(m_ports[entry], m_vcs.all);
        for (std::uint64_t ports = m_masks[entry]; ports != 0; ports &= ports - 1)
            out.add(static_cast<std::uint32_t>(__builtin_ctzll(ports)), m_vcs.all);
    }

  private:
    struct place_index {
        std::uint32_t router = 0, target = 0;  ///< target: number among the routers with nodes
        std::uint8_t port = 0;
    };

    bool up(std::uint32_t from, std::uint32_t to) const {
        return std::make_pair(m_level[to], to) < std::make_pair(m_level[from], from);
    }

    static void check_paired(const topology& net, const config::value& section) {
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
                                    "'function' is up_down, which needs links in both directions; router " +
                                        std::to_string(a) + " has a link to router " + std::to_string(b) +
                                        " but none back");
    }

    /// The root given, or one of least eccentricity (then of most links, then of lowest number); in large
    /// networks one of most links.
    static std::uint32_t choose_root(const up_down_parameters& p, const config::value& section,
                                     const adjacency& out) {
        const auto routers = static_cast<std::uint32_t>(out.first.size() - 1);
        if (p.root >= 0) {
            if (static_cast<std::uint32_t>(p.root) >= routers)
                throw config::error(place(section, "root"),
                                    "'root' is " + std::to_string(p.root) + "; the network has " +
                                        std::to_string(routers) + " routers, numbered from 0");
            return static_cast<std::uint32_t>(p.root);
        }
        std::vector<std::uint32_t> distance, queue;
        auto best = std::make_tuple(unreached, 0U, 0U);
        for (std::uint32_t r = 0; r < routers; ++r) {
            std::uint32_t eccentricity = 0;
            if (routers <= most_searches) {
                breadth_first(out, r, distance, queue);
                eccentricity = distance[queue.back()];
            }
            const std::uint32_t links = out.first[r + 1] - out.first[r];
            best = std::min(best, std::make_tuple(eccentricity, unreached - links, r));
        }
        return std::get<2>(best);
    }

    void number_nodes(const topology& net) {
        std::vector<std::uint32_t> target(net.routers(), unreached);
        for (const auto& at : places_of_nodes(net)) {
            if (target[at.router] == unreached) {
                target[at.router] = m_targets++;
                m_target_routers.push_back(at.router);
            }
            m_nodes.push_back({at.router, target[at.router], static_cast<std::uint8_t>(at.port)});
        }
    }

    void mark_downward_inputs(const topology& net) {
        m_down_inputs.assign(net.routers(), 0);
        for (std::uint32_t r = 0; r < net.routers(); ++r)
            for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
                const auto from = net.source(router_id(r), port_id(p));
                if (from.what == port_peer::kind::router && !up(from.id, r)) m_down_inputs[r] |= 1ULL << p;
            }
    }

    /// Shortest legal ways to each router with nodes. State 2r: at router r, all moves upward so far; 2r + 1:
    /// has moved down, so must go on down.
    void fill_table(const topology& net, const config::value& section) {
        const std::uint64_t entries = std::uint64_t{net.routers()} * m_targets * 2;
        if (entries * (m_adaptive ? 8 : 1) > most_table_bytes)
            throw config::error(place(section, "function"),
                                "'function' is up_down, whose table for " + std::to_string(net.routers()) +
                                    " routers would take " + std::to_string(entries * (m_adaptive ? 8 : 1)) +
                                    " bytes; at most " + std::to_string(most_table_bytes) +
                                    (m_adaptive ? " (adaptive: false takes an eighth)" : ""));
        if (m_adaptive)
            m_masks.assign(entries, 0);
        else
            m_ports.assign(entries, 0);
        const adjacency in(net, adjacency::direction::backward), out(net, adjacency::direction::forward);
        std::vector<std::uint32_t> distance, queue;
        for (std::uint32_t t = 0; t < m_targets; ++t) {
            distances_to(m_target_routers[t], in, distance, queue);
            for (std::uint32_t r = 0; r < net.routers(); ++r)
                for (const std::uint32_t down : {0U, 1U}) set_entry(r, t, down, out, distance);
        }
    }

    void distances_to(std::uint32_t target, const adjacency& in, std::vector<std::uint32_t>& distance,
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

    void set_entry(std::uint32_t r, std::uint32_t t, std::uint32_t down, const adjacency& out,
                   const std::vector<std::uint32_t>& distance) {
        const std::uint32_t here = distance[2 * r + down];
        if (here == 0 || here == unreached) return;
        std::vector<std::uint8_t> best;
        for (std::uint32_t e = out.first[r]; e < out.first[r + 1]; ++e) {
            const bool upward = up(r, out.to[e]);
            if (upward && down == 1) continue;
            if (distance[2 * out.to[e] + !upward] == here - 1) best.push_back(out.port[e]);
        }
        const std::size_t entry = ((std::size_t{r} * m_targets + t) << 1) | down;
        if (!m_adaptive) {
            m_ports[entry] = best[t % best.size()];
            return;
        }
        if (best.size() > route_set::capacity) best.resize(route_set::capacity);
        for (const auto p : best) m_masks[entry] |= 1ULL << p;
        m_most = std::max(m_most, static_cast<std::uint32_t>(best.size()));
    }

    bool m_adaptive;
    vc_classes m_vcs;
    std::uint32_t m_most = 1;
    std::uint32_t m_targets = 0;
    std::vector<std::uint32_t> m_target_routers;
    std::vector<std::uint32_t> m_level;  ///< links from the root
    std::vector<place_index> m_nodes;
    std::vector<std::uint64_t> m_down_inputs;  ///< of each router: the ports whose incoming link goes down
    std::vector<std::uint8_t> m_ports;         ///< deterministic: the next port
    std::vector<std::uint64_t> m_masks;        ///< adaptive: the next ports
};

config::schema<up_down_parameters> fields() {
    config::schema<up_down_parameters> all;
    all.number(
           "root", &up_down_parameters::root, -1, most_routers - 1, "",
           "root of the spanning tree; -1: a router of least eccentricity, or above 4096 routers one of most "
           "links")
        .flag("adaptive", &up_down_parameters::adaptive,
              "all shortest legal ways instead of one for each destination");
    return all;
}

routing_function* make(const up_down_parameters& p, const config::value& section,
                       const routing_context& context) {
    return new up_down(p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "up_down",
    "Shortest path that goes up, then down a spanning tree: any network with links in both directions.",
    fields(), make};

}  // namespace
}  // namespace sare
