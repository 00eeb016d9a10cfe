// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/run/network_port.h"

#include "tlm/api/message_check.h"
#include "tlm/fabric/checks.h"
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/fabric/network_state.h"

#include <fmt/format.h>

#include <stdexcept>

namespace sare {
namespace {

/// Throws std::out_of_range. Not inlined, so that send() needs no stack.
[[noreturn]] __attribute__((noinline)) void refuse_message(const network_port& port, const message& m) {
    throw std::out_of_range("a message " + port.wrong_with(m));
}

}  // namespace

std::uint32_t network_port::nodes() const {
    return m_net.nodes();
}

bool network_port::is_here(std::uint32_t node) const {
    return m_net.remote == nullptr || m_net.has_node(checked_number("node", node, m_net.nodes()));
}

std::uint32_t network_port::classes() const {
    return m_net.classes();
}

std::uint64_t network_port::seed() const {
    return m_net.seed();
}

cycle_t network_port::now() const {
    return m_net.now();
}

cycle_t network_port::first_cycle() const {
    return m_net.traffic.first_cycle;
}

double network_port::cycle_seconds() const {
    return m_net.traffic.cycle_seconds;
}

const std::vector<std::uint32_t>& network_port::dims() const {
    return m_net.traffic.dims;
}

const topology* network_port::map() const {
    return m_net.map();
}

std::uint32_t network_port::router_of(std::uint32_t node) const {
    return m_net.map() == nullptr ? node : m_net.router_of(checked_number("node", node, m_net.nodes()));
}

const place_names* network_port::names() const {
    return m_net.map() == nullptr ? nullptr : &m_net.map()->names();
}

const multicast_table* network_port::multicast() const {
    return m_net.modes.conserves_packets || m_net.routing() == nullptr ? nullptr : m_net.routing()->groups();
}

std::uint32_t network_port::flits_for(std::uint64_t bytes) const {
    return m_net.nics.flits_for(bytes);
}
std::uint32_t network_port::padded(std::uint32_t flits) const {
    return m_net.nics.padded(flits);
}

network_port::network_port(network_state& net) : m_net(net), m_direct(net.sending) {}

/// True if the numbers of a message are in range, in a network that takes messages directly.
inline bool network_port::takes_at_once(const message& m) const {
    return m.source < m_direct.nodes && m.destination < m_direct.nodes &&
           m.message_class < m_direct.classes && m.flits != 0;
}

bool network_port::takes(const message& m) const {
    return m_direct.to != nullptr ? takes_at_once(m) : wrong_with(m).empty();
}

void network_port::send(const message& m) {
    if (__builtin_expect(m_direct.to == nullptr, 0)) return send_with_hazards(m);
    if (__builtin_expect(!takes_at_once(m), 0)) refuse_message(*this, m);
    m_direct.to->send(m.source, m);
}

/// Sends in a network with hazards or several parts. A message that cannot arrive is lost at its source; the
/// workload is told in the next cycle.
void network_port::send_with_hazards(const message& m) {
    checked_node(m_net, m.source);
    if (const std::string wrong = wrong_with(m); !wrong.empty())
        throw std::out_of_range("a message " + wrong);
    if (m_net.hazards == nullptr || !m_net.hazards->failures ||
        m_net.hazards->failures->reaches(m.source, m.destination))
        return put_in_queue(m);
    m_net.changes.count_unsent(m, m.flits);
    m_net.lose(m_net.nics.at(m.source).its.refuse(m), m.flits, loss::unreachable);
}

void network_port::put_in_queue(const message& m) {
    const auto [its, n] = m_net.nics.at(m.source);
    const std::uint32_t id = its.send(n, m);
    if (m_net.remote != nullptr) m_net.remote->name(m_net.messages()[id]);
}

std::string network_port::wrong_with(const message& m) const {
    std::string wrong = sare::wrong_with(m, nodes(), classes());
    if (wrong.empty() && !is_here(m.source))
        wrong = fmt::format("from node {}, which another process has", m.source);
    return wrong;
}

std::uint32_t network_port::queued(std::uint32_t node) const {
    return m_net.nics[checked_node(m_net, node)].queued;
}

std::uint32_t network_port::queued_of(std::uint32_t node, std::uint32_t message_class) const {
    const auto [its, n] = m_net.nics.at(checked_queue(m_net, node, message_class));
    return its.queued(n, message_class);
}

void network_port::call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) {
    const auto [its, n] = m_net.nics.at(checked_queue(m_net, node, message_class));
    its.call_when_queued(n, message_class, level);
}

void network_port::set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts) {
    const auto [its, n] = m_net.nics.at(checked_queue(m_net, node, message_class));
    if (m_net.modes.owners || its.is_taken_over(n))
        throw std::logic_error(fmt::format(
            "node {} cannot refuse what arrives: its router, or a block of one's own, consumes it", node));
    if (m_net.hazards != nullptr)
        throw std::logic_error("a node cannot refuse what arrives in a network whose links fail or err");
    m_net.modes.refusals = true;
    its.set_accepting(n, message_class, accepts);
}

std::uint32_t network_port::held_back(std::uint32_t node, std::uint32_t message_class) const {
    const auto [its, n] = m_net.nics.at(checked_queue(m_net, node, message_class));
    return its.held_back(n, message_class);
}

}  // namespace sare
