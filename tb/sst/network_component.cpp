// SPDX-License-Identifier: Apache-2.0
#include "tb/sst/network_component.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace sare::sst {
namespace {

std::string folder_of(const std::string& file) {
    const std::size_t slash = file.rfind('/');
    return slash == std::string::npos ? "." : file.substr(0, slash);
}

/// Reads an experiment with its changes ("path=value; path=value").
experiment read(const std::string& text, const std::string& file, const std::string& changes) {
    config::value tree = config::parse_document(text, file);
    std::istringstream all(changes);
    for (std::string change; std::getline(all, change, ';');) {
        change.erase(0, change.find_first_not_of(" \n"));
        const std::size_t equals = change.find('=');
        if (equals == std::string::npos) throw std::runtime_error("set: '" + change + "' is not path=value");
        const std::string path = change.substr(0, equals);
        tree.set_path(path, config::parse_yaml(change.substr(equals + 1), "set " + path));
    }
    return experiment::read(tree, folder_of(file));
}

/// Returns the cycles that the slowest link takes for a flit.
cycle_t slowest_link(const topology& map) {
    cycle_t most = 0;
    for (std::uint32_t r = 0; r < map.routers(); ++r) {
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) {
            const link_attributes a = map.link(router_id(r), port_id(p));
            most = std::max<cycle_t>(most, a.clock.cycles_of(a.latency + a.cycles_per_flit + a.wake));
        }
    }
    return most;
}

}  // namespace

network_component::network_component(SST::ComponentId_t id, SST::Params& params)
    : Component(id),
      m_file(params.find<std::string>("experiment", "")),
      m_changes(params.find<std::string>("set", "")) {
    const int vns = params.find<int>("vns", 1);
    if (vns < 1) fail("vns is " + std::to_string(vns) + "; it must be 1 or more");
    m_vns = static_cast<std::uint32_t>(vns);
    m_is_ordered = params.find<bool>("ordered", true);
    std::ifstream in(m_file);
    if (!in) fail("experiment: there is no file '" + m_file + "'");
    m_text = (std::ostringstream() << in.rdbuf()).str();
    try {
        build();
    } catch (const std::exception& e) {
        fail(e.what());
    }
    m_links.resize(m_net->nodes());
    m_jobs.assign(m_net->nodes(), -1);
    m_ejections.resize(std::size_t{m_net->nodes()} * m_vns);
    for (std::uint32_t node = 0; node < m_net->nodes(); ++node) {
        using handler = SST::Event::Handler<network_component, &network_component::handle, int>;
        const std::string port = "node" + std::to_string(node);
        if (isPortConnected(port))
            m_links[node] = configureLink(port, new handler(this, static_cast<int>(node)));
    }
    if (const std::string next = "node" + std::to_string(m_net->nodes()); isPortConnected(next))
        fail("port " + next + " is linked, and the network has " + std::to_string(m_net->nodes()) + " nodes");
    m_clock = configureSelfLink("clock", getCoreTimeBase().toString(),
                                new SST::Event::Handler<network_component, &network_component::wake>(this));
    m_messages = registerStatistic<std::uint64_t>("messages");
    m_flits = registerStatistic<std::uint64_t>("flits");
    m_early = registerStatistic<std::uint64_t>("early");
    m_refusals = registerStatistic<std::uint64_t>("refusals");
}

network_component::~network_component() {
    for (const auto& [tag, p] : m_flights) delete p;
    for (const auto& [key, s] : m_streams)
        for (const auto& [number, p] : s.early) delete p;
}

/// Builds the network. Throws for what does not fit together.
void network_component::build() {
    const experiment e = read(m_text, m_file, m_changes);
    const double ticks = e.clock_seconds() / getCoreTimeBase().getDoubleValue();
    m_period = static_cast<std::uint64_t>(std::llround(ticks));
    if (m_period == 0 || std::abs(ticks - static_cast<double>(m_period)) > 1e-6 * ticks)
        throw std::runtime_error("clock_period is " + e.clock_period +
                                 ", not a whole number of SST's time base, " +
                                 getCoreTimeBase().toStringBestSI() + "; start sst with another --timebase");
    m_bits_per_s = static_cast<std::uint64_t>(std::llround(e.nic.flit_bytes * 8 / e.clock_seconds()));
    m_net = std::make_unique<stepped_network>(e, m_vns);
    if (const deadlock_report& r = m_net->check_deadlock(); !r.ok() && e.checks.deadlock && !e.checks.force)
        throw std::runtime_error(r.text);
    m_patience = e.measurement.watchdog + slowest_link(m_net->map());
    m_net->on_delivered([this](const delivery& d) { arrive(d.what); });
    m_net->on_injected([this](const message& m) {
        m_links[m.source]->send(
            new room_event(static_cast<int>(m.message_class), static_cast<std::int64_t>(m.bytes)));
    });
    m_net->on_lost([this](const message& m, const std::string& cause) {
        fail("SST's endpoints wait for every request, and one from node " + std::to_string(m.source) +
             " to node " + std::to_string(m.destination) + " was lost: " + cause);
    });
}

void network_component::init(unsigned) {
    receive_untimed();
}

void network_component::complete(unsigned) {
    receive_untimed();
}

void network_component::receive_untimed() {
    for (std::uint32_t node = 0; node < m_links.size(); ++node) {
        while (SST::Event* e = m_links[node] == nullptr ? nullptr : m_links[node]->recvUntimedData()) {
            if (auto* packet = dynamic_cast<packet_event*>(e)) {
                pass_untimed(node, packet);
            } else if (const auto* hello = dynamic_cast<greeting_event*>(e)) {
                meet(node, *hello);
                delete e;
            } else {
                fail("what is linked to port node" + std::to_string(node) +
                     " does not speak as a sare.endpoint does");
            }
        }
    }
}

void network_component::meet(std::uint32_t node, const greeting_event& hello) {
    const std::string here = "the endpoint of node " + std::to_string(node);
    if (hello.vns > static_cast<int>(m_vns))
        fail(here + " uses " + std::to_string(hello.vns) +
             " virtual networks; set vns of this component, which is " + std::to_string(m_vns));
    m_is_limited |= hello.input_bytes != 0;
    for (std::uint32_t vn = 0; vn < m_vns; ++vn)
        ejection_of(node, vn).room =
            hello.input_bytes != 0 ? hello.input_bytes : std::numeric_limits<std::int64_t>::max() / 2;
    m_jobs[node] = hello.job;
    if (hello.job >= 0 && !m_nodes_of_jobs.emplace(std::make_pair(hello.job, hello.number), node).second)
        fail(here + " has number " + std::to_string(hello.number) + " in job " + std::to_string(hello.job) +
             ", as another one has");
    auto* welcome = new greeting_event;
    welcome->number = node;
    welcome->bits_per_s = m_bits_per_s;
    m_links[node]->sendUntimedData(welcome);
}

/// Passes on what an endpoint sends before or after time: to one node, or to all others.
void network_component::pass_untimed(std::uint32_t node, packet_event* packet) {
    if (packet->request().dest != simple_network::INIT_BROADCAST_ADDR)
        return m_links[node_of(node, packet->request().dest)]->sendUntimedData(packet);
    for (std::uint32_t other = 0; other < m_links.size(); ++other)
        if (other != node && m_links[other] != nullptr) m_links[other]->sendUntimedData(packet->clone());
    delete packet;
}

/// Returns the node that an endpoint calls by a number, which must have an endpoint.
std::uint32_t network_component::node_of(std::uint32_t source, std::int64_t number) const {
    const int job = m_jobs[source];
    std::int64_t node = number;
    if (job >= 0) {
        const auto its = m_nodes_of_jobs.find({job, number});
        node = its == m_nodes_of_jobs.end() ? -1 : its->second;
    }
    if (node < 0 || node >= static_cast<std::int64_t>(m_links.size()) || m_links[node] == nullptr)
        fail("a request from node " + std::to_string(source) + " is for " + std::to_string(number) +
             (job >= 0 ? " of job " + std::to_string(job) : "") + ", where there is no endpoint");
    return static_cast<std::uint32_t>(node);
}

void network_component::setup() {
    if (!m_is_limited) return;
    try {
        m_net->set_accepting(0, 0, true);
    } catch (const std::logic_error& e) {
        fail(std::string(e.what()) + "; set input_buf_size of the endpoints to 0B");
    }
}

void network_component::handle(SST::Event* e, int port) {
    const auto node = static_cast<std::uint32_t>(port);
    run();
    if (auto* packet = dynamic_cast<packet_event*>(e)) {
        send(node, packet);
    } else if (const auto* room = dynamic_cast<room_event*>(e)) {
        const auto vn = static_cast<std::uint32_t>(room->vn);
        ejection& its = ejection_of(node, vn);
        its.room += room->bytes;
        if (its.refuses && its.room > 0) refuse(node, vn, false);
        delete e;
    }
    m_looked_at = m_net->now();
    sleep();
}

void network_component::wake(SST::Event* e) {
    delete e;
    if (getCurrentSimCycle() == m_wake_at) m_wake_at = no_time;
    run();
    sleep();
}

/// Runs all cycles that have begun.
void network_component::run() {
    m_net->advance(getCurrentSimCycle() / m_period + 1);
}

/// Sees to it that wake() comes when the next cycle that has to be run begins.
void network_component::sleep() {
    const cycle_t next = m_net->next_event();
    if (next == workload::never || next * m_period >= m_wake_at || stands_still()) return;
    m_wake_at = next * m_period;
    m_clock->send(m_wake_at - getCurrentSimCycle(), nullptr);
}

/// True if nothing has moved for so long that nothing will, before an endpoint does something. SST's time
/// ends then where no other component has events.
bool network_component::stands_still() {
    if (m_net->now() - m_looked_at < m_patience) return false;
    const counted_network& net = m_net->engine().counters();
    const std::uint64_t before =
        std::exchange(m_moves, net.flits_injected() + net.flits_consumed() + net.flits_sent());
    m_looked_at = m_net->now();
    return m_moves == before && net.flits_inside() != 0 && m_net->engine().has_contention();
}

void network_component::send(std::uint32_t node, packet_event* packet) {
    message m;
    m.source = node;
    m.destination = node_of(node, packet->request().dest);
    m.message_class = static_cast<std::uint32_t>(packet->request().vn);
    m.bytes = static_cast<std::uint64_t>(bytes_of(packet->request()));
    m.flits = std::max(1U, m_net->flits_for(m.bytes));
    m.tag = m_next_tag++;
    m_flights.emplace(m.tag, packet);
    if (m_is_ordered) packet->number = stream_of(m).sent++;
    m_net->send(m, m_net->now());
}

void network_component::arrive(const message& m) {
    m_messages->addData(1);
    m_flits->addData(m.flits);
    packet_event* const packet = m_flights.extract(m.tag).mapped();
    if (!m_is_ordered) return deliver(m, packet);
    stream& its = stream_of(m);
    if (packet->number != its.delivered) {
        m_early->addData(1);
        its.early.emplace(packet->number, packet);
        return;
    }
    deliver(m, packet);
    for (++its.delivered; !its.early.empty() && its.early.begin()->first == its.delivered; ++its.delivered) {
        deliver(m, its.early.begin()->second);
        its.early.erase(its.early.begin());
    }
}

/// Gives a packet of the source, destination and virtual network of `m` to its endpoint.
void network_component::deliver(const message& m, packet_event* packet) {
    ejection& its = ejection_of(m.destination, m.message_class);
    its.room -= bytes_of(packet->request());
    if (its.room <= 0 && !its.refuses) refuse(m.destination, m.message_class, true);
    m_links[m.destination]->send(packet);
}

void network_component::refuse(std::uint32_t node, std::uint32_t vn, bool refuses) {
    ejection_of(node, vn).refuses = refuses;
    m_net->set_accepting(node, vn, !refuses);
    if (refuses) m_refusals->addData(1);
}

void network_component::finish() {
    if (m_net->open() == 0) return;
    getSimulationOutput().output("%s: %llu messages were still under way at the end: %s\n", getName().c_str(),
                                 static_cast<unsigned long long>(m_net->open()),
                                 m_net->engine().describe_standstill().c_str());
}

void network_component::serialize_order(serializer& ser) {
    Component::serialize_order(ser);
    serialize_all(ser, m_file, m_text, m_changes, m_vns, m_wake_at, m_looked_at, m_moves, m_clock, m_links,
                  m_jobs, m_ejections, m_is_limited, m_nodes_of_jobs, m_flights, m_next_tag, m_is_ordered,
                  m_streams, m_messages, m_flits, m_early, m_refusals);
    std::ostringstream state;
    if (m_net != nullptr) m_net->save(state);
    std::string text = state.str();
    serialize_all(ser, text);
    if (ser.mode() != serializer::UNPACK) return;
    try {
        build();
        std::istringstream from(text);
        m_net->restore(from);
    } catch (const std::exception& e) {
        fail(e.what());
    }
}

}  // namespace sare::sst
