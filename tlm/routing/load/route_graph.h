// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/load/channel_bound.h"

#include <unordered_map>

namespace sare {

/// Numbers for the channels of a network: first the output ports, router by router, then the injection
/// channels, node by node. If channel_question::parts are given, a channel in part 0 stands for the channels
/// in its place in all parts.
class channel_list {
  public:
    /// Throws no_bound if channels that one channel stands for differ in capacity.
    explicit channel_list(const channel_question& question);

    /// Number of channels, including unconnected output ports and channels for which another one stands.
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_capacity.size()); }
    /// Returns the number of the channel at an output port; injection() returns that of a node's injection
    /// channel.
    std::uint32_t output(std::uint32_t router, std::uint32_t port) const {
        return m_parts == nullptr ? m_first[router] + port : seen_as_one(router, port);
    }
    std::uint32_t injection(std::uint32_t node) const {
        return m_first.back() + (m_parts == nullptr ? node : node % m_parts->nodes);
    }
    /// Number of channels that a channel stands for, itself included.
    std::uint32_t alike(std::uint32_t channel) const { return m_alike[channel]; }
    /// Flits per network cycle that a channel and the channels that it stands for can carry together.
    double capacity(std::uint32_t channel) const { return m_capacity[channel]; }
    /// True if router `router`, which must exist, has a port of this number.
    bool has(std::uint32_t router, std::uint32_t port) const {
        return m_first[router] + port < m_first[router + 1];
    }
    /// Returns the end of the link at a router's output port; the port must exist, see has().
    const port_peer& peer(std::uint32_t router, std::uint32_t port) const {
        return m_peer[m_first[router] + port];
    }
    /// Returns a channel, given by number, as network_channel, for reports.
    network_channel describe(std::uint32_t channel) const;

  private:
    std::uint32_t seen_as_one(std::uint32_t router, std::uint32_t port) const {
        const router_port image = m_parts->image(router, port);
        return m_first[image.router.value] + image.port.value;
    }
    void join_parts(const topology& net);

    const equal_parts* m_parts;
    std::vector<std::uint32_t> m_alike;  ///< alike() of each channel
    std::vector<std::uint32_t> m_first;  ///< channel of port 0 of each router; last: channel of node 0
    std::vector<port_peer> m_peer;       ///< end of the link of each output port
    std::vector<double> m_capacity;      ///< capacity() of each channel
    std::vector<channel_limit> m_limit;  ///< cause of the capacity of each channel
};

/// Exception for networks and traffic without a bound.
struct no_bound {
    std::string why;  ///< reason why there is no bound, as a text for the user
};

/// All routes of packets to one destination: states (router, input port, VC, header), and edges between them
/// that take channels. A state has a higher number than all states that follow it, so that there are no
/// cycles.
class route_graph {
  public:
    static constexpr std::uint32_t none = 0xffffffff;  ///< value for no channel, and for no state
    /// Step from a state to the next one.
    struct edge {
        std::uint32_t channel;  ///< channel that the step takes; none: the step is a choice among headers
        std::uint32_t to;       ///< next state; none: the destination is reached
    };
    /// A state in which packets enter the network.
    struct entry {
        std::uint32_t state;  ///< number of the state
        /// Flits per cycle of one source that enter there at load 1. Several entries may have the same state.
        double rate;
    };

    /// `sources`: for each node that sends to `destination`, the node and its rate in flits a cycle at load
    /// 1. Throws no_bound for more than `most_states` states, and if packets would not arrive.
    route_graph(const channel_question& question, const channel_list& channels, std::uint32_t destination,
                const std::vector<std::pair<std::uint32_t, double>>& sources, std::uint64_t most_states);

    /// Number of states.
    std::size_t states() const { return m_first.size() - 1; }
    /// Number of edges.
    std::size_t edges() const { return m_edges.size(); }
    /// True if packets have a choice of channels in some state.
    bool has_choice() const { return m_choice; }

    /// Returns a share, 0 to 1, for each edge, by edge number: the flow of every state is divided evenly
    /// among its edges.
    std::vector<double> even_shares() const;
    /// Adds the flow of all entries to `loads`, the flits per cycle at load 1 on each channel, by channel
    /// number. `shares`: share of each edge in the flow of its state.
    void add_flow(const std::vector<double>& shares, std::vector<double>& loads) const;
    /// Moves `shares` towards edges with a shorter mean route to the destination; `lengths`: length of each
    /// channel. The higher `pace`, above 0, the more is moved. Returns the sum over entries of rate times
    /// shortest distance.
    double move_shares(const std::vector<double>& lengths, double pace, std::vector<double>& shares) const;

  private:
    friend class route_graph_builder;

    std::vector<std::uint32_t> m_first{0};  ///< edges of state s: m_first[s] to m_first[s + 1] - 1
    std::vector<edge> m_edges;
    std::vector<entry> m_entries;
    bool m_choice = false;
};

}  // namespace sare
