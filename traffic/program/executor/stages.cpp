// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/stages.h"

#include "tlm/api/nodes_here.h"
#include "tlm/base/world.h"
#include "traffic/program/duration.h"
#include "traffic/program/executor/collectives.h"

namespace sare::traffic {

namespace {

/// Returns the order of matching. A message of two tasks of this process may go through another process, and
/// has another tag when it is back.
matching_order order_of(const executor_parameters& p, const traffic_port& port) {
    if (!p.causal()) return matching_order::none;
    return has_all_nodes(port) ? matching_order::sent : matching_order::numbered;
}

}  // namespace

stages::stages(const executor_parameters& p, traffic_port& port, const std::vector<std::uint32_t>& node_of,
               program_observer* observer)
    : m_send_overhead(whole_cycles(p.overhead_send, port.cycle_seconds())),
      m_receive_overhead(whole_cycles(p.overhead_receive, port.cycle_seconds())),
      m_send_queue(p.send_queue),
      m_causal(p.causal()),
      m_port(port),
      m_messages({p, p.eager_limit, order_of(p, port)}, port, node_of, observer),
      m_cores({p.cores, p.node_cores}, node_of, port, observer),
      m_threads(static_cast<std::uint32_t>(node_of.size()), m_receive_overhead != 0, port, observer),
      m_sent(node_of.size()) {
    for (std::size_t s = 0; s < node_of.size(); ++s) m_stages.emplace_back();
}

std::uint32_t stages::fork(std::uint32_t task) {
    const std::uint32_t s = m_threads.fork(task);
    if (s == m_stages.size()) m_stages.emplace_back();
    return s;
}

bool stages::advance(std::uint32_t s) {
    stage& now = m_stages[s];
    if (now.todo.has(stage::receives)) {
        receive(s, now);
        now.todo.done(stage::receives);
    }
    if (now.todo.has(stage::sends)) {
        if (!send(s, now)) return false;
        now.todo.done(stage::sends);
    }
    if (now.todo.has(stage::flushes)) {
        now.todo.done(stage::flushes);
        if (!flush(s, now)) return false;
    }
    if (now.todo.has(stage::waits) && !wait(s, now)) return false;
    if (!now.todo.has(stage::computes)) return true;
    now.todo.done(stage::computes);
    return compute(s, now);
}

void stages::receive(std::uint32_t s, const stage& now) {
    if (now.todo.what == stage::posting::collective) return take_part(s, now);
    const envelope e{m_threads.task(s), now.from, now.tag, now.context};
    const bool probes = now.todo.what == stage::posting::probe;
    const std::uint32_t r = m_threads.under_way().open(
        owner_of(s, now), probes ? open_requests::kind::probe : open_requests::kind::receive, now.from,
        now.tag);
    if (probes ? m_messages.probe(e, r) : m_messages.receive(e, r)) m_threads.ended(r);
}

/// Sends; returns true if it is done.
bool stages::send(std::uint32_t s, stage& now) {
    const std::uint32_t task = m_threads.task(s);
    if (m_send_overhead != 0 && !now.todo.charged) {
        now.todo.charged = true;
        spend(s, task_state::send, m_send_overhead);
        return false;
    }
    if (!now.todo.buffered && !has_room(s)) return false;
    if (now.todo.is_one_sided()) {
        send_one_sided(s, now);
        return true;
    }
    if (now.todo.what == stage::posting::collective) {
        take_part(s, now);
        return true;
    }
    m_sent[task].add(now.bytes);
    std::uint32_t r = open_requests::none;
    if (m_messages.uses_rendezvous(now.bytes))
        r = m_threads.under_way().open(owner_of(s, now), open_requests::kind::send, now.to, now.tag);
    m_messages.send({now.to, task, now.tag, now.context}, now.bytes, r);
    return true;
}

/// True if the source queue of its node has room; else the strand waits for it.
bool stages::has_room(std::uint32_t s) {
    const std::uint32_t node = m_messages.node_of(m_threads.task(s));
    if (m_port.queued_of(node, 0) < m_send_queue) return true;
    auto& waiting = m_room[node];
    if (waiting.empty()) m_port.call_when_queued(node, 0, m_send_queue - 1);
    waiting.push_back(s);
    m_threads.pause(s, strands::state::room, task_state::send);
    return false;
}

std::vector<std::uint32_t> stages::take_waiting(std::uint32_t node) {
    std::vector<std::uint32_t> waiting;
    waiting.swap(m_room[node]);
    return waiting;
}

/// Sends a put or a get. Unless it has a name, or its strand waits for it, only a flush waits for it. The
/// message of a get counts for the task that has the data.
[[gnu::noinline]] void stages::send_one_sided(std::uint32_t s, const stage& now) {
    const std::uint32_t task = m_threads.task(s);
    const bool get = now.todo.what == stage::posting::get;
    m_sent[get ? now.to : task].add(now.bytes);
    std::uint32_t r = open_requests::none;
    if (m_causal) {
        open_requests::owner of = owner_of(s, now);
        if (!of.own && of.name == 0) of.strand = open_requests::none;
        r = m_threads.under_way().open_one_sided(of, now.to, now.context);
    }
    const envelope e{now.to, task, 0, now.context};
    get ? m_messages.get(e, now.bytes, r) : m_messages.put(e, now.bytes, r);
}

/// Takes part in a collective that the network carries out, by a request that ends with what it gives.
[[gnu::noinline]] void stages::take_part(std::uint32_t s, const stage& now) {
    const std::uint32_t task = m_threads.task(s);
    const network_call call = m_collectives->in_network(now.to);
    if (call.sends()) m_sent[task].add(call.bytes);
    std::uint32_t r = open_requests::none;
    if (call.receives())
        r = m_threads.under_way().open(owner_of(s, now), open_requests::kind::receive, any_source, now.tag);
    if (m_messages.take_part(m_collectives->network(), call, task, r) && r != open_requests::none)
        m_threads.ended(r);
}

/// True if no put or get that the task has begun is under way, to a task or to all. A fence, and a flush,
/// look at their communicator, but a flush on all tasks at any.
bool stages::flush(std::uint32_t s, const stage& now) {
    const std::uint32_t in = now.context & ~collectives::own_context;
    const bool of_any = now.context == 0;
    m_threads.under_way().for_one_sided(m_threads.task(s), [&](std::uint32_t r, std::uint32_t communicator) {
        if (!of_any && communicator != in) return;
        if (now.to == any_source || now.to == m_threads.under_way().peer(r)) m_threads.depend(s, r, false);
    });
    return m_threads.wait(s, wait_for::flush, 0,
                          in == now.context ? task_state::wait : task_state::collective);
}

/// True if what the stage waits for is done; each receive costs its overhead then.
bool stages::wait(std::uint32_t s, stage& now) {
    const wait_for until = now.todo.until;
    task_state shown = until == wait_for::own ? task_state::blocked : task_state::wait;
    if ((now.context & collectives::own_context) != 0) shown = task_state::collective;
    if (!m_threads.wait(s, until, now.request, shown)) return false;
    now.todo.done(stage::waits);
    const std::uint32_t received = m_threads.under_way().collect(s, until, m_threads.task(s), now.request);
    const cycle_t time = received * m_receive_overhead;
    if (time == 0) return true;
    spend(s, task_state::receive, time);
    return false;
}

/// Computes; returns true if it takes no time.
bool stages::compute(std::uint32_t s, const stage& now) {
    const cycle_t time = m_cores.cycles_of(m_threads.task(s), now.seconds);
    if (time == 0) return true;
    spend(s, task_state::compute, time);
    return false;
}

/// Takes a core for some cycles, as soon as there is one; the strand goes on after them.
void stages::spend(std::uint32_t s, task_state what, cycle_t time) {
    if (m_cores.occupy({m_threads.order(s), m_threads.task(s), what, time}))
        m_threads.enters(s, strands::state::computing);
    else
        m_threads.pause(s, strands::state::core);
}

void stages::time_over(std::uint32_t s) {
    m_threads.enters(s, strands::state::running);
    const auto next = m_cores.leave(m_threads.task(s));
    if (!next) return;
    m_threads.stop_waiting(next->strand());
    m_threads.enters(next->strand(), strands::state::computing);
    m_cores.begin(*next);
}

void stages::add_up(world& all) {
    m_messages.add_up(all);
    m_cores.add_up(all);
    m_threads.add_up(all);
    all.sum_members(m_sent, &count::messages, &count::bytes);
}

}  // namespace sare::traffic
