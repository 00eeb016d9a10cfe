// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/routing_support.h"
#include "tlm/topology/adjacency.h"
#include "tlm/topology/line_reader.h"
#include "tlm/topology/link_parameters.h"

#include <istream>

namespace sare {
namespace {

struct table_parameters {
    std::string file;
};

constexpr std::uint64_t most_entries = std::uint64_t{1} << 26;
constexpr std::uint8_t no_way = 0xff;

/// A next port for each router and destination, from a file (docs/routing.md) or by shortest paths, of equal
/// ones by the lowest port.
class table final : public routing_function {
  public:
    table(const table_parameters& p, const config::value& section, const routing_context& context)
        : m_net(*context.network), m_columns(m_net.nodes()), m_places(places_of_nodes(m_net)) {
        check_vcs(section, context, "table", {1, "packets travel on it"});
        m_vcs = vc_classes(0, context.vcs);
        if (std::uint64_t{m_net.routers()} * m_columns > most_entries)
            throw config::error(place(section, "function"),
                                "'function' is table, which would hold " + std::to_string(m_net.routers()) +
                                    " x " + std::to_string(m_columns) + " next ports; at most " +
                                    std::to_string(most_entries));
        m_ports.assign(std::size_t{m_net.routers()} * m_columns, no_way);
        if (p.file.empty()) {
            shortest_paths();
            return;
        }
        std::string path;
        const auto in = open_input(section, "file", p.file, path);
        line_reader reader(*in, path, "sare-table");
        read(reader);
    }

    std::string name() const override { return "table"; }
    bool tabular() const override { return true; }
    bool goes_round_failures() const override { return true; }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        out.add(m_ports[std::size_t{r} * m_columns + h.destination], m_vcs.all);
    }

  private:
    std::uint8_t& entry(std::uint32_t r, std::uint32_t n) { return m_ports[std::size_t{r} * m_columns + n]; }

    void deliver_at_home() {
        for (std::uint32_t n = 0; n < m_columns; ++n)
            entry(m_places[n].router, n) = static_cast<std::uint8_t>(m_places[n].port);
    }

    void shortest_paths() {
        const adjacency in(m_net, adjacency::direction::backward), out(m_net, adjacency::direction::forward);
        std::vector<std::uint32_t> distance, queue;
        for (std::uint32_t n = 0; n < m_columns; ++n) {
            if (n == 0 || m_places[n].router != m_places[n - 1].router)
                breadth_first(in, m_places[n].router, distance, queue);
            for (const std::uint32_t r : queue)
                if (distance[r] != 0) entry(r, n) = port_nearer(out, distance, r);
        }
        deliver_at_home();
    }

    void read(line_reader& reader) {
        std::vector<std::uint32_t> line(m_ports.size(), 0);        // that set an entry
        std::vector<std::uint32_t> rest_line(m_net.routers(), 0);  // that set the rest of a router's row
        std::vector<std::uint8_t> rest(m_net.routers(), no_way);
        while (reader.next()) {
            if (reader.word(0) != "route")
                reader.fail("unknown line '" + std::string(reader.word(0)) + "'; only 'route' is known");
            if (reader.size() > 4)
                reader.fail("unexpected '" + std::string(reader.word(4)) + "' at the end of the line");
            const std::uint32_t r = reader.number(1, "the router", 0, m_net.routers() - 1);
            const bool all = reader.size() > 2 && reader.word(2) == "*";
            const std::uint32_t n = all ? 0 : reader.number(2, "the node", 0, m_columns - 1);
            const std::uint32_t p = reader.number(3, "the port", 0, m_net.ports(router_id(r)) - 1);
            auto& first = all ? rest_line[r] : line[std::size_t{r} * m_columns + n];
            if (first != 0)
                reader.fail("router " + std::to_string(r) + " and " +
                            (all ? std::string("the rest of the nodes") : "node " + std::to_string(n)) +
                            " are given twice, first on line " + std::to_string(first));
            first = reader.line();
            const auto to = m_net.peer(router_id(r), port_id(p));
            const std::string where = "port " + std::to_string(p) + " of router " + std::to_string(r);
            if (to.what == port_peer::kind::none) reader.fail(where + " is not plugged");
            if (to.what == port_peer::kind::node && (all || to.id != n))
                reader.fail(where + " leads to node " + std::to_string(to.id));
            if (to.what == port_peer::kind::router && !all && m_places[n].router == r)
                reader.fail(where + " leads away from node " + std::to_string(n) + ", which is on port " +
                            std::to_string(m_places[n].port));
            if (all)
                rest[r] = static_cast<std::uint8_t>(p);
            else
                entry(r, n) = static_cast<std::uint8_t>(p);
        }
        for (std::uint32_t r = 0; r < m_net.routers(); ++r)
            for (std::uint32_t n = 0; rest[r] != no_way && n < m_columns; ++n)
                if (entry(r, n) == no_way) entry(r, n) = rest[r];
        deliver_at_home();
        check_ways(reader, [&](std::uint32_t r, std::uint32_t n) {
            const std::uint32_t own = line[std::size_t{r} * m_columns + n];
            return own != 0 ? own : rest_line[r];
        });
    }

    /// Follows every packet from every node: each must have a way on, and arrive. `line_of` gives the line
    /// that set an entry.
    template <class F>
    void check_ways(const line_reader& reader, F line_of) {
        std::vector<std::uint32_t> seen(m_net.routers());
        for (std::uint32_t n = 0; n < m_columns; ++n) {
            seen.assign(m_net.routers(), 0);
            seen[m_places[n].router] = m_columns + 1;
            for (std::uint32_t s = 0; s < m_columns; ++s) {
                std::uint32_t r = m_places[s].router;
                while (seen[r] == 0) {
                    seen[r] = s + 1;
                    const std::uint8_t p = entry(r, n);
                    if (p == no_way)
                        reader.fail("router " + std::to_string(r) + " has no port for node " +
                                    std::to_string(n) + ", and packets of node " + std::to_string(s) +
                                    " come through it");
                    r = m_net.peer(router_id(r), port_id(p)).id;
                }
                if (seen[r] == s + 1)
                    reader.fail(line_of(r, n), "packets of node " + std::to_string(s) + " for node " +
                                                   std::to_string(n) + " come back to router " +
                                                   std::to_string(r) + " and never arrive");
                // All routers on this way are known to lead to the destination.
                for (r = m_places[s].router; seen[r] == s + 1;
                     r = m_net.peer(router_id(r), port_id(entry(r, n))).id)
                    seen[r] = m_columns + 1;
            }
        }
    }

    const topology& m_net;
    std::uint32_t m_columns;
    std::vector<node_place> m_places;
    vc_classes m_vcs;
    std::vector<std::uint8_t> m_ports;
};

config::schema<table_parameters> fields() {
    config::schema<table_parameters> all;
    all.text(
        "file", &table_parameters::file,
        "next ports; a relative name is taken from the folder of the configuration file; left out: shortest "
        "paths, of equal ones by the lowest port");
    return all;
}

routing_function* make(const table_parameters& p, const config::value& section,
                       const routing_context& context) {
    return new table(p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "table", "A next port for each router and destination, from a file or by shortest paths, on any network.",
    fields(), make};

}  // namespace
}  // namespace sare
