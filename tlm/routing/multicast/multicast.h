// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Tables for multicast by source on a triangular torus, as SpiNNaker's routers have (L. Plana et al., "A
/// GALS infrastructure for a massively parallel multiprocessor", IEEE Design & Test 24, 2007).
namespace sare {

/// The six links of a router, numbered as its ports: E, NE, N, W, SW, S. Each link is the vector sum of its
/// two neighbours, so that links k - 1 and then k + 1 lead to the same router as link k.
namespace hexagon {
constexpr std::uint32_t links = 6;
constexpr std::uint32_t opposite(std::uint32_t k) {
    return (k + 3) % links;
}
/// The two links of the detour round link k, in the order in which a packet takes them.
constexpr std::uint32_t first_leg(std::uint32_t k) {
    return (k + 5) % links;
}
constexpr std::uint32_t second_leg(std::uint32_t k) {
    return (k + 1) % links;
}
}  // namespace hexagon

/// Output ports for packets of every source, at each router that they come through. If an entry is missing, a
/// packet goes straight on. The targets of a source are the nodes that its entries lead to.
class multicast_table {
  public:
    /// Value of `along` for a packet that its own node has just sent: no link.
    static constexpr std::uint32_t from_node = hexagon::links;

    /// `net`: a triangular torus with links both ways (see triangular_shape()).
    explicit multicast_table(const topology& net);

    /// @name Building
    /// @{
    /// Adds an entry; call in ascending order of sources for each router. `ports`: mask of output ports, not
    /// 0.
    void add(std::uint32_t router, std::uint32_t source, std::uint64_t ports);
    /// Counts an entry that is left out, as packets go straight on there.
    void leave_out() { ++m_left_out; }
    /// Ends building and finds the targets of every source. Calls fails(source, router) if packets come to a
    /// router twice.
    using twice = std::function<void(std::uint32_t source, std::uint32_t router)>;
    void finish(const twice& fails);
    /// @}

    /// @name Size of the table
    /// @{
    std::uint64_t entries() const { return m_entries; }    ///< number of entries of all routers
    std::uint64_t left_out() const { return m_left_out; }  ///< number of calls of leave_out()
    /// Returns the number of entries of the router that has most, and that router.
    std::pair<std::uint32_t, std::uint32_t> fullest() const;
    /// @}

    /// Nodes that packets of a source go to, in ascending order; empty for a node that is no source.
    const std::vector<std::uint32_t>& targets(std::uint32_t source) const { return m_targets[source]; }
    bool is_source(std::uint32_t node) const { return !m_targets[node].empty(); }
    /// Entry of a router for a source, as a mask of output ports; 0: it is missing.
    std::uint64_t entry(std::uint32_t router, std::uint32_t source) const {
        if (m_places.empty()) return search(router, source);
        const std::uint16_t place = m_places[std::size_t{router} * m_targets.size() + source];
        return place == 0 ? 0 : m_rows[router][place - 1U].ports;
    }
    /// Mask of output ports for a packet that came moving along link `along` (or from_node): the entry, or
    /// straight on.
    std::uint64_t ports(std::uint32_t router, std::uint32_t source, std::uint32_t along) const {
        const std::uint64_t found = entry(router, source);
        if (found != 0 || along == from_node) return found;
        return std::uint64_t{1} << along;
    }
    /// Returns the link (router, port) of the usual route of a packet that is to leave `router` by `port`, or
    /// has. `leg`: 0, `port` itself is on the usual route; 1 or 2, `port` is the first or second leg of an
    /// emergency route round the link.
    std::pair<std::uint32_t, std::uint32_t> avoided(std::uint32_t router, std::uint32_t port,
                                                    std::uint32_t leg) const {
        if (leg == 0) return {router, port};
        if (leg == 1) return {router, hexagon::second_leg(port)};
        const std::uint32_t link = hexagon::first_leg(port);
        return {next(router, hexagon::opposite(hexagon::first_leg(link))), link};
    }
    /// Number of targets that a packet of a source reaches behind an output port of a router.
    std::uint32_t targets_beyond(std::uint32_t source, std::uint32_t router, std::uint32_t port) const;
    /// Router that a link leads to.
    std::uint32_t next(std::uint32_t router, std::uint32_t link) const {
        return m_next[std::size_t{router} * hexagon::links + link];
    }

  private:
    struct row {
        std::uint32_t source;
        std::uint64_t ports;
    };
    /// Calls visit(router, ports) for every router that packets of a source come to, from `router` on, until
    /// visit() returns false.
    template <class F>
    void follow(std::uint32_t source, std::uint32_t router, std::uint32_t along, F visit) const;

    std::uint64_t search(std::uint32_t router, std::uint32_t source) const;
    void index();

    /// Largest size of m_places.
    static constexpr std::uint64_t most_places = std::uint64_t{1} << 25;

    std::uint32_t m_nodes_each;                         ///< number of nodes of each router
    std::vector<std::uint32_t> m_next;                  ///< next router, [router * 6 + link]
    std::vector<std::vector<row>> m_rows;               ///< entries of each router
    std::vector<std::uint16_t> m_places;                ///< 1 + place in m_rows, [router * nodes + source]
    std::vector<std::vector<std::uint32_t>> m_targets;  ///< see targets(), by source
    std::uint64_t m_entries = 0, m_left_out = 0;
};

/// Sizes of a triangular torus: routers along each side, and nodes of each router.
struct triangular_shape {
    std::uint32_t w, h, nodes_each;
};
/// Returns the sizes of a triangular torus with links both ways and at least 2 routers along each side.
/// Throws config::error at `section` for another network, saying that `what` is not for it.
triangular_shape triangular_shape_of(const topology& net, const config::value& section,
                                     const std::string& what);

}  // namespace sare
