// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/load/route_graph.h"

#include "tlm/topology/serialisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sare {
namespace {

/// Flits a cycle, of a link between ends of such clocks.
double capacity_of(const link_attributes& a, clock_ratio own, clock_ratio other) {
    return 1 / flit_period(a, own.period(), other.period());
}

std::uint64_t key_of(const route_header& h) {
    return std::uint64_t{h.via} << 32 | std::uint64_t{h.state} << 16 | std::uint64_t{h.phase} << 8 |
           h.vc_base;
}

}  // namespace

channel_list::channel_list(const channel_question& question) : m_parts(question.parts) {
    const topology& net = *question.network;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        m_first.push_back(size());
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const port_peer to = net.peer(router_id(r), port_id(p));
            const bool router = to.what == port_peer::kind::router;
            m_peer.push_back(to);
            m_capacity.push_back(capacity_of(net.link(router_id(r), port_id(p)), net.clock(router_id(r)),
                                             router                             ? net.clock(router_id(to.id))
                                             : to.what == port_peer::kind::node ? net.clock(node_id(to.id))
                                                                                : clock_ratio()));
            if (to.what == port_peer::kind::node && question.most_ejected)
                m_capacity.back() *= question.most_ejected(to.id);
        }
    }
    m_first.push_back(size());
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        m_capacity.push_back(capacity_of(net.injection_link(node_id(n)), net.clock(node_id(n)),
                                         net.clock(net.router_of(node_id(n)))));
        if (question.most_injected) m_capacity.back() *= question.most_injected(n);
    }
    m_limit.resize(size(), channel_limit::width);
    for (std::uint32_t c = 0; question.most_carried && c < size(); ++c)
        if (const auto most = question.most_carried(describe(c)); most.flits < m_capacity[c]) {
            m_capacity[c] = most.flits;
            m_limit[c] = most.limit;
        }
    m_alike.assign(size(), 1);
    if (m_parts != nullptr) join_parts(net);
}

void channel_list::join_parts(const topology& net) {
    const std::vector<double> alone = m_capacity;
    const auto join = [&](std::uint32_t own, std::uint32_t one) {
        if (own == one) return;
        if (alone[own] != alone[one])
            throw no_bound{"too many nodes for it, and links of equal parts differ"};
        m_capacity[one] = alone[one] * ++m_alike[one];
    };
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) join(m_first[r] + p, output(r, p));
    for (std::uint32_t n = 0; n < net.nodes(); ++n) join(m_first.back() + n, injection(n));
}

network_channel channel_list::describe(std::uint32_t channel) const {
    network_channel c;
    c.limit = m_limit[channel];
    if (channel >= m_first.back()) {
        c.what = network_channel::kind::injection;
        c.from = channel - m_first.back();
        return c;
    }
    const auto after = std::upper_bound(m_first.begin(), m_first.end(), channel);
    c.from = static_cast<std::uint32_t>(after - m_first.begin() - 1);
    c.port = channel - m_first[c.from];
    c.to = m_peer[channel].id;
    if (m_peer[channel].what == port_peer::kind::node) c.what = network_channel::kind::ejection;
    return c;
}

std::string text_of(const network_channel& c, const place_names& names) {
    if (c.what == network_channel::kind::injection)
        return "injection of " + names.text(place_kind::node, c.from);
    if (c.what == network_channel::kind::ejection) return "ejection of " + names.text(place_kind::node, c.to);
    const std::string ends =
        names.text(place_kind::router, c.from) + " to " + names.text(place_kind::router, c.to);
    const std::string& own = names.link(c.from, c.port);
    return own.empty() ? fmt::format("{} (port {})", ends, c.port) : own + ", " + ends;
}

/// Finds states depth first and numbers them when all that follow are numbered, last ones first.
class route_graph_builder {
  public:
    route_graph_builder(const channel_question& q, const channel_list& channels, std::uint32_t destination,
                        std::uint64_t most_states, route_graph& out)
        : m_question(q),
          m_channels(channels),
          m_destination(destination),
          m_most(most_states),
          m_by_source(!q.routing->parts().empty()),
          m_by_vc(q.routing->max_candidates() > 1 && !q.routing->tabular_by_input() &&
                  q.routing->tabular_states() == 0),
          m_by_input(q.routing->tabular_states() == 0),
          m_out(out) {}

    void add_source(std::uint32_t node, double rate) {
        const topology& net = *m_question.network;
        route_header plain;
        plain.source = node;
        plain.destination = m_destination;
        m_drawn.clear();
        m_question.routing->drawn_headers(plain, m_drawn);
        if (m_drawn.empty())
            throw no_bound{fmt::format("packets from node {} to node {} have no way", node, m_destination)};
        const std::uint32_t r = net.router_of(node_id(node)).value, in = net.port_of(node_id(node)).value;
        if (!m_question.routing->looks_at_congestion()) {
            for (const auto& d : m_drawn)
                m_out.m_entries.push_back({follow(r, in, d.header), rate * d.share});
            return;
        }
        std::vector<route_graph::edge> edges;  // any of them, as the router sees fit
        for (const auto& d : m_drawn) edges.push_back({route_graph::none, follow(r, in, d.header)});
        m_out.m_choice = m_out.m_choice || edges.size() > 1;
        m_out.m_entries.push_back({close(edges), rate});
    }

  private:
    struct packet_place {
        std::uint32_t router, in, vc, header;
        bool operator==(const packet_place& o) const {
            return router == o.router && in == o.in && vc == o.vc && header == o.header;
        }
    };
    struct hash_of_packet_place {
        std::size_t operator()(const packet_place& p) const {
            std::uint64_t h = std::uint64_t{p.router} << 32 | std::uint64_t{p.in} << 16 | p.vc;
            h = (h ^ std::uint64_t{p.header} << 20) * 0x9e3779b97f4a7c15ULL;
            return static_cast<std::size_t>(h ^ h >> 29);
        }
    };
    static constexpr std::uint32_t open = 0xfffffffe;
    struct frame {
        packet_place at;
        std::vector<route_graph::edge> edges;
        std::vector<packet_place> to;  ///< by edge; of those that lead to a router
        std::size_t next = 0;
    };

    std::uint32_t number_of(const route_header& h) {
        const std::uint64_t source = m_by_source ? h.source + std::uint64_t{1} : 0;
        const auto [at, fresh] =
            m_numbers[source].try_emplace(key_of(h), static_cast<std::uint32_t>(m_headers.size()));
        if (fresh) m_headers.push_back(h);
        return at->second;
    }
    packet_place place_of(std::uint32_t router, std::uint32_t in, std::uint32_t vc, const route_header& h) {
        return {router, m_by_input ? in : 0, m_by_vc ? vc : 0, number_of(h)};
    }

    /// The number of a state; all that follow it are found first.
    std::uint32_t follow(std::uint32_t router, std::uint32_t in, const route_header& h) {
        const packet_place first = place_of(router, in, 0, h);
        if (const auto found = m_state.find(first); found != m_state.end()) return found->second;
        m_path.clear();
        enter(first);
        while (!m_path.empty()) {
            frame& top = m_path.back();
            if (top.next == top.edges.size()) {
                leave();
                continue;
            }
            const std::size_t i = top.next++;
            if (top.edges[i].to == route_graph::none) continue;
            const auto found = m_state.find(top.to[i]);
            if (found == m_state.end())
                enter(packet_place(top.to[i]));
            else if (found->second == open)
                throw no_bound{fmt::format("packets for node {} may travel in a circle through router {}",
                                           m_destination, found->first.router)};
        }
        return m_state.at(first);
    }

    void enter(const packet_place& at) {
        if (m_state.size() >= m_most)
            throw no_bound{fmt::format("more than {} states of packets to follow", m_question.most_states)};
        m_state.emplace(at, open);
        m_path.push_back({at, {}, {}, 0});
        frame& f = m_path.back();
        route_header h = m_headers[at.header];
        route_set out;
        m_question.routing->route(at.router, at.in, at.vc, h, out);
        for (std::uint32_t i = 0; i < out.size; ++i) add_candidate(f, out.candidates[i], h);
        if (f.edges.empty())
            throw no_bound{
                fmt::format("packets for node {} have no way on at router {}", m_destination, at.router)};
        for (const auto& e : f.edges) m_out.m_choice = m_out.m_choice || e.channel != f.edges[0].channel;
    }

    void add_candidate(frame& f, const route_candidate& c, const route_header& h) {
        const port_peer to =
            m_channels.has(f.at.router, c.port) ? m_channels.peer(f.at.router, c.port) : port_peer{};
        if (to.what == port_peer::kind::none)
            throw no_bound{
                fmt::format("at router {} packets for node {} leave by port {}, which is not plugged",
                            f.at.router, m_destination, c.port)};
        const std::uint32_t channel = m_channels.output(f.at.router, c.port);
        if (to.what == port_peer::kind::node) {
            f.edges.push_back({channel, route_graph::none});
            f.to.push_back({});
            return;
        }
        for (std::uint32_t v = 0; v < m_question.vcs; ++v) {
            if ((c.vcs >> v & 1) == 0) continue;
            const packet_place next = place_of(to.id, to.port, v, h);
            const bool known =
                std::any_of(f.to.begin(), f.to.end(), [&](const packet_place& p) { return p == next; });
            if (!known || f.edges.back().channel != channel) {
                f.edges.push_back({channel, 0});
                f.to.push_back(next);
            }
            if (!m_by_vc) return;
        }
    }

    void leave() {
        frame& f = m_path.back();
        for (std::size_t i = 0; i < f.edges.size(); ++i)
            if (f.edges[i].to != route_graph::none) f.edges[i].to = m_state.at(f.to[i]);
        m_state[f.at] = close(f.edges);
        m_path.pop_back();
    }
    std::uint32_t close(const std::vector<route_graph::edge>& edges) {
        m_out.m_edges.insert(m_out.m_edges.end(), edges.begin(), edges.end());
        m_out.m_first.push_back(static_cast<std::uint32_t>(m_out.m_edges.size()));
        return static_cast<std::uint32_t>(m_out.states() - 1);
    }

    const channel_question& m_question;
    const channel_list& m_channels;
    std::uint32_t m_destination;
    std::uint64_t m_most;
    bool m_by_source, m_by_vc, m_by_input;  ///< what tells states apart
    route_graph& m_out;
    std::vector<routing_function::drawn_header> m_drawn;
    std::vector<route_header> m_headers;
    std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> m_numbers;
    std::unordered_map<packet_place, std::uint32_t, hash_of_packet_place> m_state;
    std::vector<frame> m_path;
};

route_graph::route_graph(const channel_question& question, const channel_list& channels,
                         std::uint32_t destination,
                         const std::vector<std::pair<std::uint32_t, double>>& sources,
                         std::uint64_t most_states) {
    route_graph_builder builder(question, channels, destination, most_states, *this);
    for (const auto& [node, rate] : sources) builder.add_source(node, rate);
}

std::vector<double> route_graph::even_shares() const {
    std::vector<double> shares(m_edges.size());
    for (std::size_t s = 0; s < states(); ++s)
        for (std::uint32_t i = m_first[s]; i < m_first[s + 1]; ++i)
            shares[i] = 1.0 / (m_first[s + 1] - m_first[s]);
    return shares;
}

/// States are numbered after all that follow them, so flow runs from the last to the first.
void route_graph::add_flow(const std::vector<double>& shares, std::vector<double>& loads) const {
    std::vector<double> flow(states(), 0);
    for (const entry& e : m_entries) flow[e.state] += e.rate;
    for (std::size_t s = states(); s-- > 0;) {
        if (flow[s] <= 0) continue;
        for (std::uint32_t i = m_first[s]; i < m_first[s + 1]; ++i) {
            const edge& e = m_edges[i];
            const double part = flow[s] * shares[i];
            if (e.channel != none) loads[e.channel] += part;
            if (e.to != none) flow[e.to] += part;
        }
    }
}

double route_graph::move_shares(const std::vector<double>& lengths, double pace,
                                std::vector<double>& shares) const {
    std::vector<double> mean(states()), shortest(states(), std::numeric_limits<double>::infinity());
    for (std::size_t s = 0; s < states(); ++s) {
        const std::uint32_t begin = m_first[s], end = m_first[s + 1];
        const auto way = [&](std::uint32_t i, const std::vector<double>& onward) {
            const edge& e = m_edges[i];
            return (e.channel == none ? 0 : lengths[e.channel]) + (e.to == none ? 0 : onward[e.to]);
        };
        for (std::uint32_t i = begin; i < end; ++i) {
            shortest[s] = std::min(shortest[s], way(i, shortest));
            mean[s] += shares[i] * way(i, mean);
        }
        if (end - begin < 2) continue;
        double sum = 0;
        for (std::uint32_t i = begin; i < end; ++i)
            sum += shares[i] *= std::exp(std::clamp(pace * (mean[s] - way(i, mean)), -30.0, 30.0));
        for (std::uint32_t i = begin; i < end; ++i) shares[i] = std::max(shares[i] / sum, 1e-12);
    }
    double distance = 0;
    for (const entry& e : m_entries) distance += e.rate * shortest[e.state];
    return distance;
}

}  // namespace sare
