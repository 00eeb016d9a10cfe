// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/graph/line_reader.h"
#include "tlm/topology/topology.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Table of the next output port for each router and destination node. Packets from certain input ports of a
/// router may have other next ports: such an input port has a row of its own.
class next_ports {
  public:
    static constexpr port_number no_path = no_port_number;  ///< value of an entry without a path
    /// Most entries (rows times nodes) of a table.
    static constexpr std::uint64_t most = std::uint64_t{1} << 26;

    /// Makes a table without any path. `net` must have at most `most` pairs of router and node; unchecked.
    explicit next_ports(const topology& net);

    /// True if any input port has a row of its own.
    bool by_input() const { return !m_row.empty(); }
    /// Returns the next port at router `r` for a packet to `node` that came in by port `in`; no_path: there
    /// is none.
    port_number find(std::uint32_t r, std::uint32_t in, std::uint32_t node) const {
        return m_ports[std::size_t{row(r, in)} * m_columns + node];
    }
    /// Returns the next port for a packet from node `s` to `node` at the router of `s`; no_path: there is
    /// none.
    port_number find_first(const topology& net, std::uint32_t s, std::uint32_t node) const {
        return find(net.router_of(node_id(s)).value, net.port_of(node_id(s)).value, node);
    }

    /// @name Rows of the table: one for each router, then one for each input port that has its own
    /// @{
    /// Number of rows.
    std::uint32_t rows() const { return static_cast<std::uint32_t>(m_router.size()); }
    /// Returns the row for packets that came into router `r` by port `in`: the row of that port or, if it has
    /// none or there is no such port, row `r`.
    std::uint32_t row(std::uint32_t r, std::uint32_t in) const {
        const bool known = by_input() && m_first_port[r] + in < m_first_port[r + 1];
        return known ? m_row[m_first_port[r] + in] : r;
    }
    std::uint32_t router(std::uint32_t row) const { return m_router[row]; }  ///< router of a row
    /// Returns the row that input port `in` of router `r` has for itself; the first call makes it, without
    /// any path. Returns rows() if the table has no room for it.
    std::uint32_t own_row(std::uint32_t r, std::uint32_t in);
    /// Returns the next port of a row for packets to a node, for reading and writing; no_path: there is none.
    port_number& entry(std::uint32_t row, std::uint32_t node) {
        return m_ports[std::size_t{row} * m_columns + node];
    }
    /// @}

  private:
    std::uint32_t m_columns;                  ///< number of nodes
    std::vector<std::uint32_t> m_first_port;  ///< index of port 0 of each router; last: number of all ports
    std::vector<std::uint32_t> m_row;     ///< row of each input port; empty if no port has a row of its own
    std::vector<std::uint32_t> m_router;  ///< router of each row
    std::vector<port_number> m_ports;     ///< next ports, [row * m_columns + node]
};

/// Reads a file of next ports (docs/routing.md) into `table`, which must have no path yet. Throws
/// config::error `file:line: text` for a wrong line, and if a packet would not arrive. `partial`: true: it is
/// no error if the source's router has no entry for a destination; such a pair of nodes has no path.
void read_table(line_reader& reader, const topology& net, bool partial, next_ports& table);

}  // namespace sare
