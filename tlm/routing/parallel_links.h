// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Spreads packets over parallel links, which are links from one router to the same next router
/// (docs/routing.md). The choice among parallel links closes no cycle of dependencies that the sequence of
/// routers does not close.
///
/// Destinations get links in turn. For each router reached over parallel links, its first node gets the link
/// after that for the first node of the router before. Its other nodes, in order of their ports, get the
/// links that follow. At the router of its source a packet takes a link that belongs to the source node. Of m
/// links, node i of c nodes at the router has numbers i modulo m, i + c, i + 2c, ..., of which the
/// destination's turn picks one.
class parallel_links {
  public:
    /// Finds the parallel links of a network, which need not outlive this object.
    explicit parallel_links(const topology& net);

    /// True if some links are parallel; otherwise all functions return the port that they are given.
    bool any() const { return !m_members.empty(); }
    /// Returns the lowest port of router `r` that leads to the same router as `port`, which must lead to a
    /// router.
    port_number lowest(std::uint32_t r, port_number port) const {
        return any() ? m_members[at(r, port).first] : port;
    }
    /// Returns the port of router `r` for a packet to node `destination`. `port`: port for the first node of
    /// the destination's router, which must lead to a router; unchecked.
    port_number for_destination(std::uint32_t r, port_number port, std::uint32_t destination) const {
        if (!any()) return port;
        const bundle& b = at(r, port);
        return m_members[b.first + (b.place + m_rank[destination]) % b.size];
    }
    /// Returns the port of router `r` for a packet to node `destination` that came in by port `in`. If a node
    /// is at `in`, the port is of a link that belongs to that node; else it is the result of
    /// for_destination(). `port`: as for for_destination().
    port_number for_packet(std::uint32_t r, std::uint32_t in, port_number port,
                           std::uint32_t destination) const;

    /// Assigns parallel links to the entries of one routing table, each in turn.
    class dealer {
      public:
        explicit dealer(const parallel_links& links) : m_links(links), m_turn(links.m_members.size(), 0) {}
        /// Returns a port of router `r` that leads to the same router as `port`, which must lead to a router:
        /// at each call the next such port, round and round.
        port_number next(std::uint32_t r, port_number port) {
            if (!m_links.any()) return port;
            const bundle& b = m_links.at(r, port);
            return m_links.m_members[b.first + m_turn[b.first]++ % b.size];
        }

      private:
        const parallel_links& m_links;
        std::vector<std::uint32_t> m_turn;  ///< number of links assigned so far, by bundle::first
    };

  private:
    /// Parallel links from a router to one next router, as seen from one of their ports.
    struct bundle {
        std::uint32_t first = 0;          ///< index in m_members of the port of the first link
        port_number size = 1, place = 0;  ///< number of links; place of this port among them, in port order
    };
    static constexpr port_number no_node = no_port_number;  ///< value in m_source for a port without a node

    const bundle& at(std::uint32_t r, std::uint32_t port) const { return m_bundles[m_first_port[r] + port]; }
    void find_bundles(const topology& net);
    void rank_nodes(const topology& net);

    std::vector<std::uint32_t> m_first_port;  ///< index of port 0 of each router; last: number of all ports
    std::vector<bundle> m_bundles;            ///< bundle of each port of the network
    std::vector<port_number> m_members;       ///< ports, bundle by bundle; empty if no links are parallel
    /// Number, among the nodes of its router, of the node that sends into each port; no_node: none does.
    std::vector<port_number> m_source;
    std::vector<port_number> m_sources;  ///< number of nodes that send to each router
    /// Number of each node among the nodes of its router, in the order of their ports.
    std::vector<port_number> m_rank;
};

}  // namespace sare
