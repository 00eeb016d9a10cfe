// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/executor.h"

#include "tlm/base/world.h"
#include "tlm/state/archive.h"
#include "traffic/observe/recorder.h"
#include "traffic/program/executor/interpreter.h"
#include "traffic/program/executor/waiting.h"

#include <algorithm>

namespace sare::traffic {

executor::executor(std::unique_ptr<program> what, executor_parameters p, const config::location& at,
                   const std::string& folder)
    : m_program(std::move(what)),
      m(std::move(p)),
      m_at(at),
      m_placement(placement_registry::instance().make(m.placement_rule, {folder, at})) {}

executor::~executor() = default;

bool executor::observe(const observation& how) {
    if (recorder::is_wanted(how)) m_how = how;
    return true;
}

/// Throws config::error for collectives that the network cannot carry out.
void executor::check_collectives(const traffic_port& port) const {
    const auto* const network = dynamic_cast<const collective_port*>(&port);
    for (const collective_algorithm* const a : m.collectives.all()) {
        if (a->carrier == collective_carrier::tasks) continue;
        const std::string chosen = std::string("'collectives.") + op_name(a->what) + "' is " + a->name;
        if (!m.causal())
            throw config::error(m_at, chosen + ", and with 'mode: at_will' nobody waits for what it gives");
        const bool forks = a->carrier == collective_carrier::multicast;
        if (network != nullptr &&
            network->can(forks ? network_call::kind::multicast : network_call::kind::copy_to_all))
            continue;
        throw config::error(
            m_at, chosen +
                      (forks ? ", which needs a network whose routers fork packets ('router: {forking: "
                               "asynchronous}' with 'routing: {function: multicast_tree, set: all}')"
                             : ", which needs a network with combiners ('combining: {entries: 16}')") +
                      " right below this workload");
    }
}

void executor::start(traffic_port& port) {
    check_collectives(port);
    m_port = &port;
    m_last_arrival = port.first_cycle();
    m_node_of = m_placement->nodes_of({m_program->tasks(), m.tasks_per_node, m_program->title()}, port);
    if (m_how) m_observer = std::make_shared<recorder>(*m_how, *m_program, port, m_node_of);
    m_tasks = std::make_unique<interpreter>(*m_program, m, port, m_node_of, m_observer.get());
    for (std::uint32_t i = 0; i < m_node_of.size(); ++i) {
        if (!port.is_here(m_node_of[i])) continue;
        ++m_here;
        m_tasks->doing().cores().call_at(port.first_cycle(), i);
    }
}

void executor::measured_to(cycle_t) {
    constexpr std::uint64_t most = 100000;  // operations that are read again in a tenth of a second
    if (!m.causal() || !finished() || !m_warn || !m_port->is_here(m_node_of[0])) return;
    std::uint64_t operations = 0;
    for (std::uint32_t i = 0; i < m_node_of.size(); ++i) operations += m_tasks->operations(i);
    if (operations > most && !m_tasks->doing().messages().any_left()) return;
    if (const std::string error = m_program->first_error(); !error.empty())
        m_warn("the tasks do not agree: " + error + "; 'sare trace check' lists all");
}

cycle_t executor::next_tick() const {
    return m_tasks ? std::min(m_tasks->doing().messages().next_local(), m_tasks->doing().cores().next())
                   : never;
}

void executor::tick(cycle_t now) {
    stages& doing = m_tasks->doing();
    while (doing.cores().next() <= now) {
        const std::uint32_t s = doing.cores().take_next();
        if (m_observer) m_observer->is_due(s, doing.threads().order(s));
        if (doing.threads().is(s) == strands::state::computing) doing.time_over(s);
        m_tasks->run(s);
        m_tasks->run_ready();
    }
    while (doing.messages().next_local() <= now) {
        m_last_arrival = std::max(m_last_arrival, now);
        if (m_observer) m_observer->comes(doing.messages().first_local(), now, true);
        arrived(doing.messages().deliver_local());
    }
}

[[gnu::flatten]] void executor::delivered(const delivery& d) {
    m_last_arrival = std::max(m_last_arrival, d.consumed);
    if (__builtin_expect(m_observer != nullptr, 0))
        m_observer->comes(static_cast<std::uint32_t>(d.what.tag), d.injected, false);
    arrived(m_tasks->doing().messages().delivered(d.what.tag));
}

/// Handles a message that ends a request, or none; and the messages that it held up.
void executor::arrived(std::uint32_t completed) {
    stages& doing = m_tasks->doing();
    protocol& messages = doing.messages();
    for (;;) {
        if (completed != protocol::none) {
            doing.threads().ended(completed);
            if (doing.threads().has_ready()) m_tasks->run_ready();
        }
        completed = messages.next_probed();
        if (__builtin_expect(completed != protocol::none, 0)) continue;
        const std::uint32_t held = messages.next_held();
        if (held == protocol::none) return;
        completed = messages.deliver_held(held);
    }
}

void executor::queue_space(std::uint32_t node, std::uint32_t) {
    strands& threads = m_tasks->doing().threads();
    for (const std::uint32_t s : m_tasks->doing().take_waiting(node)) {
        if (m_observer) m_observer->has_room(s, threads.task(s), threads.since(s));
        threads.resume(s);
        m_tasks->run_ready();
    }
}

bool executor::finished() const {
    return m_tasks == nullptr || (m_tasks->finished() == m_here && next_tick() == never);
}

double executor::progress() const {
    const double done = m_program->progress();
    return m_here == 0 ? done : std::min(1.0, done * static_cast<double>(m_node_of.size()) / m_here);
}

cycle_t executor::end() const {
    return m_tasks ? std::max(m_last_arrival, m_tasks->last_finish()) : m_last_arrival;
}

generated_counts executor::generated(cycle_t) {
    return m_tasks ? m_tasks->doing().messages().generated() : generated_counts{};
}

std::uint32_t executor::words_with_messages() const {
    return protocol::words + (m_how ? recorder::words(*m_how) : 0);
}
void executor::write_words(const message& what, std::uint64_t* words) const {
    m_tasks->doing().messages().write(what.tag, words);
    if (m_observer) m_observer->write(static_cast<std::uint32_t>(what.tag), words + protocol::words);
}
void executor::has_left(const message& what) {
    m_tasks->doing().messages().has_left(what.tag);
}
std::uint64_t executor::tag_of(const message&, const std::uint64_t* words) {
    const std::uint64_t tag = m_tasks->doing().messages().take_over(words);
    if (m_observer) m_observer->take_over(static_cast<std::uint32_t>(tag), words + protocol::words);
    return tag;
}

void executor::add_up(world& all) {
    const bool is_over = all.least(finished() ? 1 : 0) != 0;
    m_last_arrival = all.most(m_last_arrival);
    m_tasks->add_up(all);
    m_program->add_up(all);
    if (!m_observer) return;
    m_observer->close(is_over ? end() : std::max(end(), all.most(m_port->now())));
    m_observer->add_up(all);
}

standstill executor::stuck() const {
    return m_tasks ? waiting_tasks(*m_program, m_tasks->doing().threads()).first() : standstill{};
}

std::vector<std::string> executor::waiting() const {
    return waiting_tasks(*m_program, m_tasks->doing().threads()).lines();
}

void executor::serialize(archive& a) {
    if (m_how) throw state_error("what 'observe' records of tasks cannot be written");
    m_program->serialize(a);
    a(m_last_arrival);
    if (m_tasks) a(*m_tasks);
}

}  // namespace sare::traffic
