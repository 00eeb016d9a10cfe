// SPDX-License-Identifier: Apache-2.0
#include "traffic/protocol/protocol_workload.h"

#include "traffic/protocol/dependencies.h"

#include <fmt/format.h>

#include <algorithm>

/// The transactions: how they begin, what is sent when a message has been handled, and how they end.
namespace sare::traffic {
namespace {

const config::registration<workload, const workload_context&> registered{
    "protocol",
    "Transactions of a protocol, such as cache coherence: messages that trigger messages (closed loop).",
    protocol_parameters::fields(), config::made<protocol_workload>};

}  // namespace

protocol_workload::protocol_workload(const protocol_parameters& p, const config::value& section,
                                     const workload_context& c)
    : m(p),
      m_at(section.where()),
      m_context(c),
      m_machine(p.machine(section)),
      m_sharers(make_length(p.sharers, {c.folder})),
      m_think(p.think.type() == config::value::kind::null ? nullptr : make_gaps(p.think, c.folder)),
      m_of_message(m_machine.messages.size()),
      m_of_transaction(m_machine.transactions.size()) {
    for (const message_kind& k : m_machine.messages)
        m_lengths.push_back(make_length(k.length, {c.folder, c.flit_bytes}));
}

std::uint32_t protocol_workload::largest_message() const {
    std::uint32_t most = 1;
    for (const auto& law : m_lengths) most = std::max(most, law->largest());
    return most;
}

std::uint32_t protocol_workload::nodes_needed() const {
    const auto& all = m_machine.transactions;
    const bool shared =
        std::any_of(all.begin(), all.end(), [](const auto& t) { return t.has(role::sharers); });
    return shared ? m_sharers->largest() + 1 : 1;
}

std::string protocol_workload::endpoint_cycle(bool apart) const {
    if (m.buffer == 0) return "";
    std::uint64_t requesters = 0;
    for (std::uint32_t n = 0; n < m_context.nodes; ++n) requesters += m.requesters.contains(n);
    const endpoint_room room{m.buffer, requesters * m.outstanding, m_sharers->largest()};
    const std::string cycle = cycle_of_classes(m_machine, room, apart);
    if (cycle.empty()) return "";
    return "messages may wait for each other at the nodes for ever: " + cycle +
           (apart ? "; give them classes that do not wait for each other"
                  : "; all classes share places here") +
           ", or nodes that hold any number ('buffer: 0')";
}

void protocol_workload::start(traffic_port& port) {
    if (const std::string cycle = m_permitted ? "" : endpoint_cycle(true); !cycle.empty())
        throw config::error(m_at, cycle);
    m_port = &port;
    for (auto& law : m_lengths) law = padded(std::move(law), port.padded(1));
    const pattern_context around{port.nodes(), port.dims(), port.seed(), m_context.folder, port.names()};
    const auto& patterns = pattern_registry::instance();
    m_home = patterns.make(m.home, around);
    m_owner = patterns.make(m.owner, around);
    m_memory = patterns.make(m.memory, around);
    if (!m.requesters.all && (m.requesters.empty() || m.requesters.last() >= port.nodes()))
        throw config::error(m.requesters.at,
                            fmt::format("'requesters' must be nodes, 0 to {}", port.nodes() - 1));
    try {
        if (m.buffer != 0) port.set_accepting(0, 0, true);
    } catch (const std::logic_error& why) {
        throw config::error(
            m_at, std::string("workload 'protocol': ") + why.what() + "; with 'buffer: 0' none does");
    }
    m_requesters.resize(port.nodes());
    m_endpoints.resize(std::size_t{port.nodes()} * m_machine.classes);
    for (std::uint32_t n = 0; n < port.nodes(); ++n) {
        requester& r = m_requesters[n];
        r.choices = rng(port.seed(), stream::packet, n);
        r.thinking = rng(port.seed(), stream::arrival, n);
        if (!m.requesters.contains(n) || m_home->silent(n) || m_owner->silent(n)) continue;
        r.left = m.count == 0 ? never : m.count;
        m_to_end = m_all += m.count;
        for (std::uint32_t k = 0; k < m.outstanding; ++k) think(n, port.first_cycle());
    }
}

/// Lets a requester begin its next transaction after a time.
void protocol_workload::think(std::uint32_t node, cycle_t from) {
    requester& r = m_requesters[node];
    if (r.left == 0) return;
    if (m.count != 0) --r.left;
    const double gap = m_think == nullptr ? 0 : std::min(m_think->draw(r.thinking), 0x1p62);
    m_agenda.push({from + static_cast<cycle_t>(gap + 0.5), event::kind::begins, node});
}

std::uint32_t protocol_workload::draw_kind(rng& random) const {
    const auto& all = m_machine.transactions;
    double left = 0;
    for (const transaction_kind& t : all) left += t.weight;
    left *= random.uniform();
    std::uint32_t k = 0;
    while (k + 1 < all.size() && left >= all[k].weight) left -= all[k++].weight;
    return k;
}

/// Draws the sharers of a transaction. One that is drawn again gives way to the next node.
void protocol_workload::draw_sharers(open_transaction& t) {
    rng& random = m_requesters[t.requester].choices;
    const auto is_taken = [&t](std::uint32_t n) {
        return n == t.requester || std::find(t.sharers.begin(), t.sharers.end(), n) != t.sharers.end();
    };
    for (std::uint32_t k = m_sharers->next(random); k > 0; --k) {
        std::uint32_t n = m_owner->destination(t.requester, random);
        while (is_taken(n)) n = (n + 1) % m_port->nodes();
        t.sharers.push_back(n);
    }
}

void protocol_workload::begin(std::uint32_t node) {
    const std::uint32_t slot = m_open.take();
    open_transaction& t = m_open[slot] = {};
    rng& random = m_requesters[node].choices;
    t.kind = draw_kind(random);
    const transaction_kind& k = kind_of(t);
    t.requester = node;
    t.begun = m_port->now();
    t.home = m_home->destination(node, random);
    if (k.has(role::owner)) t.owner = m_owner->destination(node, random);
    t.memory = t.home;
    if (k.has(role::memory) && !m_memory->silent(t.home)) t.memory = m_memory->destination(t.home, random);
    if (k.has(role::sharers)) draw_sharers(t);
    t.handled.assign(k.steps.size(), 0);
    for (const protocol_step& s : k.steps) {
        const std::uint32_t messages = messages_of(s, t.sharers.size());
        t.left += messages;
        if (s.to == role::requester) t.to_requester += messages, t.at_requester += messages;
        if (s.from == role::requester) t.at_requester += messages;
    }
    ++m_of_transaction[t.kind].begun;
    std::vector<outgoing> first;
    make({slot, 0}, first);
    make_ready(node, first);
}

std::vector<std::uint32_t> protocol_workload::open_transaction::nodes(role r) const {
    if (r == role::sharers) return sharers;
    return {r == role::requester ? requester : r == role::home ? home : r == role::owner ? owner : memory};
}

bool protocol_workload::is_triggered(const open_transaction& t, std::uint32_t s) const {
    const auto& steps = kind_of(t).steps;
    if (steps[s].from == role::sharers) return true;
    return std::all_of(steps[s].on.begin(), steps[s].on.end(), [&](std::uint32_t cause) {
        return t.handled[cause] == messages_of(steps[cause], t.sharers.size());
    });
}

/// Makes the message of a step, or one to each sharer.
void protocol_workload::make(const step_of& s, std::vector<outgoing>& out) {
    open_transaction& t = m_open[s.transaction];
    for (const std::uint32_t to : t.nodes(step(s).to)) {
        ++t.under_way;
        out.push_back({s, to, m_port->now()});
    }
}

/// Lets messages wait to leave, for which their transaction has a place at its requester.
void protocol_workload::make_ready(std::uint32_t node, const std::vector<outgoing>& all) {
    for (const outgoing& o : all) at(node, message_of(o.what).message_class).ready.push_back(o);
    m_changed.insert(node);
}

/// Notes that a message has been handled, and makes those that it triggers.
void protocol_workload::handle(const step_of& s, std::vector<outgoing>& out) {
    open_transaction& t = m_open[s.transaction];
    ++t.handled[s.step];
    --t.under_way;
    --t.left;
    if (step(s).to == role::requester) {
        --t.at_requester;
        if (--t.to_requester == 0 && !t.lost) {
            counts& c = m_of_transaction[t.kind];
            ++c.ended;
            if (m_measures) c.latencies.record(m_port->now() - t.begun);
        }
    }
    const auto& steps = kind_of(t).steps;
    for (std::uint32_t k = s.step + 1; k < steps.size() && !t.lost; ++k) {
        const bool waits = std::find(steps[k].on.begin(), steps[k].on.end(), s.step) != steps[k].on.end();
        if (waits && is_triggered(t, k)) make({s.transaction, k}, out);
    }
    settle(s.transaction);
}

/// Gives back what a transaction needs no longer.
void protocol_workload::settle(std::uint32_t transaction) {
    open_transaction& t = m_open[transaction];
    const bool over = t.under_way == 0 && (t.left == 0 || t.lost);
    if (t.has_place && (over || t.at_requester == 0)) {
        t.has_place = false;
        if (m.count != 0) --m_to_end;
        think(t.requester, m_port->now());
    }
    if (over) m_open.give_back(transaction);
}

void protocol_workload::lost(const message& what) {
    const auto transaction = static_cast<std::uint32_t>(what.tag >> 8);
    open_transaction& t = m_open[transaction];
    --t.under_way;
    if (!t.lost) ++m_lost;
    t.lost = true;
    settle(transaction);
}

}  // namespace sare::traffic
