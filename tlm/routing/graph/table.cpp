// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/graph/table_file.h"
#include "tlm/routing/parallel_links.h"
#include "tlm/routing/routing_support.h"
#include "tlm/topology/adjacency.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <istream>

namespace sare::variants::table {
namespace {

struct table_parameters {
    std::string file;
    bool partial = false;
};

/// A next port for each router and destination, and for input ports if they matter, from a file
/// (docs/routing.md); or by shortest paths, of equal ones to the router of the lowest port.
class table final : public routing_function {
  public:
    table(const table_parameters& p, const config::value& section, const routing_context& context)
        : m_net(*context.network), m_partial(p.partial), m_file(p.file), m_at(place(section, "file")) {
        check_vcs(section, context, "table", {1, "packets travel on it"});
        m_vcs = vc_classes(0, context.vcs);
        if (std::uint64_t{m_net.routers()} * m_net.nodes() > next_ports::most)
            throw config::error(
                place(section, "function"),
                fmt::format("'function' is table, which would hold {} x {} next ports; at most {}",
                            m_net.routers(), m_net.nodes(), next_ports::most));
        m_table = std::make_unique<next_ports>(m_net);
        if (p.file.empty()) {
            if (p.partial)
                throw config::error(place(section, "partial"),
                                    "'partial' is for a table from a file, and 'file' is left out");
            shortest_paths();
            return;
        }
        std::string path;
        const auto in = open_input(section, "file", p.file, path);
        line_reader reader(*in, path, "sare-table");
        read_table(reader, m_net, p.partial, *m_table);
    }

    std::string name() const override { return "table"; }
    bool tabular() const override { return !m_table->by_input(); }
    bool tabular_by_input() const override { return true; }
    bool goes_round_failures() const override { return true; }
    bool knows_routers_only() const override { return m_knows_routers_only; }

    void begin(route_header& h, rng&) const override {
        if (m_partial && !has_path(h))
            throw config::error(
                m_at,
                fmt::format("'file' is {}; it has no way from node {} to node {}, which a message takes",
                            m_file, h.source, h.destination));
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        if (!m_partial || has_path(plain)) out.push_back(plain);
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t, route_header& h,
               route_set& out) const override {
        out.add(m_table->find(r, in, h.destination), m_vcs.all);
    }

  private:
    bool has_path(const route_header& h) const {
        return m_table->find_first(m_net, h.source, h.destination) != next_ports::no_path;
    }

    void shortest_paths() {
        const adjacency in(m_net, adjacency::direction::backward), out(m_net, adjacency::direction::forward);
        const parallel_links parallel(m_net);
        m_knows_routers_only = !parallel.any();
        parallel_links::dealer deal(parallel);
        const std::vector<node_attachment> attachments = node_attachments(m_net);
        std::vector<std::vector<std::uint32_t>> nodes(m_net.routers());
        for (std::uint32_t n = 0; n < m_net.nodes(); ++n) nodes[attachments[n].router].push_back(n);
        std::vector<std::uint32_t> distance, queue;
        for (std::uint32_t to = 0; to < m_net.routers(); ++to) {
            if (nodes[to].empty()) continue;
            breadth_first(in, to, distance, queue);
            for (const std::uint32_t r : queue) {
                const port_number port = r == to ? 0 : deal.next(r, port_nearer(out, distance, r));
                for (const std::uint32_t n : nodes[to])
                    m_table->entry(r, n) = r == to ? static_cast<port_number>(attachments[n].port)
                                                   : parallel.for_destination(r, port, n);
            }
        }
    }

    const topology& m_net;
    bool m_partial;
    std::string m_file;
    config::location m_at;
    vc_classes m_vcs;
    std::unique_ptr<next_ports> m_table;
    bool m_knows_routers_only = false;
};

config::schema<table_parameters> fields() {
    config::schema<table_parameters> all;
    all.text("file", &table_parameters::file,
             "next ports; a relative name is taken from the folder of the configuration file; left out: "
             "shortest paths, of equal ones to the router of the lowest port")
        .flag("partial", &table_parameters::partial,
              "the file may leave out pairs of nodes; a message of such a pair ends the run");
    return all;
}

const routing_registration<table, table_parameters> registered{
    "table", "A next port for each router and destination, from a file or by shortest paths, on any network.",
    fields()};

}  // namespace
}  // namespace sare::variants::table
