// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/interpreter.h"

#include "tlm/base/world.h"
#include "tlm/state/archive.h"

namespace sare::traffic {
namespace {

/// Whether an operation sends or receives, and what it waits for.
struct op_traits {
    bool sends = false, receives = false;
    wait_for until = wait_for::nothing;
    stage::posting what = stage::posting::message;
};
/// By operation, up to waitall.
constexpr op_traits traits_of[] = {{},
                                   {},                            // compute, sleep
                                   {true, false, wait_for::own},  // send
                                   {true, false, wait_for::nothing},
                                   {false, true, wait_for::own},  // recv
                                   {false, true, wait_for::nothing},
                                   {true, true, wait_for::own},  // sendrecv
                                   {true, false, wait_for::nothing, stage::posting::put},
                                   {true, false, wait_for::nothing, stage::posting::get},
                                   {},  // flush
                                   {false, true, wait_for::own, stage::posting::probe},
                                   {false, false, wait_for::one},
                                   {false, false, wait_for::all}};

}  // namespace

interpreter::interpreter(program& what, const executor_parameters& p, traffic_port& port,
                         const std::vector<std::uint32_t>& node_of, program_observer* observer)
    : m_program(what),
      m(p),
      m_port(port),
      m_observer(observer),
      m_stages(p, port, node_of, observer),
      m_all(what.tasks()),
      m_collectives(p.collectives, what.tasks()),
      m_tasks(what.tasks()) {
    for (std::uint32_t s = 0; s < what.tasks(); ++s) m_parts.emplace_back();
}

/// Inlined as a whole, as is executor::delivered(): the calls would cost half of what they do.
[[gnu::flatten]] void interpreter::run(std::uint32_t s) {
    if (__builtin_expect(m_observer != nullptr, 0)) m_observer->goes_on(s);
    while (m_stages.advance(s) && (next_step(s) || fetch(s))) {
    }
}

void interpreter::run_ready() {
    for (std::uint32_t s = threads().next_ready(); s != strands::none; s = threads().next_ready()) run(s);
}

/// The next operation of a task's own strand. What does not come in sequence is put beside it.
bool interpreter::fetch(std::uint32_t s) {
    if (!threads().is_own(s)) {
        end(s);
        return false;
    }
    of_task& t = m_tasks[s];
    for (;;) {
        if (t.beside >= m.lookahead) {
            threads().pause(s, strands::state::lookahead);
            return false;
        }
        operation& o = m_operation;
        o.clear();
        if (!m_program.next(s, o)) {
            t.read = true;
            threads().enters(s, strands::state::done);
            if (m_observer != nullptr) m_observer->ends(s, s);
            finish_if_done(s);
            return false;
        }
        ++t.operations;
        if (!o.in_sequence || (is_collective(o.what) && o.request != 0)) {
            fork(s, o);
            continue;
        }
        prepare(s, o);
        return o.needs.empty() || !is_held(s, o);
    }
}

/// True: the strand waits for what its operation needs.
bool interpreter::is_held(std::uint32_t s, const operation& o) {
    for (const requirement& n : o.needs) threads().depend(s, n);
    if (!threads().is_held(s)) return false;
    threads().pause(s, strands::state::needs);
    return true;
}

/// The operation that was read last becomes the stage of a strand.
void interpreter::prepare(std::uint32_t s, const operation& o) {
    const std::uint32_t index = threads().task(s);
    threads().begins(s, m_tasks[index].operations);
    if (__builtin_expect(m_observer != nullptr, 0)) m_observer->begins(s, index, o);
    const double seconds = (o.seconds + o.flops / m.flops_per_second) * m.cpu_factor;
    stage& now = m_stages.begin(s);
    if (is_collective(o.what)) {
        m_parts[s] = {m_collectives.begin(index, o, group(o.communicator)), seconds};
        now.context = o.communicator | collectives::own_context;
        if (o.what != op::fence || !m.causal()) return;  // next_step() goes on
        now.at = stage::sending;
        now.flushes = true;
        now.to = any_source;
        return;
    }
    now.at = stage::receiving;
    now.seconds = seconds;
    if (o.what == op::mark) pass(index, o.tag);
    if (o.what < op::test) post(now, o);
}

/// The part of messages.
void interpreter::post(stage& to, const operation& o) const {
    const op_traits& how = traits_of[static_cast<std::size_t>(o.what)];
    to.context = o.communicator;
    to.bytes = o.bytes;
    to.tag = o.tag;
    to.what = how.what;
    to.sends = how.sends;
    to.to = o.peer;
    if (o.communicator != 0) to.to = task_of(o.communicator, o.peer);
    if (!m.causal()) return;
    to.receives = how.receives;
    to.flushes = o.what == op::flush;
    to.buffered = o.what != op::send;
    to.until = how.until;
    // Beside its task it has ended when it is complete, for what needs it.
    if (how.sends && how.what != stage::posting::message && !o.in_sequence) to.until = wait_for::own;
    to.own = to.until == wait_for::own;
    to.request = to.own ? 0 : o.request;
    if (!how.receives) return;
    to.from = how.sends ? o.from : o.peer;
    if (o.communicator != 0) to.from = task_of(o.communicator, to.from);
}

std::uint32_t interpreter::task_of(std::uint32_t communicator, std::uint32_t rank) const {
    return rank == any_source ? rank : group(communicator).task(rank);
}

/// The next step of a collective; its computation after the last.
bool interpreter::next_step(std::uint32_t s) {
    part& in = m_parts[s];
    if (in.collective == strands::none) return false;
    const std::uint32_t context = m_stages.context(s);
    stage& to = m_stages.begin(s);
    to.at = stage::receiving;
    to.context = context;
    to.own = true;
    const step* const next = m_collectives.next(in.collective);
    if (next == nullptr) {
        m_collectives.end(in.collective);
        in.collective = strands::none;
        to.seconds = in.after;
        return true;
    }
    to.tag = m_collectives.call(in.collective);
    to.sends = next->to != step::no_task;
    to.receives = m.causal() && next->from != step::no_task;
    to.to = next->to;
    to.from = next->from;
    to.bytes = next->bytes;
    to.buffered = m.causal();
    if (m.causal() && next->wait) to.until = wait_for::own;
    return true;
}

void interpreter::pass(std::uint32_t index, std::int64_t mark) {
    if (m_observer != nullptr) m_observer->marks(index, mark);
    m_program.passed(index, mark, m_port.now());
    m_marks.pass(mark, m_port.now());
}

/// Puts an operation on a strand of its own. One in sequence (a collective with a name) is the task's to wait
/// for; another one is only known to what needs it.
void interpreter::fork(std::uint32_t index, const operation& o) {
    const std::uint32_t s = m_stages.fork(index);
    if (s == m_parts.size()) m_parts.emplace_back();
    m_parts[s] = {};
    ++m_tasks[index].beside;
    if (o.request != 0) threads().name(s, o.request, o.in_sequence);
    prepare(s, o);
    if (is_held(s, o)) return;
    threads().begin(s);
    run(s);
    if (m_observer != nullptr) m_observer->goes_on(index);
}

/// A strand beside its task has ended.
void interpreter::end(std::uint32_t s) {
    const std::uint32_t index = threads().task(s), r = threads().request(s);
    threads().remove(s);
    if (m_observer != nullptr) m_observer->ends(s, index);
    if (r != strands::none) threads().ended(r);
    --m_tasks[index].beside;
    if (threads().is(index) == strands::state::lookahead) threads().resume(index);
    finish_if_done(index);
}

void interpreter::finish_if_done(std::uint32_t index) {
    of_task& t = m_tasks[index];
    if (!t.read || t.beside != 0) return;
    t.finish = m_port.now();
    m_last_finish = t.finish;
    if (m_observer != nullptr) m_observer->finishes();
    ++m_finished;
}

void interpreter::add_up(world& all) {
    m_stages.add_up(all);
    all.sum_members(m_tasks, &of_task::operations, &of_task::finish);
    m_last_finish = all.most(m_last_finish);
    m_marks.add_up(all);
    m_collectives.add_up(all);
}

void interpreter::serialize(archive& a) {
    a(m_stages, m_marks, m_tasks, m_parts, m_finished, m_last_finish);
    m_collectives.serialize(a, [this](std::uint32_t id) -> const communicator& { return group(id); });
}

}  // namespace sare::traffic
