// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/load/channel_bound.h"

#include <unordered_map>

namespace sare {

/// Numbers the channels of a network: output ports, router by router, then the injection channel of each
/// node.
class channel_list {
  public:
    explicit channel_list(const channel_question& question);

    std::uint32_t size() const { return static_cast<std::uint32_t>(m_capacity.size()); }
    /// Number of the channel of an output port, and of a node's injection.
    std::uint32_t output(std::uint32_t router, std::uint32_t port) const { return m_first[router] + port; }
    std::uint32_t injection(std::uint32_t node) const { return m_first.back() + node; }
    double capacity(std::uint32_t channel) const { return m_capacity[channel]; }  ///< flits a cycle
    /// True if a router has an output port of this number.
    bool has(std::uint32_t router, std::uint32_t port) const {
        return output(router, port) < m_first[router + 1];
    }
    const port_peer& peer(std::uint32_t channel) const { return m_peer[channel]; }
    network_channel describe(std::uint32_t channel) const;

  private:
    std::vector<std::uint32_t> m_first;  ///< channel of port 0 of each router; last: channel of node 0
    std::vector<port_peer> m_peer;       ///< peer of each output port
    std::vector<double> m_capacity;      ///< flits a cycle of each channel
    std::vector<bool> m_by_credits;      ///< channels whose capacity is what their credits let through
};

/// Exception for networks without a bound.
struct no_bound {
    std::string why;  ///< reason
};

/// All routes of packets for one destination: states (router, input port, VC, header), and edges between them
/// that take channels. A state has a higher number than all states that follow it.
class route_graph {
  public:
    static constexpr std::uint32_t none = 0xffffffff;
    struct edge {
        std::uint32_t channel;  ///< channel that it takes; none: the edge is a choice among headers
        std::uint32_t to;       ///< next state; none: the destination
    };
    /// A state in which packets enter the network.
    struct entry {
        std::uint32_t state;
        double rate;  ///< flits a cycle
    };

    /// `sources`: node and rate in flits a cycle of all demands for `destination`. Throws no_bound for more
    /// than `most_states` states, and if packets would not arrive.
    route_graph(const channel_question& question, const channel_list& channels, std::uint32_t destination,
                const std::vector<std::pair<std::uint32_t, double>>& sources, std::uint64_t most_states);

    std::size_t states() const { return m_first.size() - 1; }
    std::size_t edges() const { return m_edges.size(); }
    /// True if packets have a choice of channels anywhere.
    bool has_choice() const { return m_choice; }

    /// Returns shares, 0 to 1 by edge, that split the flow of every state evenly.
    std::vector<double> even_shares() const;
    /// Adds the flow of all entries, split by `shares` at every state, to `loads` (flits a cycle, by
    /// channel).
    void add_flow(const std::vector<double>& shares, std::vector<double>& loads) const;
    /// Moves shares to edges whose mean route to the destination is shorter, by `lengths` of channels; the
    /// faster, the higher `pace`. Returns the sum over entries of rate times shortest distance.
    double move_shares(const std::vector<double>& lengths, double pace, std::vector<double>& shares) const;

  private:
    friend class route_graph_builder;

    std::vector<std::uint32_t> m_first{0};  ///< edges of state s: m_first[s] to m_first[s + 1] - 1
    std::vector<edge> m_edges;
    std::vector<entry> m_entries;
    bool m_choice = false;
};

}  // namespace sare
