// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/graph/line_reader.h"
#include "tlm/topology/topology.h"

#include <cstdint>
#include <vector>

namespace sare {

/// A next port for each router and node; for packets that come in by certain ports of a router another one.
class next_ports {
  public:
    static constexpr std::uint8_t no_path = 0xff;
    /// Next ports that are held at most.
    static constexpr std::uint64_t most = std::uint64_t{1} << 26;

    /// No path anywhere; `net` has no more than `most` pairs of a router and a node.
    explicit next_ports(const topology& net);

    /// True if it matters where packets come in.
    bool by_input() const { return !m_row.empty(); }
    std::uint8_t find(std::uint32_t r, std::uint32_t in, std::uint32_t node) const {
        return m_ports[std::size_t{row(r, in)} * m_columns + node];
    }
    /// From where node `s` sends.
    std::uint8_t find_first(const topology& net, std::uint32_t s, std::uint32_t node) const {
        return find(net.router_of(node_id(s)).value, net.port_of(node_id(s)).value, node);
    }

    /// @name Rows: first one a router, then those of input ports
    /// @{
    std::uint32_t rows() const { return static_cast<std::uint32_t>(m_router.size()); }
    std::uint32_t row(std::uint32_t r, std::uint32_t in) const {
        const bool known = by_input() && m_first_port[r] + in < m_first_port[r + 1];
        return known ? m_row[m_first_port[r] + in] : r;
    }
    std::uint32_t router(std::uint32_t row) const { return m_router[row]; }
    /// That of an input port, made if it has none yet; rows() where there is no room for one more.
    std::uint32_t own_row(std::uint32_t r, std::uint32_t in);
    std::uint8_t& entry(std::uint32_t row, std::uint32_t node) {
        return m_ports[std::size_t{row} * m_columns + node];
    }
    /// @}

  private:
    std::uint32_t m_columns;
    std::vector<std::uint32_t> m_first_port;  ///< of each router, and the number of all ports
    std::vector<std::uint32_t> m_row;         ///< by input port; empty where none has its own
    std::vector<std::uint32_t> m_router;      ///< by row
    std::vector<std::uint8_t> m_ports;        ///< by row and node
};

/// Reads a file of next ports (docs/routing.md) into `table`. Throws config::error, `file:line: what`, for a
/// line that cannot be, and where a packet would not arrive; `partial`: pairs of nodes may be missing from
/// the router of the source on.
void read_table(line_reader& reader, const topology& net, bool partial, next_ports& table);

}  // namespace sare
