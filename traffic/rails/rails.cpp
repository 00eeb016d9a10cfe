// SPDX-License-Identifier: Apache-2.0
#include "traffic/rails/rails.h"

#include "tlm/config/hints.h"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <set>

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool chooses = config::add_section_of<workload_registry>("traffic.of");

config::value resolve_workload(const config::value& v) {
    return v.type() == config::value::kind::null ? v : workload_registry::instance().resolve(v);
}

/// Makes the workload of the nodes.
std::unique_ptr<workload> make_inner(const rails_parameters& p, const config::value& section,
                                     const workload_context& c) {
    if (p.of.type() == config::value::kind::null)
        throw config::error(section.where(),
                            "workload 'rails' needs 'of: ', the workload of the nodes, such as "
                            "'of: {workload: bernoulli, load: 0.2}'");
    return workload_registry::instance().make(
        p.of, {c.folder, c.nodes / p.ports, nullptr, c.cycle_seconds, c.flit_bytes});
}

/// Adds the node of each source of a list to a list of sources, once.
void add_nodes(const judged_sources::list& ports, const port_numbers& numbers, judged_sources::list& nodes) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> all;
    for (const auto& [port, message_class] : ports) all.emplace(numbers.node_of(port), message_class);
    nodes.assign(all.begin(), all.end());
}

const config::registration<workload, const workload_context&> registered{
    "rails",
    "Another workload, whose nodes have several ports: nodes of the network, each with a NIC and queues of "
    "its own.",
    rails_parameters::fields(), config::made<rails>};

}  // namespace

config::schema<rails_parameters> rails_parameters::fields() {
    using p = rails_parameters;
    config::schema<p> s;
    s.raw("of", &p::of, "workload", "what the nodes send: a section as 'traffic'", resolve_workload)
        .number("ports", &p::ports, 1, most_ports, "", "ports of each node, which are nodes of the network")
        .choice("order", &p::order,
                {{"consecutive", port_order::consecutive}, {"planes", port_order::planes}},
                "port p of node n, of P ports and N nodes: consecutive: n * P + p; planes: p * N + n")
        .integers(
            "transpose", &p::transpose, 0, 4294967295.0, "nodes",
            "a number c for each port: that of node n takes the place of node (n mod c) * N/c + n/c, so "
            "that nodes with equal n mod c are neighbours; 0 or left out: n")
        .choice("choose", &p::choose,
                {{"nearest", port_rule::nearest},
                 {"shortest_queue", port_rule::shortest_queue},
                 {"round_robin", port_rule::round_robin},
                 {"class", port_rule::message_class},
                 {"destination", port_rule::destination},
                 {"direction", port_rule::direction}},
                "port of a message, at both its nodes. nearest: of the shortest path, then of the shortest "
                "queue; class, destination: that number modulo the ports; direction: 2 * dimension of the "
                "first hop, and 1 more if it goes down, modulo the ports")
        .integers("dims", &p::dims, 1, 4294967295.0, "nodes",
                  "grid of the nodes, for patterns and for direction; none: a line");
    return s;
}

rails::rails(const rails_parameters& p, const config::value& section, const workload_context& c)
    : rails(p, make_inner(p, section, c), c.nodes, section.where()) {}

rails::rails(const rails_parameters& p, std::unique_ptr<workload> work, std::uint32_t in_network,
             const config::location& at)
    : forwarding_workload(*work),
      m_numbers(p, in_network, at),
      m_work(std::move(work)),
      m_at(at),
      m_rule(p.choose),
      m_dims(p.dims.empty() ? std::vector<std::uint32_t>{m_numbers.nodes()} : p.dims) {
    const auto product = std::accumulate(m_dims.begin(), m_dims.end(), std::uint64_t{1}, std::multiplies<>());
    if (product != m_numbers.nodes())
        throw config::error(
            at, fmt::format("workload 'rails' has {} nodes, its 'dims' make {}", m_numbers.nodes(), product));
}

void rails::start(traffic_port& port) {
    if (m_rule == port_rule::nearest && port.map() == nullptr)
        throw config::error(m_at,
                            "'choose: nearest' needs the topology, which a workload inside 'applications' or "
                            "'rails' does not see; choose another rule");
    m_port = &port;
    m_chooser = std::make_unique<port_chooser>(m_rule, m_numbers, m_dims, port);
    if (m_rule == port_rule::nearest)  // a wrong order of ports shows between most nodes
        for (const std::uint32_t n : {nodes() / 2, nodes() - 1})
            if (n != 0) m_chooser->nearest(0, n);
    m_levels.assign(std::size_t{nodes()} * port.classes(), none);
    m_inner.start(*this);
}

void rails::send(const message& m) {
    const std::uint32_t port = m_chooser->choose(m);
    message out = m;
    out.source = m_numbers.at(m.source, port);
    out.destination = m_numbers.at(m.destination, port);
    m_port->send(out);
    if (level(m.source, m.message_class) != none) watch(out.source, m.message_class);
}

void rails::call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t most) {
    level(node, message_class) = most;
    for (std::uint32_t p = 0; p < m_numbers.ports(); ++p) watch(m_numbers.at(node, p), message_class);
}

/// Asks to be called when a port has fewer messages than now; at once if it has none.
void rails::watch(std::uint32_t in_network, std::uint32_t message_class) {
    const std::uint32_t queued = m_port->queued_of(in_network, message_class);
    m_port->call_when_queued(in_network, message_class, queued == 0 ? 0 : queued - 1);
}

void rails::queue_space(std::uint32_t in_network, std::uint32_t message_class) {
    const std::uint32_t node = m_numbers.node_of(in_network);
    std::uint32_t& most = level(node, message_class);
    if (most == none) return;
    if (queued_of(node, message_class) > most) {
        if (m_port->queued_of(in_network, message_class) != 0) watch(in_network, message_class);
        return;
    }
    most = none;
    m_inner.queue_space(node, message_class);
}

void rails::set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts) {
    for (std::uint32_t p = 0; p < m_numbers.ports(); ++p)
        m_port->set_accepting(m_numbers.at(node, p), message_class, accepts);
}

void rails::judged(const judged_sources& all) {
    judged_sources of_nodes;
    add_nodes(all.growing, m_numbers, of_nodes.growing);
    add_nodes(all.doubtful, m_numbers, of_nodes.doubtful);
    of_nodes.settled = all.settled;
    m_inner.judged(of_nodes);
}

generated_counts rails::share(const generated_counts& all, std::uint32_t in_network) const {
    const std::uint32_t port = m_numbers.port_of(in_network), ports = m_numbers.ports();
    const auto part = [&](std::uint64_t n) { return n / ports + (port < n % ports ? 1 : 0); };
    return {part(all.messages), part(all.flits)};
}

void rails::serialize(archive& a) {
    a(m_levels);
    if (m_chooser != nullptr) m_chooser->serialize(a);
    m_inner.serialize(a);
}

}  // namespace sare::traffic
