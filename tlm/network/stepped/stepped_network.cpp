// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/stepped/stepped_network.h"

#include "tlm/analytic/contention_free.h"
#include "tlm/analytic/node_link_network.h"
#include "tlm/api/clients/traffic_client.h"
#include "tlm/api/clients/workload_group.h"
#include "tlm/api/message_check.h"
#include "tlm/network/stepped/fabric_engine.h"
#include "tlm/state/checkpoint.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace sare {
namespace {

void refuse_what_runs(const experiment& e) {
    const std::string here = ", which a stepped network makes nothing of; leave it out";
    if (e.nic.retransmission != retransmission::none)
        throw e.written.mistake("'nic.retransmission' is go_back_n" + here);
    if (const auto [section, at] = e.sections.of_runs(); !section.empty())
        throw config::error(at, "there is a section '" + section + "'" + here);
}

}  // namespace

struct stepped_network::inside {
    inside(const experiment& e, std::uint32_t count)
        : map(e.make_map()), classes(count), seconds(e.clock_seconds()), structure(e.structure()) {
        refuse_what_runs(e);
        if (e.fidelity == fidelity::flit) {
            auto made = std::make_unique<fabric_engine>(e, map, classes);
            flits = made.get();
            engine = std::move(made);
        } else if (e.fidelity == fidelity::node_links) {
            engine = std::make_unique<node_link_network>(*map, e.nic, seconds, classes);
        } else {
            engine = std::make_unique<contention_free>(*map, e.nic, seconds, classes,
                                                       e.fidelity == fidelity::crossbar);
        }
        engine->set_seed(e.seed);
        traffic.add("client", client);
        engine->set_workload(traffic, false);
    }

    std::shared_ptr<const topology> map;
    const std::uint32_t classes;
    const double seconds;
    const std::string structure;
    workload_group traffic;
    traffic_client client;
    std::unique_ptr<network_engine> engine;
    fabric_engine* flits = nullptr;  ///< `engine`, if it is at flit level
    cycle_t next = 0;                ///< first cycle that has not been run
    std::unique_ptr<deadlock_report> deadlock;

    void serialize(archive& a) {
        a(next);
        engine->serialize(a);
    }
};

stepped_network::stepped_network(const experiment& e, std::uint32_t classes)
    : m_inside(std::make_unique<inside>(e, classes)) {}
stepped_network::~stepped_network() = default;

const topology& stepped_network::map() const {
    return *m_inside->map;
}

std::uint32_t stepped_network::nodes() const {
    return m_inside->map->nodes();
}

std::uint32_t stepped_network::classes() const {
    return m_inside->classes;
}

network_engine& stepped_network::engine() {
    return *m_inside->engine;
}

const deadlock_report& stepped_network::check_deadlock() {
    if (m_inside->deadlock) return *m_inside->deadlock;
    m_inside->deadlock = std::make_unique<deadlock_report>();
    if (m_inside->flits == nullptr) {
        m_inside->deadlock->result = deadlock_report::verdict::by_design;
        m_inside->deadlock->text = "not needed: " + m_inside->engine->describe_standstill();
    } else {
        *m_inside->deadlock = m_inside->flits->blueprint().check_deadlock(m_inside->flits->failures());
    }
    return *m_inside->deadlock;
}

void stepped_network::send(const message& m, cycle_t at) {
    check_message(m, nodes(), classes());
    if (at < m_inside->next)
        throw std::invalid_argument(
            fmt::format("a message in cycle {}, and cycle {} has been run", at, m_inside->next - 1));
    m_inside->client.send(m, at);
}

void stepped_network::on_delivered(function<void(const delivery&)> f) {
    m_inside->client.on_delivered(std::move(f));
}

void stepped_network::on_lost(function<void(const message&, const std::string&)> f) {
    m_inside->client.on_lost(std::move(f));
}

void stepped_network::add(const std::string& name, workload& w) {
    const auto refuse = [&](const std::string& needs, std::uint32_t has) {
        throw std::invalid_argument(
            fmt::format("workload '{}' needs {}, and the network has {}", name, needs, has));
    };
    if (w.nodes_needed() > nodes()) refuse(fmt::format("{} nodes", w.nodes_needed()), nodes());
    if (w.classes_needed() > classes())
        refuse(fmt::format("{} message classes", w.classes_needed()), classes());
    m_inside->traffic.add(name, w, m_inside->next);
}

void stepped_network::on_injected(function<void(const message&)> f) {
    m_inside->client.on_injected(std::move(f));
}

void stepped_network::set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts) {
    m_inside->client.port()->set_accepting(node, message_class, accepts);
}

std::uint32_t stepped_network::held_back(std::uint32_t node, std::uint32_t message_class) const {
    return m_inside->client.port()->held_back(node, message_class);
}

std::uint64_t stepped_network::open() const {
    return m_inside->client.open();
}

std::uint32_t stepped_network::flits_for(std::uint64_t bytes) const {
    return m_inside->client.port()->flits_for(bytes);
}

cycle_t stepped_network::now() const {
    return m_inside->next;
}

cycle_t stepped_network::next_event() const {
    const cycle_t mine = m_inside->traffic.next_tick();
    if (m_inside->next == 0) return mine;  // the network is empty
    return std::max(std::min(mine, m_inside->engine->next_work(m_inside->next - 1)), m_inside->next);
}

void stepped_network::advance(cycle_t end) {
    if (end <= m_inside->next) return;
    const cycle_t first = m_inside->next;
    // A function that is called from here may send in the present cycle.
    for (cycle_t t = std::max(next_event(), first); t < end; t = next_event()) {
        m_inside->next = t;
        m_inside->engine->run_until(t + 1);
        m_inside->next = t + 1;
    }
    m_inside->engine->run_until(end);
    m_inside->next = end;
}

cycle_t stepped_network::cycle_at(double ns) const {
    const double cycles = ns * 1e-9 / m_inside->seconds;
    const double whole = std::round(cycles);
    const bool exact = std::abs(cycles - whole) <= 1e-9 * std::max(1.0, whole);
    return static_cast<cycle_t>(std::max(exact ? whole : std::ceil(cycles), 0.0));
}

double stepped_network::ns_of(cycle_t c) const {
    return static_cast<double>(c) * m_inside->seconds * 1e9;
}

void stepped_network::save(std::ostream& to) {
    write_checkpoint(to, {m_inside->structure, "", m_inside->next},
                     [this](archive& a) { m_inside->serialize(a); });
}

void stepped_network::restore(std::istream& from) {
    if (m_inside->next != 0) throw state_error("can be read only by a network that has run no cycle");
    checkpoint c(from);
    if (c.info().config != m_inside->structure) throw state_error("is of another network");
    c.restore([this](archive& a) { m_inside->serialize(a); });
}

}  // namespace sare
