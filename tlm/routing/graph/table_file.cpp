// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/graph/table_file.h"

#include "tlm/routing/routing_support.h"

#include <fmt/format.h>

#include <string>

namespace sare {

next_ports::next_ports(const topology& net) : m_columns(net.nodes()) {
    std::uint32_t ports = 0;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        m_router.push_back(r);
        m_first_port.push_back(ports);
        ports += net.ports(router_id(r));
    }
    m_first_port.push_back(ports);
    m_ports.assign(std::size_t{net.routers()} * m_columns, no_path);
}

std::uint32_t next_ports::own_row(std::uint32_t r, std::uint32_t in) {
    if (row(r, in) != r) return row(r, in);
    if (m_ports.size() + m_columns > most) return rows();
    if (m_row.empty())
        for (std::uint32_t q = 0; q + 1 < m_first_port.size(); ++q)
            m_row.insert(m_row.end(), m_first_port[q + 1] - m_first_port[q], q);
    m_ports.resize(m_ports.size() + m_columns, no_path);
    m_router.push_back(r);
    return m_row[m_first_port[r] + in] = rows() - 1;
}

namespace {

/// A table in the making: which line says what.
class table_reader {
  public:
    table_reader(line_reader& reader, const topology& net, next_ports& table)
        : m_reader(reader),
          m_net(net),
          m_columns(net.nodes()),
          m_attachments(node_attachments(net)),
          m_table(table) {
        grow();
    }

    void read() {
        while (m_reader.next()) read_line();
        for (std::uint32_t row = 0; row < m_table.rows(); ++row) fill(row);
        for (std::uint32_t row = 0; row < m_table.rows(); ++row)
            for (std::uint32_t n = 0; n < m_columns; ++n)
                if (m_attachments[n].router == m_table.router(row))
                    m_table.entry(row, n) = static_cast<port_number>(m_attachments[n].port);
    }

    /// Follows every packet from every node: each must have a way on, and arrive; with `partial` those that
    /// have one at their first router.
    void check_paths(bool partial) {
        for (std::uint32_t n = 0; n < m_columns; ++n) {
            m_seen.assign(m_table.rows(), 0);
            for (std::uint32_t s = 0; s < m_columns; ++s)
                if (!partial || m_table.find_first(m_net, s, n) != next_ports::no_path) follow(s, n);
        }
    }

  private:
    static constexpr std::uint32_t any_port = 0xffffffff;

    void grow() {
        m_line.resize(std::size_t{m_table.rows()} * m_columns, 0);
        m_rest_line.resize(m_table.rows(), 0);
        m_rest.resize(m_table.rows(), next_ports::no_path);
    }
    std::uint32_t home(std::uint32_t n) const { return m_attachments[n].router; }

    void read_line() {
        if (m_reader.word(0) != "route")
            m_reader.fail("unknown line '" + std::string(m_reader.word(0)) + "'; only 'route' is known");
        const bool via = m_reader.size() > 3 && m_reader.word(3) == "via";
        const std::size_t way = via ? 4 : 3;
        const bool from = m_reader.size() > way + 1 && m_reader.word(way + 1) == "from";
        if (const std::size_t most = way + (from ? 3 : 1); m_reader.size() > most)
            m_reader.fail("unexpected '" + std::string(m_reader.word(most)) + "' at the end of the line");
        const std::uint32_t r = m_reader.place(1, place_kind::router, m_net);
        const std::uint32_t last = m_net.ports(router_id(r)) - 1;
        const bool all = m_reader.size() > 2 && m_reader.word(2) == "*";
        const std::uint32_t n = all ? 0 : m_reader.place(2, place_kind::node, m_net);
        const bool by_router =
            via || (m_reader.size() > way && place_names::is_like_name(m_reader.word(way)));
        const std::uint32_t p = by_router ? port_to(r, m_reader.place(way, place_kind::router, m_net))
                                          : m_reader.number(way, "the port", 0, last);
        const std::uint32_t in = from ? m_reader.number(way + 2, "the input port", 0, last) : any_port;
        const std::uint32_t row = from ? row_from(r, in) : r;
        auto& first = all ? m_rest_line[row] : m_line[std::size_t{row} * m_columns + n];
        if (first != 0)
            m_reader.fail(fmt::format("router {}{} and {} are given twice, first on line {}", r,
                                      from ? fmt::format(" from port {}", in) : "",
                                      all ? std::string("the rest of the nodes") : fmt::format("node {}", n),
                                      first));
        first = m_reader.line();
        check_port(r, p, all, n);
        (all ? m_rest[row] : m_table.entry(row, n)) = static_cast<port_number>(p);
    }

    /// The port of router `r` whose link leads to router `next`.
    std::uint32_t port_to(std::uint32_t r, std::uint32_t next) const {
        std::uint32_t found = any_port;
        const auto text = [this](std::uint32_t router) {
            return m_net.names().text(place_kind::router, router);
        };
        for (std::uint32_t p = 0; p < m_net.ports(router_id(r)); ++p) {
            const auto to = m_net.peer(router_id(r), port_id(p));
            if (to.what != port_peer::kind::router || to.id != next) continue;
            if (found != any_port)
                m_reader.fail(fmt::format("several links lead from {} to {}; give the port, such as {}",
                                          text(r), text(next), found));
            found = p;
        }
        if (found == any_port) m_reader.fail("no link leads from " + text(r) + " to " + text(next));
        return found;
    }

    std::uint32_t row_from(std::uint32_t r, std::uint32_t in) {
        if (m_net.source(router_id(r), port_id(in)).what == port_peer::kind::none)
            m_reader.fail(fmt::format("nothing comes in by port {} of router {}", in, r));
        const std::uint32_t row = m_table.own_row(r, in);
        if (row == m_table.rows())
            m_reader.fail(
                fmt::format("too many input ports with lines of their own: a table has at most {} next ports",
                            next_ports::most));
        grow();
        return row;
    }

    void check_port(std::uint32_t r, std::uint32_t p, bool all, std::uint32_t n) const {
        const auto to = m_net.peer(router_id(r), port_id(p));
        const std::string where = fmt::format("port {} of router {}", p, r);
        if (to.what == port_peer::kind::none) m_reader.fail(where + " is not plugged");
        if (to.what == port_peer::kind::node && (all || to.id != n))
            m_reader.fail(fmt::format("{} leads to node {}", where, to.id));
        if (to.what == port_peer::kind::router && !all && home(n) == r)
            m_reader.fail(fmt::format("{} leads away from node {}, which is on port {}", where, n,
                                      m_attachments[n].port));
    }

    /// What a row does not say of a node, the rest of it does, or the router's row, which is filled before.
    void fill(std::uint32_t row) {
        const std::uint32_t r = m_table.router(row);
        for (std::uint32_t n = 0; n < m_columns; ++n) {
            port_number& port = m_table.entry(row, n);
            if (port == next_ports::no_path) port = m_rest[row];
            if (port == next_ports::no_path) port = m_table.entry(r, n);
        }
    }

    std::uint32_t line_of(std::uint32_t row, std::uint32_t n) const {
        for (const std::uint32_t at : {row, m_table.router(row)}) {
            if (const std::uint32_t own = m_line[std::size_t{at} * m_columns + n]; own != 0) return own;
            if (m_rest_line[at] != 0) return m_rest_line[at];
        }
        return 0;
    }

    void follow(std::uint32_t s, std::uint32_t n) {
        const std::uint32_t first = m_net.router_of(node_id(s)).value;
        const std::uint32_t begin = m_table.row(first, m_net.port_of(node_id(s)).value);
        const std::uint32_t arrives = m_columns + 1;
        std::uint32_t row = begin;
        while (m_table.router(row) != home(n) && m_seen[row] == 0) {
            m_seen[row] = s + 1;
            if (m_table.entry(row, n) == next_ports::no_path) miss(m_table.router(row), s, n, row == begin);
            row = next(row, n);
        }
        if (m_table.router(row) != home(n) && m_seen[row] == s + 1)
            m_reader.fail(
                line_of(row, n),
                fmt::format("packets of node {} for node {} come back to router {} and never arrive", s, n,
                            m_table.router(row)));
        for (row = begin; m_table.router(row) != home(n) && m_seen[row] == s + 1; row = next(row, n))
            m_seen[row] = arrives;
    }
    std::uint32_t next(std::uint32_t row, std::uint32_t n) {
        const port_peer to = m_net.peer(router_id(m_table.router(row)), port_id(m_table.entry(row, n)));
        return m_table.row(to.id, to.port);
    }
    [[noreturn]] void miss(std::uint32_t r, std::uint32_t s, std::uint32_t n, bool at_source) const {
        m_reader.fail(
            fmt::format("router {} has no port for node {}, and packets of node {} come through it{}", r, n,
                        s, at_source ? "; 'partial: true' takes tables for some pairs of nodes" : ""));
    }

    line_reader& m_reader;
    const topology& m_net;
    std::uint32_t m_columns;
    std::vector<node_attachment> m_attachments;
    next_ports& m_table;
    std::vector<std::uint32_t> m_line;       ///< by row and node: the line that says so, 0: none
    std::vector<std::uint32_t> m_rest_line;  ///< by row: the line that says the rest
    std::vector<port_number> m_rest;         ///< by row: what it says
    std::vector<std::uint32_t> m_seen;       ///< by row: the last source that came through + 1
};

}  // namespace

void read_table(line_reader& reader, const topology& net, bool partial, next_ports& table) {
    table_reader in(reader, net, table);
    in.read();
    in.check_paths(partial);
}

}  // namespace sare
