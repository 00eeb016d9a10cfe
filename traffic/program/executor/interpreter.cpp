// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/interpreter.h"

#include "tlm/base/world.h"
#include "tlm/state/archive.h"

namespace sare::traffic {
namespace {

/// Returns the plan of an operation that is not a collective.
stage::plan plan_of(op what) {
    using posting = stage::posting;
    constexpr std::uint8_t send = stage::sends, receive = stage::receives, wait = stage::waits;
    switch (what) {
        case op::send:
            return {send | wait, posting::message, wait_for::own};
        case op::isend:
            return {send, posting::message, wait_for::nothing, true};
        case op::recv:
            return {receive | wait, posting::message, wait_for::own};
        case op::irecv:
            return {receive};
        case op::sendrecv:
            return {receive | send | wait, posting::message, wait_for::own, true};
        case op::put:
            return {send, posting::put, wait_for::nothing, true};
        case op::get:
            return {send, posting::get, wait_for::nothing, true};
        case op::flush:
            return {stage::flushes};
        case op::probe:
            return {receive | wait, posting::probe, wait_for::own};
        case op::wait:
            return {wait, posting::message, wait_for::one};
        case op::waitall:
            return {wait, posting::message, wait_for::all};
        default:
            return {};
    }
}
/// Returns the plan where messages are sent at will: nobody receives, or waits but for a source queue.
stage::plan plan_at_will(op what) {
    const stage::plan causal = plan_of(what);
    return causal.has(stage::sends) ? stage::plan{stage::sends, causal.what} : stage::plan{};
}

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
    m_collectives.use(dynamic_cast<collective_port*>(&port), node_of);
    m_stages.use(m_collectives);
    for (std::uint32_t s = 0; s < what.tasks(); ++s) m_parts.emplace_back();
    for (std::size_t k = 0; k < op_count; ++k)
        m_plans[k] = p.causal() ? plan_of(static_cast<op>(k)) : plan_at_will(static_cast<op>(k));
}

/// Runs a strand. Inlined as a whole, as is executor::delivered(): the calls would cost half of what they do.
/// Functions that most programs seldom need are noinline, or the compiler takes twice as long.
[[gnu::flatten]] void interpreter::run(std::uint32_t s) {
    if (__builtin_expect(m_observer != nullptr, 0)) m_observer->goes_on(s);
    while (m_stages.advance(s) && (next_step(s) || fetch(s))) {
    }
}

void interpreter::run_ready() {
    for (std::uint32_t s = threads().next_ready(); s != strands::none; s = threads().next_ready()) run(s);
}

/// Fetches the next operation of a task's own strand; operations out of its sequence are put beside it.
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

/// True if the strand waits for what its operation needs.
bool interpreter::is_held(std::uint32_t s, const operation& o) {
    for (const requirement& n : o.needs) threads().depend(s, n);
    if (!threads().is_held(s)) return false;
    threads().pause(s, strands::state::needs);
    return true;
}

/// Makes the operation that was read last the stage of a strand.
void interpreter::prepare(std::uint32_t s, const operation& o) {
    const std::uint32_t index = threads().task(s);
    threads().begins(s, m_tasks[index].operations);
    if (__builtin_expect(m_observer != nullptr, 0)) m_observer->begins(s, index, o);
    if (is_collective(o.what)) return prepare_collective(s, o);
    stage& now = m_stages.of(s);
    now.todo = m_plans[static_cast<std::size_t>(o.what)];
    now.to = o.peer;
    now.from = o.what == op::sendrecv ? o.from : o.peer;
    now.context = o.communicator;
    now.bytes = o.bytes;
    now.tag = o.tag;
    now.request = now.todo.own() ? 0 : o.request;
    if (o.communicator != 0) translate(now, o.communicator);
    if (o.what == op::mark) pass(index, o.tag);
    if (o.what > op::sleep) return;
    now.seconds = seconds(o);
    if (now.seconds > 0) now.todo.add(stage::computes);
}

/// Prepares a collective, which next_step() carries on. A fence flushes first.
void interpreter::prepare_collective(std::uint32_t s, const operation& o) {
    m_parts[s] = {m_collectives.begin(threads().task(s), o, group(o.communicator)), seconds(o)};
    stage& now = m_stages.of(s) = stage{};
    now.context = o.communicator | collectives::own_context;
    if (o.what != op::fence || !m.causal()) return;
    now.todo.add(stage::flushes);
    now.to = any_source;
}

/// Translates ranks of a communicator to tasks.
void interpreter::translate(stage& now, std::uint32_t communicator) const {
    now.to = task_of(communicator, now.to);
    if (now.todo.has(stage::receives)) now.from = task_of(communicator, now.from);
}

std::uint32_t interpreter::task_of(std::uint32_t communicator, std::uint32_t rank) const {
    return rank == any_source ? rank : group(communicator).task(rank);
}

/// Makes the next step of a collective the stage; after the last its computation.
bool interpreter::next_step(std::uint32_t s) {
    part& in = m_parts[s];
    if (in.collective == strands::none) return false;
    stage& to = m_stages.of(s);
    const std::uint32_t context = to.context;
    to = stage{};
    to.context = context;
    const step* const next = m_collectives.next(in.collective);
    if (next == nullptr) {
        m_collectives.end(in.collective);
        in.collective = strands::none;
        to.seconds = in.after;
        if (in.after > 0) to.todo.add(stage::computes);
        return true;
    }
    to.tag = m_collectives.call(in.collective);
    to.to = next->to;
    to.from = next->from;
    to.bytes = next->bytes;
    to.todo.until = wait_for::own;
    to.todo.buffered = m.causal();
    if (next->to == step::network || next->from == step::network) {
        to.todo.what = stage::posting::collective;
        to.todo.add(next->to == step::network ? stage::sends : stage::receives);
        to.todo.add(stage::waits);
        to.to = in.collective;
        return true;
    }
    if (next->to != step::no_task) to.todo.add(stage::sends);
    if (!m.causal()) return true;
    if (next->from != step::no_task) to.todo.add(stage::receives);
    if (next->wait) to.todo.add(stage::waits);
    return true;
}

void interpreter::pass(std::uint32_t index, std::int64_t mark) {
    if (m_observer != nullptr) m_observer->marks(index, mark);
    m_program.passed(index, mark, m_port.now());
    m_marks.pass(mark, m_port.now());
}

/// Puts an operation on a strand of its own. The task has to wait for one in sequence (a collective with a
/// name); another one is known only to operations that need it.
[[gnu::noinline]] void interpreter::fork(std::uint32_t index, const operation& o) {
    const std::uint32_t s = m_stages.fork(index);
    if (s == m_parts.size()) m_parts.emplace_back();
    m_parts[s] = {};
    ++m_tasks[index].beside;
    if (o.request != 0) threads().name(s, o.request, o.in_sequence);
    prepare(s, o);
    if (!o.in_sequence && m.causal()) wait_for_one_sided(m_stages.of(s));
    if (is_held(s, o)) return;
    threads().begin(s);
    run(s);
    if (m_observer != nullptr) m_observer->goes_on(index);
}

/// Makes a put or get beside its task end when it is complete, for operations that need it.
void interpreter::wait_for_one_sided(stage& now) {
    if (!now.todo.is_one_sided()) return;
    now.todo.until = wait_for::own;
    now.todo.add(stage::waits);
    now.request = 0;
}

/// Ends a strand beside its task.
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
