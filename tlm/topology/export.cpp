// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/export.h"

#include <fmt/format.h>

#include <ostream>
#include <tuple>

namespace sare {
namespace {

bool same(link_attributes a, link_attributes b) {
    return a.latency == b.latency && a.cycles_per_flit == b.cycles_per_flit;
}

/// An edge list knows one clock, and whole cycles.
link_attributes in_cycles_of_network(link_attributes a) {
    for (std::uint32_t* const cycles : {&a.latency, &a.cycles_per_flit}) *cycles = a.clock.cycles_of(*cycles);
    a.clock = 1;
    return a;
}

bool sends_and_receives_at_one_port(const topology& net, std::uint32_t n) {
    const router_port from = net.ejection_of(node_id(n));
    return from.router == net.router_of(node_id(n)) && from.port == net.port_of(node_id(n));
}

struct end {
    std::uint32_t router, port;
};

/// Calls f(from, to, attributes, both) for each link between routers: once for a pair of opposite channels
/// with the same attributes.
template <class F>
void for_each_drawn_link(const topology& net, F f) {
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const auto to = net.peer(router_id(r), port_id(p));
            if (to.what != port_peer::kind::router) continue;
            const auto there = in_cycles_of_network(net.link(router_id(r), port_id(p)));
            const auto back = net.peer(router_id(to.id), port_id(to.port));
            const bool both = back.what == port_peer::kind::router && back.id == r && back.port == p &&
                              same(there, in_cycles_of_network(net.link(router_id(to.id), port_id(to.port))));
            if (both && std::tie(r, p) > std::tie(to.id, to.port)) continue;
            f(end{r, p}, end{to.id, to.port}, there, both);
        }
}

/// "3=io", or the number alone where there is no name.
std::string with_name(const topology& net, place_kind what, std::uint32_t n) {
    const std::string& name = net.names().name(what, n);
    return std::to_string(n) + (name.empty() ? "" : "=" + name);
}

/// A block of the picture, labelled by its name where it has one.
void write_block(const topology& net, place_kind what, std::uint32_t n, std::ostream& out) {
    const std::string& name = net.names().name(what, n);
    out << "  " << (what == place_kind::router ? 'r' : 'n') << n;
    if (!name.empty()) out << " [label=\"" << name << "\"]";
    out << ";\n";
}

}  // namespace

void write_graphviz(const topology& net, std::ostream& out) {
    out << "digraph \"" << net.name() << "\" {\n  edge [fontsize=8];\n  node [shape=box];\n";
    for (std::uint32_t r = 0; r < net.routers(); ++r) write_block(net, place_kind::router, r, out);
    out << "  node [shape=circle];\n";
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        if (!net.names().name(place_kind::node, n).empty()) write_block(net, place_kind::node, n, out);
        const bool both = sends_and_receives_at_one_port(net, n);
        out << "  n" << n << " -> r" << net.router_of(node_id(n)).value << " [" << (both ? "dir=both, " : "")
            << "headlabel=" << net.port_of(node_id(n)).value << "];\n";
        if (both) continue;
        const router_port from = net.ejection_of(node_id(n));
        out << "  r" << from.router.value << " -> n" << n << " [taillabel=" << from.port.value << "];\n";
    }
    for_each_drawn_link(net, [&](end from, end to, link_attributes a, bool both) {
        out << "  r" << from.router << " -> r" << to.router << " [taillabel=" << from.port
            << ", headlabel=" << to.port;
        if (both) out << ", dir=both";
        const std::string& name = net.names().link(from.router, from.port);
        std::string label = same(a, {}) ? "" : fmt::format("{}/{}", a.latency, a.cycles_per_flit);
        if (!name.empty()) label = label.empty() ? name : name + " " + label;
        if (!label.empty()) out << ", label=\"" << label << '"';
        out << "];\n";
    });
    out << "}\n";
}

void write_edge_list(const topology& net, std::ostream& out) {
    out << "sare-graph 1\n# " << net.name() << ": " << net.routers() << " routers, " << net.nodes()
        << " nodes\n# router <id>[=<name>] <ports>\n";
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        out << "router " << with_name(net, place_kind::router, r) << ' ' << net.ports(router_id(r)) << '\n';
    out << "# node <id>[=<name>] <router> <port> <latency> <cycles per flit> [both again, from router to "
           "node]\n";
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        const auto r = net.router_of(node_id(n));
        const auto p = net.port_of(node_id(n));
        const router_port from = net.ejection_of(node_id(n));
        const auto in = in_cycles_of_network(net.injection_link(node_id(n))),
                   eject = in_cycles_of_network(net.link(from.router, from.port));
        out << "node " << with_name(net, place_kind::node, n) << ' ' << r.value << ' ' << p.value << ' '
            << in.latency << ' ' << in.cycles_per_flit;
        if (!same(in, eject)) out << ' ' << eject.latency << ' ' << eject.cycles_per_flit;
        out << '\n';
        if (!sends_and_receives_at_one_port(net, n))
            out << "exit " << n << ' ' << from.router.value << ' ' << from.port.value << '\n';
    }
    out << "# link or arc <router>.<port> <router>.<port> <latency> <cycles per flit> [name=<name>]\n";
    for_each_drawn_link(net, [&](end from, end to, link_attributes a, bool both) {
        out << (both ? "link " : "arc ") << from.router << '.' << from.port << ' ' << to.router << '.'
            << to.port << ' ' << a.latency << ' ' << a.cycles_per_flit;
        const std::string& name = net.names().link(from.router, from.port);
        out << (name.empty() ? "" : " name=" + name) << '\n';
    });
}

}  // namespace sare
