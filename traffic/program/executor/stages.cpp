// SPDX-License-Identifier: Apache-2.0
#include "traffic/observe/recorder.h"
#include "traffic/program/duration.h"
#include "traffic/program/executor/executor.h"

#include <algorithm>

/// What a strand does: the parts of its stage, one after the other.
namespace sare::traffic {

/// True when the stage is over; else the strand goes on later, with this part or (after its time) the next.
bool executor::advance(std::uint32_t s) {
    stage& now = m_strands[s].now;
    switch (now.at) {
        case stage::receiving:
            if (now.receives) receive(s);
            now.at = stage::sending;
            [[fallthrough]];
        case stage::sending:
            if (now.sends && !send(s)) return false;
            now.at = stage::waits;
            if (now.flushes && !flush(s)) return false;
            [[fallthrough]];
        case stage::waits:
            if (now.until != wait_for::nothing && !wait(s)) return false;
            now.at = stage::computing;
            [[fallthrough]];
        case stage::computing: {
            now.at = stage::over;
            if (now.seconds <= 0) return true;
            task& t = m_tasks[m_strands[s].task];
            const cycle_t time = whole_cycles(now.seconds, m_port->cycle_seconds(), t.fraction);
            if (time == 0) return true;
            t.computed += time;
            occupy(s, time);
            return false;
        }
        case stage::over:
            break;
    }
    return true;
}

void executor::receive(std::uint32_t s) {
    const stage& now = m_strands[s].now;
    const std::uint32_t index = m_strands[s].task;
    const std::uint32_t r = open(s, index, now.request, now.own);
    request& x = m_requests[r];
    x.peer = now.from;
    x.tag = now.tag;
    const envelope e{index, now.from, now.tag, now.context};
    if (__builtin_expect(now.what == posting::probe, 0)) {
        x.probe = true;
        if (m_protocol->probe(e, r)) ended(r);
        return;
    }
    x.receive = true;
    if (m_protocol->receive(e, r)) ended(r);
}

bool executor::send(std::uint32_t s) {
    strand& me = m_strands[s];
    stage& now = me.now;
    task& t = m_tasks[me.task];
    if (!now.charged && m_send_overhead != 0) {
        now.charged = true;
        t.overhead += m_send_overhead;
        occupy(s, m_send_overhead);
        return false;
    }
    if (!now.buffered && m_port->queued(t.node) >= m.send_queue) {
        auto& waiting = m_room[t.node];
        if (waiting.empty()) m_port->call_when_queued(t.node, m.send_queue - 1);
        waiting.push_back(s);
        pause(s, state::room);
        return false;
    }
    if (now.what != posting::message) {
        send_one_sided(s);
        return true;
    }
    ++t.messages;
    t.bytes += now.bytes;
    std::uint32_t r = none;
    if (m_protocol->uses_rendezvous(now.bytes)) {
        r = open(s, me.task, now.request, now.own);
        m_requests[r].peer = now.to;
        m_requests[r].tag = now.tag;
    }
    m_protocol->send({now.to, me.task, now.tag, now.context}, now.bytes, r);
    return true;
}

/// Unless it has a name, or its strand waits for it, only a flush uses_rendezvous for it. The message of a
/// get is one of the task that has the data.
void executor::send_one_sided(std::uint32_t s) {
    const stage& now = m_strands[s].now;
    const std::uint32_t index = m_strands[s].task;
    const bool get = now.what == posting::get;
    task& from = m_tasks[get ? now.to : index];
    ++from.messages;
    from.bytes += now.bytes;
    std::uint32_t r = none;
    if (causal()) {
        r = open(now.own || now.request != 0 ? s : none, index, now.request, now.own);
        m_requests[r].one_sided = true;
        m_requests[r].peer = now.to;
        m_one_sided.emplace(one_sided_key(index, r), now.context);
    }
    const envelope e{now.to, index, 0, now.context};
    get ? m_protocol->get(e, now.bytes, r) : m_protocol->put(e, now.bytes, r);
}

/// True when no put or get that the task has begun is under way: to a task or to all; a fence's are those of
/// its communicator, a flush's too, but one on all tasks means those of any.
bool executor::flush(std::uint32_t s) {
    const strand& me = m_strands[s];
    const std::uint32_t in = me.now.context & ~collectives::own_context;
    const bool all = me.now.context == 0;
    for (auto k = m_one_sided.lower_bound(one_sided_key(me.task, 0));
         k != m_one_sided.end() && k->first >> 32 == me.task; ++k) {
        const auto r = static_cast<std::uint32_t>(k->first);
        if (!all && k->second != in) continue;
        if (me.now.to == any_source || me.now.to == m_requests[r].peer) add_dependency(s, r, false);
    }
    if (me.missing == 0) return true;
    pause(s, state::waits);
    return false;
}

/// True when what the stage waits for is done; each receive costs its overhead then.
bool executor::wait(std::uint32_t s) {
    if (!ready(s)) {
        pause(s, state::waits);
        return false;
    }
    const cycle_t time = collect(s) * m_receive_overhead;
    if (time == 0) return true;
    m_strands[s].now.at = stage::computing;
    m_tasks[m_strands[s].task].overhead += time;
    occupy(s, time);
    return false;
}

/// Takes a core of the task, and of its node, for some cycles, as soon as there is one; run() goes on after
/// them.
void executor::occupy(std::uint32_t s, cycle_t time) {
    task& t = m_tasks[m_strands[s].task];
    if (!has_core(t)) {
        m_cores[core_queue(m_strands[s].task)].emplace_back(s, time);
        pause(s, state::core);
        return;
    }
    ++t.busy;
    if (!m_node_cores.empty()) ++m_node_cores[t.node];
    m_strands[s].is = state::computing;
    if (m_watch) watch_time(s, time);
    m_agenda.push({m_port->now() + time, order_of(s)});
}

/// The cycles are over: the core goes to the strand that has waited longest, of those whose task may compute.
void executor::leave_core(std::uint32_t s) {
    const std::uint32_t index = m_strands[s].task;
    m_strands[s].is = state::running;
    task& t = m_tasks[index];
    --t.busy;
    if (!m_node_cores.empty()) --m_node_cores[t.node];
    if (m_cores.empty()) return;
    const auto waiting = m_cores.find(core_queue(index));
    if (waiting == m_cores.end()) return;
    auto& queue = waiting->second;
    const auto first = std::find_if(queue.begin(), queue.end(), [this](const auto& each) {
        return has_core(m_tasks[m_strands[each.first].task]);
    });
    if (first == queue.end()) return;
    const auto [next, time] = *first;
    queue.erase(first);
    if (queue.empty()) m_cores.erase(waiting);
    stop_waiting(next);
    occupy(next, time);
}

void executor::pause(std::uint32_t s, state why) {
    m_strands[s].is = why;
    m_strands[s].since = m_port->now();
    if (m_watch) watch_wait(s);
}

void executor::stop_waiting(std::uint32_t s) {
    if (s < m_tasks.size()) m_tasks[s].blocked += m_port->now() - m_strands[s].since;
    m_strands[s].is = state::running;
    if (m_watch) m_watch->released(s);
}

void executor::resume(std::uint32_t s) {
    stop_waiting(s);
    m_ready.push_back(s);
}

}  // namespace sare::traffic
