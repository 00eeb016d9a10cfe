// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/load/channel_bound.h"

#include <unordered_map>

namespace sare {

/// Numbers channels: output ports of all routers one after the other, then a channel of each node.
class channel_list {
  public:
    explicit channel_list(const channel_question& question);

    std::uint32_t size() const { return static_cast<std::uint32_t>(m_capacity.size()); }
    std::uint32_t output(std::uint32_t router, std::uint32_t port) const { return m_first[router] + port; }
    std::uint32_t injection(std::uint32_t node) const { return m_first.back() + node; }
    double capacity(std::uint32_t channel) const { return m_capacity[channel]; }  ///< flits a cycle
    bool has(std::uint32_t router, std::uint32_t port) const {
        return output(router, port) < m_first[router + 1];
    }
    const port_peer& peer(std::uint32_t channel) const { return m_peer[channel]; }
    network_channel describe(std::uint32_t channel) const;

  private:
    std::vector<std::uint32_t> m_first;  ///< channel of port 0 of each router, and of node 0
    std::vector<port_peer> m_peer;       ///< of each output port
    std::vector<double> m_capacity;
};

/// Thrown where there is no bound, with the reason.
struct no_bound {
    std::string why;
};

/// All ways of all packets for one node: states (router, input port, VC, header) and the channels between.
/// States are in an order in which packets come through them.
class route_graph {
  public:
    static constexpr std::uint32_t none = 0xffffffff;
    struct edge {
        std::uint32_t channel;  ///< none: a choice among headers, which takes no channel
        std::uint32_t to;       ///< state; none: the destination
    };
    struct entry {
        std::uint32_t state;
        double rate;  ///< flits a cycle
    };

    /// `sources`: (node, rate) of what is for `destination`. At most `most_states` states, else no_bound.
    route_graph(const channel_question& question, const channel_list& channels, std::uint32_t destination,
                const std::vector<std::pair<std::uint32_t, double>>& sources, std::uint64_t most_states);

    std::size_t states() const { return m_first.size() - 1; }
    std::size_t edges() const { return m_edges.size(); }
    /// Whether packets have a choice of channels anywhere.
    bool has_choice() const { return m_choice; }

    /// Each edge of a state takes as much.
    std::vector<double> even_shares() const;
    /// Adds the flow that splits so at every state.
    void add_flow(const std::vector<double>& shares, std::vector<double>& loads) const;
    /// Moves shares to the edges by which the mean way on is shorter, by lengths of channels. Answers the
    /// shortest distance of each entry, times its rate.
    double move_shares(const std::vector<double>& lengths, double pace, std::vector<double>& shares) const;

  private:
    friend class route_graph_builder;

    std::vector<std::uint32_t> m_first{0};  ///< edges of state s: m_first[s] to m_first[s + 1]
    std::vector<edge> m_edges;
    std::vector<entry> m_entries;
    bool m_choice = false;
};

}  // namespace sare
