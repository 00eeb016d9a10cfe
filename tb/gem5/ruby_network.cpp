// SPDX-License-Identifier: Apache-2.0
#include "ruby_network.h"

#include "mem/ruby/network/BasicLink.hh"
#include "mem/ruby/network/BasicRouter.hh"
#include "mem/ruby/slicc_interface/AbstractController.hh"
#include "sim/core.hh"

#include <cmath>
#include <exception>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace sare::ruby {
namespace {

/// Reads an experiment. `period`: clock period in ticks, for an experiment that does not say its own.
experiment read_experiment(const std::string& file, gem5::Tick period) {
    config::value tree = config::load_yaml(file);
    if (tree.find("clock_period") == nullptr) {
        const double picoseconds = static_cast<double>(period) * 1e12 / gem5::sim_clock::Frequency;
        tree.set("clock_period", config::value::scalar(config::number_text(picoseconds) + "ps"));
    }
    const std::size_t slash = file.rfind('/');
    return experiment::read(tree, slash == std::string::npos ? "." : file.substr(0, slash));
}

gem5::Tick ticks_of(const experiment& e) {
    const double ticks = e.clock_seconds() * static_cast<double>(gem5::sim_clock::Frequency);
    if (ticks < 0.5 || std::abs(ticks - std::round(ticks)) > 1e-6)
        throw e.written.mistake("'clock_period' is " + config::number_text(ticks) +
                                " ticks of gem5; it must be a whole number");
    return static_cast<gem5::Tick>(std::llround(ticks));
}

}  // namespace

ruby_network::ruby_network(const Params& p)
    : Network(p),
      // Behind all that controllers do in a tick: what they send then goes into the cycle of that tick.
      m_step([this] { step(); }, name() + ".step", false, gem5::Event::Default_Pri + 1) {}

template <class F>
void ruby_network::guarded(F f) {
    std::string why;
    try {
        f();
        return;
    } catch (const std::exception& e) {
        why = e.what();
    }
    fatal("%s: %s", name(), why);
}

void ruby_network::init() {
    Network::init();
    guarded([this] { make_network(); });
    const std::vector<std::uint32_t> nodes = nodes_of_controllers();
    for (std::uint32_t c = 0; c < nodes.size(); ++c)
        m_ports.push_back(
            std::make_unique<controller_port>(*this, c, nodes[c], m_toNetQueues[c], m_fromNetQueues[c]));
}

void ruby_network::make_network() {
    const experiment e = read_experiment(params().experiment, clockPeriod());
    m_period = ticks_of(e);
    m_net = std::make_unique<stepped_network>(e, getNumberOfVirtualNetworks());
    if (const deadlock_report& r = m_net->check_deadlock(); !r.ok()) throw std::runtime_error(r.text);
    m_net->on_delivered([this](const delivery& d) { arrive(d); });
    m_net->on_lost([](const message& m, const std::string& cause) {
        throw std::runtime_error("Ruby waits for every message, and one from node " +
                                 std::to_string(m.source) + " to node " + std::to_string(m.destination) +
                                 " was lost: " + cause);
    });
}

std::vector<std::uint32_t> ruby_network::nodes_of_controllers() const {
    if (params().nodes.empty()) return nodes_by_router();
    std::vector<std::uint32_t> nodes(params().nodes.begin(), params().nodes.end());
    fatal_if(nodes.size() != m_nodes, "%s: 'nodes' has %d entries for %d controllers", name(), nodes.size(),
             m_nodes);
    std::vector<bool> taken(m_net->nodes());
    for (const std::uint32_t n : nodes) {
        fatal_if(n >= taken.size(), "%s: 'nodes' has node %d of %d", name(), n, taken.size());
        fatal_if(taken[n], "%s: 'nodes' has node %d twice", name(), n);
        taken[n] = true;
    }
    return nodes;
}

/// Gives controllers at a router of gem5's topology nodes at Sare's router of the same number, in their
/// order.
std::vector<std::uint32_t> ruby_network::nodes_by_router() const {
    std::vector<std::uint32_t> routers(m_nodes);
    for (const auto* link : params().ext_links) {
        const gem5::ruby::MachineID id = link->params().ext_node->getMachineID();
        const auto number =
            static_cast<gem5::ruby::NodeID>(MachineType_base_number(id.getType()) + id.getNum());
        routers[getLocalNodeID(number)] =
            static_cast<std::uint32_t>(link->params().int_node->params().router_id);
    }
    const topology& map = m_net->map();
    std::vector<std::deque<std::uint32_t>> at(map.routers());
    for (std::uint32_t n = 0; n < map.nodes(); ++n) at[map.router_of(node_id(n)).value].push_back(n);
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t r : routers) {
        fatal_if(r >= at.size() || at[r].empty(),
                 "%s: more controllers at router %d than the experiment has nodes there; give it more, or "
                 "say 'nodes'",
                 name(), r);
        nodes.push_back(at[r].front());
        at[r].pop_front();
    }
    return nodes;
}

void ruby_network::regStats() {
    Network::regStats();
    m_statistics.set_up(name(), getNumberOfVirtualNetworks());
}

void ruby_network::collateStats() {
    std::uint64_t held = 0;
    for (const auto& p : m_ports) held += p->held_back();
    m_statistics.flits_held_back = static_cast<double>(held);
    m_statistics.packets_in_flight = static_cast<double>(m_flights.size() - m_free_tags.size());
}

void ruby_network::print(std::ostream& out) const {
    out << "[SareNetwork " << params().experiment << ": " << m_flights.size() - m_free_tags.size()
        << " packets under way";
    for (const auto& p : m_ports)
        if (const std::uint64_t flits = p->held_back(); flits != 0)
            out << ", controller " << p->number() << " holds back " << flits << " flits";
    out << ']';
}

bool ruby_network::functionalRead(gem5::Packet* p) {
    for (const flight& f : m_flights)
        if (f.what && f.what->functionalRead(p)) return true;
    return false;
}

bool ruby_network::functionalRead(gem5::Packet* p, gem5::ruby::WriteMask& mask) {
    bool found = false;
    for (const flight& f : m_flights) found |= f.what && f.what->functionalRead(p, mask);
    return found;
}

std::uint32_t ruby_network::functionalWrite(gem5::Packet* p) {
    std::uint32_t written = 0;
    for (const flight& f : m_flights) written += f.what && f.what->functionalWrite(p) ? 1 : 0;
    return written;
}

void ruby_network::advance(cycle_t end) {
    // The cycle of this tick may have been run, as may the ones before.
    fatal_if(end + 1 < now(),
             "%s: time went back, as when Ruby warms up caches from a checkpoint: not supported", name());
    guarded([&] { m_net->advance(end); });
}

void ruby_network::catch_up() {
    advance((gem5::curTick() + m_period - 1) / m_period);
}

void ruby_network::step_at(cycle_t c) {
    const gem5::Tick when = std::max<gem5::Tick>(c * m_period, gem5::curTick());
    if (!m_step.scheduled() || when < m_step.when()) reschedule(m_step, when, true);
}

void ruby_network::step() {
    advance(gem5::curTick() / m_period + 1);
    for (controller_port* p : std::exchange(m_again, {})) p->send_again();
    if (const cycle_t next = m_net->next_event(); next != workload::never) step_at(next);
}

bool ruby_network::has_room(std::uint32_t node, std::uint32_t vnet) {
    return m_net->engine().counters().waiting_of(node, vnet).messages < params().source_queue;
}

ruby_network::flow& ruby_network::flow_of(const flight& f) {
    return m_flows[(std::uint64_t{f.vnet} * m_nodes + f.source) * m_nodes + f.destination];
}

cycle_t ruby_network::launch(const controller_port& from, std::uint32_t vnet, const gem5::ruby::MsgPtr& what,
                             gem5::ruby::NodeID to) {
    message m;
    m.bytes = MessageSizeType_to_int(what->getMessageSize());
    m.flits = m_net->flits_for(m.bytes);
    m.message_class = vnet;
    if (m_free_tags.empty()) {
        m_free_tags.push_back(m_flights.size());
        m_flights.emplace_back();
    }
    m.tag = m_free_tags.back();
    m_free_tags.pop_back();
    flight& f = m_flights[m.tag];
    f = {what, from.number(), getLocalNodeID(to), vnet, m.flits};
    if (m_ordered[vnet]) f.number = flow_of(f).sent++;
    m.source = from.node();
    m.destination = m_ports[f.destination]->node();
    guarded([&] { m_net->send(m, now()); });
    m_statistics.packets_injected[vnet]++;
    m_statistics.flits_injected[vnet] += m.flits;
    step_at(now());
    return now();
}

void ruby_network::arrive(const delivery& d) {
    flight& f = m_flights[d.what.tag];
    f.injected = d.injected;
    f.consumed = d.consumed;
    controller_port& port = *m_ports[f.destination];
    if (!m_ordered[f.vnet]) return port.deliver(f.vnet, d.what.tag);
    // Messages of a class overtake each other by other VCs or ways; here they wait for their predecessors.
    const std::uint32_t vnet = f.vnet;
    flow& w = flow_of(f);
    w.early.emplace(f.number, d.what.tag);
    for (auto first = w.early.begin(); first != w.early.end() && first->first == w.landed; ++w.landed) {
        port.deliver(vnet, first->second);
        first = w.early.erase(first);
    }
}

gem5::ruby::MsgPtr ruby_network::land(std::uint64_t tag) {
    const flight f = std::exchange(m_flights[tag], {});
    m_free_tags.push_back(tag);
    const gem5::Tick inside = (f.consumed - f.injected) * m_period;
    m_statistics.packets_received[f.vnet]++;
    m_statistics.flits_received[f.vnet] += f.flits;
    m_statistics.packet_network_latency[f.vnet] += inside;
    m_statistics.packet_queueing_latency[f.vnet] += gem5::curTick() - f.what->getTime() - inside;
    return f.what;
}

void ruby_network::set_accepting(std::uint32_t node, std::uint32_t vnet, bool accepts) {
    guarded([&] { m_net->set_accepting(node, vnet, accepts); });
    if (accepts) step_at(now());
}

}  // namespace sare::ruby
