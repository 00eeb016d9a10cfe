// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Multicast by source on the triangular torus: what SpiNNaker's routers look up (L. Plana et al., "A GALS
/// infrastructure for a massively parallel multiprocessor", IEEE Design & Test 24, 2007).
namespace sare {

/// The six links of a router, numbered as ports are: E, NE, N, W, SW, S. A link is the sum of the two beside
/// it, so what cannot go by link k comes to the same router by k - 1 and then k + 1.
namespace hexagon {
constexpr std::uint32_t links = 6;
constexpr std::uint32_t opposite(std::uint32_t k) {
    return (k + 3) % links;
}
/// The two other sides of the triangle over link k.
constexpr std::uint32_t first_leg(std::uint32_t k) {
    return (k + 5) % links;
}
constexpr std::uint32_t second_leg(std::uint32_t k) {
    return (k + 1) % links;
}
}  // namespace hexagon

/// For every source the output ports of each router that its packets come through. An entry may be missing:
/// a packet then goes straight on. The targets of a source are the nodes that its entries lead to.
class multicast_table {
  public:
    /// No link: a packet that its own node has just sent.
    static constexpr std::uint32_t from_node = hexagon::links;

    /// `net`: a triangular torus with links both ways (see triangular_shape()).
    explicit multicast_table(const topology& net);

    /// @name Building
    /// @{
    /// Of each router in ascending order of sources. `ports`: a bit each, one at least.
    void add(std::uint32_t router, std::uint32_t source, std::uint64_t ports);
    /// An entry that is left out, for packets go straight on there.
    void leave_out() { ++m_left_out; }
    /// Follows the packets of every source. `fails(source, router)`: packets come to a router twice.
    using twice = std::function<void(std::uint32_t source, std::uint32_t router)>;
    void finish(const twice& fails);
    /// @}

    /// @name How large it is
    /// @{
    std::uint64_t entries() const { return m_entries; }
    std::uint64_t left_out() const { return m_left_out; }
    /// The most that a router has, and which router.
    std::pair<std::uint32_t, std::uint32_t> fullest() const;
    /// @}

    /// Nodes that packets of a source go to, ascending; none for a node that is no source.
    const std::vector<std::uint32_t>& targets(std::uint32_t source) const { return m_targets[source]; }
    bool is_source(std::uint32_t node) const { return !m_targets[node].empty(); }
    /// The entry of a router for a source; 0: it is missing.
    std::uint64_t entry(std::uint32_t router, std::uint32_t source) const {
        if (m_places.empty()) return search(router, source);
        const std::uint16_t place = m_places[std::size_t{router} * m_targets.size() + source];
        return place == 0 ? 0 : m_rows[router][place - 1U].ports;
    }
    /// Where a packet goes that came by link `along` (or from_node): the entry, or straight on.
    std::uint64_t ports(std::uint32_t router, std::uint32_t source, std::uint32_t along) const {
        const std::uint64_t found = entry(router, source);
        if (found != 0 || along == from_node) return found;
        return std::uint64_t{1} << along;
    }
    /// The link, by router and port, that a packet crosses or goes round the triangle of, which is to leave
    /// `router` by `port`, or has: as the legs of an emergency route. `leg`: 0, 1 or 2.
    std::pair<std::uint32_t, std::uint32_t> avoided(std::uint32_t router, std::uint32_t port,
                                                    std::uint32_t leg) const {
        if (leg == 0) return {router, port};
        if (leg == 1) return {router, hexagon::second_leg(port)};
        const std::uint32_t link = hexagon::first_leg(port);
        return {next(router, hexagon::opposite(hexagon::first_leg(link))), link};
    }
    /// Targets that a packet of a source still has before it, when it is to leave a router by a port.
    std::uint32_t targets_beyond(std::uint32_t source, std::uint32_t router, std::uint32_t port) const;
    /// The router that a link leads to.
    std::uint32_t next(std::uint32_t router, std::uint32_t link) const {
        return m_next[std::size_t{router} * hexagon::links + link];
    }

  private:
    struct row {
        std::uint32_t source;
        std::uint64_t ports;
    };
    /// Calls visit(router, ports) for every router that packets of a source come to from there on, until that
    /// says false.
    template <class F>
    void follow(std::uint32_t source, std::uint32_t router, std::uint32_t along, F visit) const;

    std::uint64_t search(std::uint32_t router, std::uint32_t source) const;
    void index();

    /// Places that are indexed at most.
    static constexpr std::uint64_t most_places = std::uint64_t{1} << 25;

    std::uint32_t m_nodes_each;  ///< of a router
    std::vector<std::uint32_t> m_next;
    std::vector<std::vector<row>> m_rows;  ///< by router
    std::vector<std::uint16_t> m_places;   ///< [router * nodes + source]: 1 + that in a row; empty: too many
    std::vector<std::vector<std::uint32_t>> m_targets;
    std::uint64_t m_entries = 0, m_left_out = 0;
};

/// Its sizes, for a triangular torus with links both ways and 2 routers at least along each side; throws
/// config::error at `section` for another network, saying that `what` is not for it.
struct triangular_shape {
    std::uint32_t w, h, nodes_each;
};
triangular_shape triangular_shape_of(const topology& net, const config::value& section,
                                     const std::string& what);

}  // namespace sare
