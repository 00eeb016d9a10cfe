// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Shares out the links that lead in parallel from a router to one next router (docs/routing.md). Which of
/// them a packet takes never closes a cycle of dependencies that the next routers alone do not close.
///
/// Destinations are dealt out in turn: of the routers reached over such links, the first node of each takes
/// the link after that of the router before, and its other nodes, by port, the links that follow. At the
/// router of its source a packet takes a link of that node's own: node i of c at the router has of m links
/// number i modulo m, and also i + c, i + 2c, ..., of which the destination's turn picks one.
class parallel_links {
  public:
    explicit parallel_links(const topology& net);

    /// False: no two links are parallel, and all that is asked about a port is answered by that port.
    bool any() const { return !m_members.empty(); }
    /// The lowest of the ports of router `r` that lead where `port` leads.
    std::uint8_t lowest(std::uint32_t r, std::uint8_t port) const {
        return any() ? m_members[at(r, port).first] : port;
    }
    /// The link for a packet to node `destination`, where `port` is that of the first node of its router.
    std::uint8_t for_destination(std::uint32_t r, std::uint8_t port, std::uint32_t destination) const {
        if (!any()) return port;
        const bundle& b = at(r, port);
        return m_members[b.first + (b.place + m_rank[destination]) % b.size];
    }
    /// The same; for a packet that comes in by a port `in` of a node one of that node's links.
    std::uint8_t for_packet(std::uint32_t r, std::uint32_t in, std::uint8_t port,
                            std::uint32_t destination) const;

    /// Deals out one routing table.
    class dealer {
      public:
        explicit dealer(const parallel_links& links) : m_links(links), m_turn(links.m_members.size(), 0) {}
        /// Of the links that lead where `port` of router `r` leads, the next one in turn.
        std::uint8_t next(std::uint32_t r, std::uint8_t port) {
            if (!m_links.any()) return port;
            const bundle& b = m_links.at(r, port);
            return m_links.m_members[b.first + m_turn[b.first]++ % b.size];
        }

      private:
        const parallel_links& m_links;
        std::vector<std::uint32_t> m_turn;  ///< by first member of a bundle: those dealt out
    };

  private:
    /// The links to one next router, in port order, and which of them a port is.
    struct bundle {
        std::uint32_t first = 0;  ///< in m_members
        std::uint8_t size = 1, place = 0;
    };
    static constexpr std::uint8_t no_node = 0xff;

    const bundle& at(std::uint32_t r, std::uint32_t port) const { return m_bundles[m_first_port[r] + port]; }
    void find_bundles(const topology& net);
    void rank_nodes(const topology& net);

    std::vector<std::uint32_t> m_first_port;  ///< of each router, and the number of all ports
    std::vector<bundle> m_bundles;            ///< by port
    std::vector<std::uint8_t> m_members;      ///< ports, bundle by bundle; empty if none has two
    std::vector<std::uint8_t> m_source;       ///< by port: which of its router's nodes sends by it; no_node
    std::vector<std::uint8_t> m_sources;      ///< of each router: nodes that send to it
    std::vector<std::uint8_t> m_rank;         ///< of each node among those served by its router, by port
};

}  // namespace sare
