// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/executor.h"

#include "traffic/observe/recorder.h"
#include "traffic/program/duration.h"

#include <algorithm>

/// Tasks and their strands.
namespace sare::traffic {

executor::executor(std::unique_ptr<program> what, executor_parameters p, const config::location& at,
                   const std::string& folder)
    : m_program(std::move(what)),
      m(std::move(p)),
      m_placement(placement_registry::instance().make(m.placement_rule, {folder, at})),
      m_all(std::make_unique<all_tasks>(m_program->tasks())),
      m_collectives(m.collectives, m_program->tasks()) {}

void executor::start(traffic_port& port) {
    m_port = &port;
    m_send_overhead = whole_cycles(m.overhead_send, port.cycle_seconds());
    m_receive_overhead = whole_cycles(m.overhead_receive, port.cycle_seconds());
    m_end = port.first_cycle();
    m_node_of = m_placement->nodes_of({m_program->tasks(), m.tasks_per_node, m_program->title()}, port);
    m_tasks.resize(m_node_of.size());
    m_own_strands = static_cast<std::uint32_t>(m_tasks.size());
    if (m.node_cores != 0) m_node_cores.resize(port.nodes());
    m_here = static_cast<std::uint32_t>(
        std::count_if(m_node_of.begin(), m_node_of.end(), [&](std::uint32_t n) { return port.is_here(n); }));
    // A message of two tasks of this process may go through another one, and has another tag when it is back.
    bool alone = true;
    for (std::uint32_t n = 0; n < port.nodes() && alone; ++n) alone = port.is_here(n);
    const auto order = alone ? matching_order::sent : matching_order::numbered;
    const protocol_parameters p{m, m.eager_limit, causal() ? order : matching_order::none};
    m_protocol.emplace(p, port, m_node_of);
    if (m_how) m_watch = std::make_shared<recorder>(*m_how, *m_program, port);
    m_protocol->observe(m_watch.get());
    for (std::uint32_t i = 0; i < m_tasks.size(); ++i) {
        m_tasks[i].node = m_node_of[i];
        m_strands[m_strands.take()].task = i;
        if (port.is_here(m_node_of[i])) m_agenda.push({port.first_cycle(), i});
    }
}

cycle_t executor::next_tick() const {
    const cycle_t local = m_protocol ? m_protocol->next_local() : never;
    return m_agenda.empty() ? local : std::min(local, m_agenda.top().when);
}

void executor::tick(cycle_t now) {
    while (!m_agenda.empty() && m_agenda.top().when <= now) {
        const std::uint32_t s = m_agenda.top().strand();
        m_agenda.pop();
        if (m_watch) m_watch->goes_on(s);
        if (m_strands[s].is == state::computing) leave_core(s);
        run(s);
        run_ready();
    }
    while (m_protocol->next_local() <= now) {
        m_end = std::max(m_end, now);
        if (m_watch) m_watch->comes(m_protocol->first_local(), now);
        arrived(m_protocol->deliver_local());
    }
}

[[gnu::flatten]] void executor::delivered(const delivery& d) {
    m_end = std::max(m_end, d.consumed);
    if (__builtin_expect(m_watch != nullptr, 0))
        m_watch->comes(static_cast<std::uint32_t>(d.what.tag), d.injected);
    arrived(m_protocol->delivered(d.what.tag));
}

/// A message has come that ends a request, or none; and those that it held up.
void executor::arrived(std::uint32_t completed) {
    for (;;) {
        if (completed != none) {
            ended(completed);
            if (!m_ready.empty()) run_ready();
        }
        completed = m_protocol->next_probed();
        if (__builtin_expect(completed != none, 0)) continue;
        const std::uint32_t held = m_protocol->next_held();
        if (held == none) return;
        completed = m_protocol->deliver_held(held);
    }
}

void executor::queue_space(std::uint32_t node) {
    std::vector<std::uint32_t> waiting;
    waiting.swap(m_room[node]);
    for (const auto s : waiting) {
        if (m_watch) m_watch->has_room(s, m_strands[s].task, m_strands[s].since);
        resume(s);
        run_ready();
    }
}

void executor::run_ready() {
    while (m_next_ready < m_ready.size()) run(m_ready[m_next_ready++]);
    m_ready.clear();
    m_next_ready = 0;
}

/// Lets a strand go on until it waits for something or for time to pass, or has ended. Inlined as a whole,
/// as is delivered(): the calls would cost half of what they do.
[[gnu::flatten]] void executor::run(std::uint32_t s) {
    if (__builtin_expect(m_watch != nullptr, 0)) m_watch->goes_on(s);
    while (advance(s) && (next_step(s) || fetch(s))) {
    }
}

/// The next operation of a task's own strand. What does not come in sequence is put beside it.
bool executor::fetch(std::uint32_t s) {
    if (s >= m_own_strands) {
        end(s);
        return false;
    }
    const std::uint32_t index = s;
    task& t = m_tasks[index];
    for (;;) {
        if (t.beside >= m.lookahead) {
            pause(s, state::lookahead);
            return false;
        }
        operation& o = m_operation;
        o.clear();
        if (!m_program->next(index, o)) {
            t.read = true;
            m_strands[s].is = state::done;
            if (m_watch) m_watch->ends(s, index);
            finish_if_done(index);
            return false;
        }
        ++t.operations;
        if (!o.in_sequence || (is_collective(o.what) && o.request != 0)) {
            fork(index, o);
            continue;
        }
        prepare(s, o, t.operations);
        if (o.needs.empty()) return true;
        for (const requirement& n : o.needs) add_dependency(s, find(index, n.request), n.begun);
        if (m_strands[s].missing == 0) return true;
        pause(s, state::needs);
        return false;
    }
}

/// Traits by operation: whether it sends or receives, and what it waits for.
const executor::op_traits executor::traits_of[] = {{},
                                                   {},                            // compute, sleep
                                                   {true, false, wait_for::own},  // send
                                                   {true, false, wait_for::nothing},
                                                   {false, true, wait_for::own},  // recv
                                                   {false, true, wait_for::nothing},
                                                   {true, true, wait_for::own},  // sendrecv
                                                   {true, false, wait_for::nothing, posting::put},
                                                   {true, false, wait_for::nothing, posting::get},
                                                   {},  // flush
                                                   {false, true, wait_for::own, posting::probe},
                                                   {false, false, wait_for::one},
                                                   {false, false, wait_for::all}};

/// An operation becomes the stage of a strand.
void executor::prepare(std::uint32_t s, const operation& o, std::uint64_t number) {
    strand& me = m_strands[s];
    me.number = number;
    if (__builtin_expect(m_watch != nullptr, 0)) m_watch->begins(s, me.task, o);
    const double seconds = (o.seconds + o.flops / m.flops_per_second) * m.cpu_factor;
    me.now = stage{};
    if (is_collective(o.what)) {
        me.collective = m_collectives.begin(me.task, o, group(o.communicator));
        me.now.context = o.communicator | collectives::own_context;
        me.after = seconds;
        if (o.what != op::fence || !causal()) return;  // next_step() goes on
        me.now.at = stage::sending;
        me.now.flushes = true;
        me.now.to = any_source;
        return;
    }
    me.now.at = stage::receiving;
    me.now.seconds = seconds;
    if (o.what == op::mark) pass(me.task, o.tag);
    if (o.what < op::test) post(me.now, o);
}

/// The part of messages.
void executor::post(stage& to, const operation& o) const {
    const op_traits& how = traits_of[static_cast<std::size_t>(o.what)];
    to.context = o.communicator;
    to.bytes = o.bytes;
    to.tag = o.tag;
    to.what = how.what;
    to.sends = how.sends;
    to.to = o.peer;
    if (o.communicator != 0) to.to = task_of(o.communicator, o.peer);
    if (!causal()) return;
    to.receives = how.receives;
    to.flushes = o.what == op::flush;
    to.buffered = o.what != op::send;
    to.until = how.until;
    // Beside its task it has ended when it is complete, for what needs it.
    if (how.sends && how.what != posting::message && !o.in_sequence) to.until = wait_for::own;
    to.own = to.until == wait_for::own;
    to.request = to.own ? 0 : o.request;
    if (!how.receives) return;
    to.from = how.sends ? o.from : o.peer;
    if (o.communicator != 0) to.from = task_of(o.communicator, to.from);
}

std::uint32_t executor::task_of(std::uint32_t communicator, std::uint32_t rank) const {
    return rank == any_source ? rank : group(communicator).task(rank);
}

/// The next step of a collective; its computation after the last.
bool executor::next_step(std::uint32_t s) {
    strand& me = m_strands[s];
    if (me.collective == none) return false;
    stage to;
    to.at = stage::receiving;
    to.context = me.now.context;
    to.own = true;
    const step* const next = m_collectives.next(me.collective);
    if (next == nullptr) {
        m_collectives.end(me.collective);
        me.collective = none;
        to.seconds = me.after;
    } else {
        to.tag = m_collectives.call(me.collective);
        to.sends = next->to != step::no_task;
        to.receives = causal() && next->from != step::no_task;
        to.to = next->to;
        to.from = next->from;
        to.bytes = next->bytes;
        to.buffered = causal();
        if (causal() && next->wait) to.until = wait_for::own;
    }
    me.now = to;
    return true;
}

void executor::pass(std::uint32_t index, std::int64_t mark) {
    if (m_watch) m_watch->marks(index, mark);
    m_program->passed(index, mark, m_port->now());
    passage& p = m_marks.emplace(mark, passage{m_port->now(), 0, 0}).first->second;
    p.last = m_port->now();
    ++p.count;
}

/// Puts an operation on a strand of its own. One in sequence (a collective with a name) is the task's to wait
/// for; another one is only known to what needs it.
void executor::fork(std::uint32_t index, const operation& o) {
    const std::uint32_t s = m_strands.take();
    m_strands[s] = strand{};
    m_strands[s].task = index;
    m_strands[s].order = std::uint64_t{++m_forks} << 32 | s;
    ++m_tasks[index].beside;
    if (m_watch) m_watch->released(s);
    if (o.request != 0) {
        const std::uint32_t r = open(o.in_sequence ? index : none, index, o.request, false);
        m_requests[r].begun = false;
        m_strands[s].request = r;
    }
    prepare(s, o, m_tasks[index].operations);
    for (const requirement& n : o.needs) add_dependency(s, find(index, n.request), n.begun);
    if (m_strands[s].missing != 0) return pause(s, state::needs);
    begin(s);
    run(s);
    if (m_watch) m_watch->goes_on(index);
}

/// A strand beside its task has ended.
void executor::end(std::uint32_t s) {
    const std::uint32_t index = m_strands[s].task, r = m_strands[s].request;
    m_strands.give_back(s);
    if (m_watch) m_watch->ends(s, index);
    if (r != none) ended(r);
    --m_tasks[index].beside;
    if (m_strands[index].is == state::lookahead) resume(index);
    finish_if_done(index);
}

void executor::finish_if_done(std::uint32_t index) {
    task& t = m_tasks[index];
    if (!t.read || t.beside != 0) return;
    t.finish = m_port->now();
    m_end = std::max(m_end, t.finish);
    if (m_watch) m_watch->finishes();
    ++m_done;
}

}  // namespace sare::traffic
