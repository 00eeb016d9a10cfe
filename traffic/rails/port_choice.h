// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/config/schema.h"
#include "tlm/state/archive.h"
#include "tlm/topology/topology.h"

#include <unordered_map>

/// Nodes with several ports. To the network each port is a node: a NIC with a link and queues of its own.
namespace sare::traffic {

/// Rule by which a message takes one of the ports of its source node; it arrives at the port of the same
/// number.
enum class port_rule : std::uint8_t {
    nearest,  ///< the port whose path to the destination is shortest; of several such ports the one with the
              ///< fewest messages queued
    shortest_queue,  ///< the port with the fewest messages in its source queues; of several such ports the
                     ///< first one
    round_robin,     ///< the port after the port of the node's previous message
    message_class,   ///< the port whose number is the message class modulo the number of ports
    destination,     ///< the port whose number is the destination node modulo the number of ports
    direction  ///< the port whose number is 2 * d, or 2 * d + 1 if the hop goes down, modulo the number of
               ///< ports; d: dimension of the first hop on a torus of rails_parameters::dims
};

/// Numbering of the ports of nodes as nodes of the network.
enum class port_order : std::uint8_t {
    consecutive,  ///< port p of node n, of P ports each, is n * P + p
    planes        ///< port p of node n, of N nodes, is p * N + n
};

/// Parameters of the workload `rails`.
struct rails_parameters {
    config::value of;                            ///< section of the workload whose nodes have several ports
    std::uint32_t ports = 2;                     ///< ports of each node, 1 to most_ports
    port_order order = port_order::consecutive;  ///< numbering of the ports
    std::vector<std::uint32_t>
        transpose;  ///< For each port the number of columns c, which divides the number of nodes N: node n
                    ///< has the place of node (n mod c) * N/c + n/c. 0, or no entry: n keeps its place.
    port_rule choose = port_rule::nearest;
    std::vector<std::uint32_t> dims;  ///< grid of the nodes, dimension 0 varying fastest; empty: a line

    static constexpr std::uint32_t most_ports = 64;  ///< largest number of ports of a node
    static config::schema<rails_parameters> fields();
};

/// Numbers of all ports as nodes of the network, and back.
class port_numbers {
  public:
    /// `in_network`: number of nodes of the network. Throws config::error, at `at`, if it is no multiple of
    /// p.ports, or p.transpose does not fit.
    port_numbers(const rails_parameters& p, std::uint32_t in_network, const config::location& at);

    std::uint32_t nodes() const { return m_nodes; }  ///< number of nodes that have the ports
    std::uint32_t ports() const { return m_ports; }  ///< ports of each node
    /// Returns the node of the network that is port `port`, below ports() (not checked), of node `node`.
    /// Throws std::out_of_range for an unknown node.
    std::uint32_t at(std::uint32_t node, std::uint32_t port) const {
        if (node >= m_nodes)
            throw std::out_of_range("node " + std::to_string(node) + ", and there are " +
                                    std::to_string(m_nodes));
        return m_at[std::size_t{node} * m_ports + port];
    }
    /// node_of() returns the node that has `in_network` (a node of the network, not checked) as port;
    /// port_of() returns the number of this port, from 0, at its node.
    std::uint32_t node_of(std::uint32_t in_network) const { return m_place[in_network] / m_ports; }
    std::uint32_t port_of(std::uint32_t in_network) const { return m_place[in_network] % m_ports; }

  private:
    std::uint32_t m_nodes, m_ports;
    std::vector<std::uint32_t> m_at;     ///< node of the network, by node * ports + port
    std::vector<std::uint32_t> m_place;  ///< node * ports + port, by node of the network
};

/// Chooses the ports of messages, each of which goes from a port of its source to the same port of its
/// destination.
class port_chooser {
  public:
    /// `network`: the network with all ports; `dims`: grid of the nodes. All three references must outlive
    /// the object.
    port_chooser(port_rule rule, const port_numbers& numbers, const std::vector<std::uint32_t>& dims,
                 const traffic_port& network);

    /// Returns the port, from 0, for a message between nodes; in round_robin, moves on to the next port.
    /// Throws config::error if `nearest` finds no path.
    std::uint32_t choose(const message& m);
    /// Returns the ports by which the path between two nodes is shortest, as a mask with bit p for port p;
    /// all bits if the network has no topology. Throws config::error if there is no path.
    std::uint64_t nearest(std::uint32_t from, std::uint32_t to);
    void serialize(archive& a) { a(m_next); }

  private:
    std::uint32_t links(std::uint32_t from, std::uint32_t to) const;
    std::uint32_t shortest_queue(std::uint32_t node, std::uint64_t among) const;
    std::uint32_t direction(std::uint32_t from, std::uint32_t to) const;

    port_rule m_rule;
    const port_numbers& m_numbers;
    const std::vector<std::uint32_t>& m_dims;
    const traffic_port& m_network;
    const topology* m_map;  ///< topology of the network; null: not known, all ports count as equally near
    std::vector<std::uint32_t> m_next;  ///< next port in round_robin, by node
    /// Results of nearest(), by source * nodes + destination.
    std::unordered_map<std::uint64_t, std::uint64_t> m_nearest;
};

}  // namespace sare::traffic
