// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/replay.h"

#include "traffic/spatial/pattern.h"

#include <algorithm>
#include <numeric>

namespace sare::traffic {

replay::replay(replay_parameters p, const config::location& at, const std::string& folder)
    : m(std::move(p)), m_path(file_path(folder, m.file)), m_at(at) {
    if (m.file.empty()) throw config::error(at, "workload 'trace' needs 'file: ' with the trace");
    m_reader = open_trace(m_path, m.format, at);
}

void replay::start(traffic_port& port) {
    m_port = &port;
    task clock;
    m_send_overhead = cycles(clock, m.overhead_send);
    clock.fraction = 0;
    m_receive_overhead = cycles(clock, m.overhead_receive);
    m_end = port.first_cycle();
    place(port);
    for (std::uint32_t i = 0; i < m_tasks.size(); ++i) m_agenda.push({port.first_cycle(), false, i});
}

/// Tasks fill the nodes in order of node, `tasks_per_node` each; at random: the nodes are drawn
/// (Fisher-Yates).
void replay::place(traffic_port& port) {
    const std::uint64_t slots = std::uint64_t{port.nodes()} * m.tasks_per_node;
    if (m_reader->tasks() > slots)
        throw config::error(m_at, "the trace '" + m_path + "' has " + std::to_string(m_reader->tasks()) +
                                      " tasks, the network " + std::to_string(port.nodes()) + " nodes of " +
                                      std::to_string(m.tasks_per_node) +
                                      " tasks; take a larger network or raise 'tasks_per_node'");
    m_tasks.resize(m_reader->tasks());
    std::vector<std::uint32_t> nodes(port.nodes());
    std::iota(nodes.begin(), nodes.end(), 0u);
    if (m.where == placement::random) {
        rng random(port.seed(), stream::placement, 0);
        for (std::uint32_t i = port.nodes(); i > 1; --i) std::swap(nodes[i - 1], nodes[random.below(i)]);
    }
    for (std::uint32_t i = 0; i < m_tasks.size(); ++i) m_tasks[i].node = nodes[i / m.tasks_per_node];
}

void replay::tick(cycle_t now) {
    while (!m_agenda.empty() && m_agenda.top().when <= now) {
        const entry e = m_agenda.top();
        m_agenda.pop();
        if (e.local)
            arrive(e.index);
        else
            run(e.index);
    }
}

void replay::delivered(const delivery& d) {
    arrive(static_cast<std::uint32_t>(d.what.tag));
}

void replay::room(std::uint32_t node) {
    std::vector<std::uint32_t> waiting;
    waiting.swap(m_room[node]);
    for (const auto i : waiting) {
        task& t = m_tasks[i];
        t.blocked += m_port->now() - t.since;
        t.now = state::running;
        run(i);
    }
}

/// Lets a task go on until it waits for something or for time to pass.
void replay::run(std::uint32_t index) {
    task& t = m_tasks[index];
    for (;;) {
        if (t.next_action == t.actions.size() && !fetch(index)) {
            t.now = state::done;
            t.finish = m_port->now();
            m_end = std::max(m_end, t.finish);
            ++m_done;
            return;
        }
        while (t.next_action < t.actions.size()) {
            action& a = t.actions[t.next_action];
            const bool finished_now = perform(index, a);
            if (finished_now)
                ++t.next_action;
            else
                return;
        }
    }
}

bool replay::fetch(std::uint32_t index) {
    task& t = m_tasks[index];
    t.actions.clear();
    t.next_action = 0;
    t.collective = 0;
    while (t.actions.empty()) {
        if (!m_reader->next(index, t.current)) return false;
        ++t.events;
        translate(index);
    }
    return true;
}

void replay::translate(std::uint32_t index) {
    task& t = m_tasks[index];
    const event& e = t.current;
    const bool causal = m.mode == replay_mode::causal;
    const auto add = [&t](action::kind what, std::uint32_t peer = 0, std::uint64_t bytes = 0,
                          std::int64_t tag = 0, std::uint64_t name = 0) {
        action a;
        a.what = what;
        a.peer = peer;
        a.bytes = bytes;
        a.tag = tag;
        a.request = name;
        t.actions.push_back(a);
    };
    if (is_collective(e.what)) {
        translate_collective(index);
    } else if (e.what == op::send || e.what == op::isend) {
        add(action::send, e.peer, e.bytes, e.tag, e.request);
        t.actions.back().buffered = causal && e.what == op::isend;
        if (e.what == op::send && causal) add(action::wait_own);
    } else if (e.what == op::sendrecv) {
        if (causal) add(action::receive, e.from, e.from_bytes, e.tag);
        add(action::send, e.peer, e.bytes, e.tag);
        t.actions.back().buffered = causal;
        if (causal) add(action::wait_own);
    } else if (causal && (e.what == op::recv || e.what == op::irecv)) {
        add(action::receive, e.peer, e.bytes, e.tag, e.request);
        if (e.what == op::recv) add(action::wait_own);
    } else if (causal && e.what == op::wait && e.request != 0) {
        add(action::wait_one, 0, 0, 0, e.request);
    } else if (causal && e.what == op::waitall) {
        add(action::wait_all);
    }
    const double seconds = (e.seconds + e.flops / m.flops_per_second) * m.cpu_factor;
    if (seconds > 0) {
        add(action::compute);
        t.actions.back().seconds = seconds;
    }
}

void replay::translate_collective(std::uint32_t index) {
    task& t = m_tasks[index];
    const event& e = t.current;
    t.collective = ++t.collectives;
    if (index == 0) ++m_expanded[e.what];
    collective c;
    c.what = e.what;
    c.tasks = m_reader->tasks();
    c.root = e.root;
    c.bytes = e.bytes;
    if (!e.counts.empty()) c.counts = &e.counts;
    if (!e.receive_counts.empty()) c.receive_counts = &e.receive_counts;
    program steps;
    m.collectives.of(e.what).expand(c, index, steps);
    const bool causal = m.mode == replay_mode::causal;
    for (const step& s : steps) {
        action a;
        if (s.from != step::no_task && causal) {
            a.what = action::receive;
            a.peer = s.from;
            a.bytes = s.from_bytes;
            t.actions.push_back(a);
        }
        if (s.to != step::no_task) {
            a.what = action::send;
            a.peer = s.to;
            a.bytes = s.bytes;
            a.buffered = causal;
            t.actions.push_back(a);
        }
        if (s.wait && causal) {
            a.what = action::wait_own;
            t.actions.push_back(a);
        }
    }
}

/// True when the action is through; else the task goes on later, with this action or (after its time) the
/// next.
bool replay::perform(std::uint32_t index, action& a) {
    task& t = m_tasks[index];
    switch (a.what) {
        case action::compute: {
            const cycle_t time = cycles(t, a.seconds);
            if (time == 0) return true;
            t.computed += time;
            ++t.next_action;
            m_agenda.push({m_port->now() + time, false, index});
            return false;
        }
        case action::send:
            if (!a.charged && m_send_overhead != 0) {
                a.charged = true;
                spend(index, m_send_overhead);
                return false;
            }
            if (!a.buffered && m_port->queued(t.node) >= m.send_queue) {
                auto& waiting = m_room[t.node];
                if (waiting.empty()) m_port->call_when_queued(t.node, m.send_queue - 1);
                waiting.push_back(index);
                pause(index, state::waits_room);
                return false;
            }
            post_send(index, a);
            return true;
        case action::receive:
            post_receive(index, a);
            return true;
        case action::wait_own:
            t.now = state::waits_own;
            break;
        case action::wait_one:
            t.now = state::waits_one;
            break;
        case action::wait_all:
            t.now = state::waits_all;
            break;
    }
    t.awaited = a.request;
    if (!ready(t)) {
        pause(index, t.now);
        return false;
    }
    // What was waited for is through; each receive costs its overhead.
    const state why = t.now;
    std::uint64_t received = 0;
    const auto through = [&](const request& r) {
        const bool gone =
            why == state::waits_all || (why == state::waits_one ? r.name == t.awaited : r.name == 0);
        if (gone && r.receive) ++received;
        return gone;
    };
    t.requests.erase(std::remove_if(t.requests.begin(), t.requests.end(), through), t.requests.end());
    t.now = state::running;
    if (received * m_receive_overhead == 0) return true;
    ++t.next_action;
    spend(index, received * m_receive_overhead);
    return false;
}

bool replay::ready(const task& t) const {
    return std::all_of(t.requests.begin(), t.requests.end(), [&t](const request& r) {
        if (r.done || t.now == state::waits_all) return r.done;
        return t.now == state::waits_one ? r.name != t.awaited : r.name != 0;
    });
}

void replay::pause(std::uint32_t index, state why) {
    m_tasks[index].now = why;
    m_tasks[index].since = m_port->now();
}

void replay::spend(std::uint32_t index, cycle_t time) {
    m_tasks[index].overhead += time;
    m_agenda.push({m_port->now() + time, false, index});
}

/// Whole cycles of a time, up to more than any run lasts; what is left over counts with the task's next.
cycle_t replay::cycles(task& t, double seconds) const {
    constexpr double longest = 4611686018427387904.0;  // 2^62: a number still when the present is added
    const double exact = std::min(seconds / m_port->cycle_seconds() + t.fraction, longest);
    const auto whole = static_cast<cycle_t>(exact + 1e-6);  // 1e-6 / 1e-9 is 999.9999...
    t.fraction = std::max(0.0, exact - static_cast<double>(whole));
    return whole;
}

void replay::emit(const transfer& what) {
    std::uint32_t slot = 0;
    if (m_free.empty()) {
        slot = static_cast<std::uint32_t>(m_transfers.size());
        m_transfers.push_back(what);
    } else {
        slot = m_free.back();
        m_free.pop_back();
        m_transfers[slot] = what;
    }
    const bool back = what.what == transfer::grant;
    const bool control = back || what.what == transfer::ask;
    const std::uint64_t bytes = control ? 0 : what.bytes;
    const std::uint32_t from = m_tasks[back ? what.destination : what.source].node;
    const std::uint32_t to = m_tasks[back ? what.source : what.destination].node;
    if (control) ++m_control;
    if (from == to) {
        ++m_local;
        task rounding;
        double seconds = m.local_latency;
        if (m.local_bandwidth > 0) seconds += static_cast<double>(bytes) / m.local_bandwidth;
        m_agenda.push({m_port->now() + std::max<cycle_t>(cycles(rounding, seconds), 1), true, slot});
        return;
    }
    message out;
    out.source = from;
    out.destination = to;
    out.flits = m_port->flits_for(bytes);
    out.bytes = bytes;
    out.generated = m_port->now();
    out.tag = slot;
    ++m_generated.messages;
    m_generated.flits += out.flits;
    m_port->send(out);
}

void replay::post_send(std::uint32_t index, const action& a) {
    task& t = m_tasks[index];
    ++t.messages;
    t.bytes += a.bytes;
    transfer out;
    out.source = index;
    out.destination = a.peer;
    out.tag = a.tag;
    out.collective = t.collective;
    out.bytes = a.bytes;
    out.send_request = ++m_serial;
    const bool rendezvous = m.mode == replay_mode::causal && m.eager_limit != 0 && a.bytes > m.eager_limit;
    if (rendezvous) out.what = transfer::ask;
    // An eager send is through at once: there is nothing to wait for.
    if (rendezvous) t.requests.push_back({out.send_request, a.request, false, false, a.peer, a.tag});
    emit(out);
}

void replay::post_receive(std::uint32_t index, const action& a) {
    task& t = m_tasks[index];
    const std::uint64_t serial = ++m_serial;
    t.requests.push_back({serial, a.request, true, false, a.peer, a.tag});
    const auto found = std::find_if(t.arrived.begin(), t.arrived.end(), [&](std::uint32_t slot) {
        const transfer& x = m_transfers[slot];
        return x.source == a.peer && x.tag == a.tag && x.collective == t.collective;
    });
    if (found == t.arrived.end()) {
        t.receives.push_back({a.peer, a.tag, t.collective, serial});
        return;
    }
    const std::uint32_t slot = *found;
    transfer x = m_transfers[slot];
    t.arrived.erase(found);
    m_free.push_back(slot);
    if (x.what == transfer::eager) {
        t.requests.back().done = true;
        return;
    }
    x.what = transfer::grant;
    x.receive_request = serial;
    emit(x);
}

void replay::arrive(std::uint32_t slot) {
    m_end = std::max(m_end, m_port->now());
    transfer x = m_transfers[slot];
    if (m.mode == replay_mode::at_will) {
        m_free.push_back(slot);
        return;
    }
    if (x.what == transfer::grant) {
        m_free.push_back(slot);
        x.what = transfer::answer;
        emit(x);
        complete(x.source, x.send_request);
        return;
    }
    task& t = m_tasks[x.destination];
    if (x.what == transfer::answer) {
        m_free.push_back(slot);
        complete(x.destination, x.receive_request);
        return;
    }
    const auto found = std::find_if(t.receives.begin(), t.receives.end(), [&x](const posted& p) {
        return p.source == x.source && p.tag == x.tag && p.collective == x.collective;
    });
    if (found == t.receives.end()) {
        t.arrived.push_back(slot);
        return;
    }
    const std::uint64_t serial = found->serial;
    t.receives.erase(found);
    m_free.push_back(slot);
    if (x.what == transfer::eager) {
        complete(x.destination, serial);
        return;
    }
    x.what = transfer::grant;
    x.receive_request = serial;
    emit(x);
}

/// A request is through; the task goes on if that was what it waited for.
void replay::complete(std::uint32_t index, std::uint64_t serial) {
    task& t = m_tasks[index];
    for (auto& r : t.requests)
        if (r.serial == serial) r.done = true;
    const bool waits = t.now == state::waits_own || t.now == state::waits_one || t.now == state::waits_all;
    if (!waits || !ready(t)) return;
    t.blocked += m_port->now() - t.since;
    run(index);
}

}  // namespace sare::traffic
