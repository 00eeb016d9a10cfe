// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Tables for multicast by source, as SpiNNaker's routers have (L. Plana et al., "A GALS infrastructure for a
/// massively parallel multiprocessor", IEEE Design & Test 24, 2007).
namespace sare {

/// The six links of a router, numbered as its ports: E, NE, N, W, SW, S. Each link is the vector sum of its
/// two neighbours, so that links k - 1 and then k + 1 lead to the same router as link k.
namespace hexagon {
constexpr std::uint32_t links = 6;  ///< number of links of a router
/// Returns the link in the direction opposite to link `k`.
constexpr std::uint32_t opposite(std::uint32_t k) {
    return (k + 3) % links;
}
/// Returns the first of the two links of the detour around link `k`; second_leg() returns the second. A
/// packet takes them in this order.
constexpr std::uint32_t first_leg(std::uint32_t k) {
    return (k + 5) % links;
}
constexpr std::uint32_t second_leg(std::uint32_t k) {
    return (k + 1) % links;
}
}  // namespace hexagon

/// Output ports for the packets of every source, at each router that they come through. On a triangular torus
/// a packet goes straight on at a router without an entry for its source; on other networks every router that
/// it comes through must have one. The *targets* of a source are the nodes to which its entries lead.
class multicast_table {
  public:
    /// Value of `along` in ports() for a packet that a node of the router has just sent, which has no
    /// direction yet.
    static constexpr std::uint32_t from_node = hexagon::links;

    /// Makes a table without entries. `net`, which must outlive the table: if it is a triangular torus, it
    /// has links both ways. Throws config::error, at `at`, if a router has more than 64 ports.
    multicast_table(const topology& net, const config::location& at);

    /// @name Building
    /// @{
    /// Adds an entry: packets of `source` that come to `router` leave by `ports`, a mask of output ports, not
    /// 0. `vcs`: VCs that the packets may take at each of these ports, in ascending order of ports; empty:
    /// all VCs. Call in strictly ascending order of sources for each router. None of this is checked.
    void add(std::uint32_t router, std::uint32_t source, std::uint64_t ports,
             const std::vector<vc_mask>& vcs = {});
    /// Sets unicast_links() of node `source`: sum of the lengths, in links between routers, of the unicast
    /// paths to its targets. 0 until set.
    void set_unicast_links(std::uint32_t source, std::uint64_t links) { m_unicast_links[source] = links; }
    /// Counts an entry that is not needed, since packets go straight on there.
    void leave_out() { ++m_left_out; }
    /// Function that finish() calls for each of its two errors; if it returns, the next source follows.
    using twice = std::function<void(std::uint32_t source, std::uint32_t router)>;
    /// Finds the targets of all sources; call once, after all add(). Calls `fails` for packets that come to a
    /// router twice and, on other networks than a triangular torus, for packets that come to a router without
    /// an entry.
    void finish(const twice& fails);
    /// @}

    /// @name Size of the table
    /// @{
    std::uint64_t entries() const { return m_entries; }    ///< number of entries of all routers
    std::uint64_t left_out() const { return m_left_out; }  ///< number of calls of leave_out()
    /// Returns the largest number of entries of a router, and the lowest router with so many; 0, 0: no entry.
    std::pair<std::uint32_t, std::uint32_t> fullest() const;
    /// @}

    /// Returns the nodes to which packets of a source go, ascending; empty for a node that is no source, and
    /// before finish().
    const std::vector<std::uint32_t>& targets(std::uint32_t source) const { return m_targets[source]; }
    /// True if a node has targets; false before finish().
    bool is_source(std::uint32_t node) const { return !m_targets[node].empty(); }
    /// Number of links between routers that a packet of a source and its copies cross; 0 before finish().
    std::uint64_t links(std::uint32_t source) const { return m_links[source]; }
    /// Number of links between routers that packets would cross if one went to each target by itself; 0: no
    /// set_unicast_links() for the source.
    std::uint64_t unicast_links(std::uint32_t source) const { return m_unicast_links[source]; }
    /// Returns the entry of a router for a source, a mask of output ports; 0: there is none.
    std::uint64_t entry(std::uint32_t router, std::uint32_t source) const {
        const row* found = find(router, source);
        return found == nullptr ? 0 : found->ports;
    }
    /// Calls f(port, vcs) for each output port, ascending, of the entry of a router for a source. `vcs`: mask
    /// of the VCs that a packet may take there. Without an entry calls nothing.
    template <class F>
    void for_each_port(std::uint32_t router, std::uint32_t source, F&& f) const {
        const row* found = find(router, source);
        if (found == nullptr) return;
        const vc_mask* vcs = found->vcs == all_vcs ? nullptr : &m_vcs[found->vcs];
        for (std::uint64_t rest = found->ports; rest != 0; rest &= rest - 1)
            f(static_cast<std::uint32_t>(__builtin_ctzll(rest)), vcs == nullptr ? ~vc_mask{0} : *vcs++);
    }
    /// Returns the mask of output ports for a packet of a source: the entry or, without one, the port
    /// straight on, on a triangular torus. `along`: link in whose direction the packet came to the router;
    /// from_node: from a node of the router. 0: there is no entry, and no way straight on.
    std::uint64_t ports(std::uint32_t router, std::uint32_t source, std::uint32_t along) const {
        const std::uint64_t found = entry(router, source);
        if (found != 0 || along == from_node || !m_straight) return found;
        return std::uint64_t{1} << along;
    }
    /// Returns the link (router, output port) that a packet which leaves `router` by `port` would take on its
    /// usual route on a triangular torus. `leg` 0: the link is at `port` itself; 1 or 2: `port` is the first
    /// or second leg of an emergency route, which is the detour around that link.
    std::pair<std::uint32_t, std::uint32_t> avoided(std::uint32_t router, std::uint32_t port,
                                                    std::uint32_t leg) const {
        if (leg == 0) return {router, port};
        if (leg == 1) return {router, hexagon::second_leg(port)};
        const std::uint32_t link = hexagon::first_leg(port);
        return {next(router, hexagon::opposite(hexagon::first_leg(link))), link};
    }
    /// Returns the number of targets that a packet of a source reaches over an output port of a router; 1 if
    /// the port leads to no router. Call only if finish() found no error: cycles are not checked.
    std::uint32_t targets_beyond(std::uint32_t source, std::uint32_t router, std::uint32_t port) const;
    /// Returns the router to which output port `link` of a router leads; that it leads to one is unchecked.
    std::uint32_t next(std::uint32_t router, std::uint32_t link) const {
        return m_net->peer(router_id(router), port_id(link)).id;
    }

  private:
    /// An entry of a router.
    struct row {
        std::uint32_t source;
        std::uint32_t vcs;    ///< index in m_vcs of the VCs of the lowest port; all_vcs: all VCs at all ports
        std::uint64_t ports;  ///< mask of output ports
    };
    static constexpr std::uint32_t all_vcs = ~0U;  ///< value of row::vcs
    /// Returns the entry of a router for a source; null: there is none.
    const row* find(std::uint32_t router, std::uint32_t source) const {
        if (m_places.empty()) return search(router, source);
        const std::uint16_t place = m_places[std::size_t{router} * m_targets.size() + source];
        return place == 0 ? nullptr : &m_rows[router][place - 1U];
    }
    /// Calls f(port, peer) for each port of a mask and the end of its link.
    template <class F>
    void for_each_peer(std::uint32_t router, std::uint64_t ports, F f) const;
    /// Calls visit(router, ports) for every router that packets of a source come to, from `router` on, until
    /// visit() returns false.
    template <class F>
    void follow(std::uint32_t source, std::uint32_t router, std::uint32_t along, F visit) const;

    const row* search(std::uint32_t router, std::uint32_t source) const;
    void index();

    /// Most elements of m_places, so that it takes up to 64 MiB; else entries are searched for.
    static constexpr std::uint64_t most_places = std::uint64_t{1} << 25;

    const topology* m_net;
    bool m_straight;                       ///< true: packets go straight on where there is no entry
    std::vector<std::vector<row>> m_rows;  ///< entries of each router
    std::vector<vc_mask> m_vcs;            ///< `vcs` of add(), entry by entry; see row::vcs
    /// 1 + index in m_rows of the entry, 0: none; [router * nodes + source]; empty: entries are searched for.
    std::vector<std::uint16_t> m_places;
    std::vector<std::vector<std::uint32_t>> m_targets;    ///< targets() of each node
    std::vector<std::uint64_t> m_links, m_unicast_links;  ///< by source
    std::uint64_t m_entries = 0, m_left_out = 0;
};

/// Sizes of a triangular torus: routers along its two sides, and nodes of each router.
struct triangular_shape {
    std::uint32_t w, h, nodes_each;
};
/// Returns the sizes of `net`, a triangular torus with links both ways and at least 2 routers along each
/// side. Throws config::error at `section` for another network, with the text that `what` is not for it.
triangular_shape triangular_shape_of(const topology& net, const config::value& section,
                                     const std::string& what);

}  // namespace sare
