// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/bridge.h"

#include "tlm/base/joined.h"
#include "traffic/bridge/frames/capture.h"

#include <fmt/format.h>

#include <sched.h>

#include <algorithm>

/// The run, slice by slice.
namespace sare::traffic {

cycle_t bridge::next_tick() const {
    if (m_phase.over) return never;
    return m_queues.outgoing.empty()
               ? m_time.next_slice
               : std::min(m_time.next_slice, m_time.cycle_of(m_queues.outgoing.top().what.time));
}

void bridge::tick(cycle_t now) {
    m_time.now = now;
    if (now == m_time.next_slice) synchronise();
    if (!m_phase.over) inject(now);
}

/// Synchronises at the begin of the next slice, up to which the network has run: the computers run it, too,
/// and then all that they have sent in it is known.
void bridge::synchronise() {
    if (!m_phase.begun) {
        open();
        if (all_have_come()) begin();
    }
    if (m_host.stop_wanted()) {
        m_time.next_slice = m_time.now + 1;
        return;
    }
    if (m.cycles != 0 && m_time.now - m_time.first >= m.cycles) return end_run("the run's time is over");
    if (!m_slices.run_at_once()) release(m_time.slice);
    await_slice();
    if (m_phase.over || m_host.stop_wanted()) {
        m_time.next_slice = m_time.now + 1;
        return;
    }
    pass_marks(m_slices.begin(m_time.slice));
    if (m_slices.run_at_once()) release(m_time.slice + 1);
    ++m_time.slice;
    m_time.next_slice = m_time.first + m_time.slice * m.quantum;
}

/// Lets the computers run a slice, with the frames that are to arrive in it.
void bridge::release(std::uint64_t slice) {
    const picoseconds until = m_slices.begin(slice + 1);
    for (std::size_t i = 0; i < m_peers.size(); ++i) {
        attached& a = m_peers[i];
        if (!a.alive) continue;
        try {
            frame_queue& frames = m_queues.incoming[i];
            for (; !frames.empty() && frames.top().what.time < until; frames.pop())
                a.who->deliver(frames.top().what);
            a.who->grant(until);
        } catch (const peer_failure& f) {
            fail(a, f.what());
        }
    }
}

/// Waits until all computers have run as far as they may.
void bridge::await_slice() {
    const auto since = clock::now();
    while (await_events() && !m_host.stop_wanted()) {
        const double waited = seconds_since(since);
        const bool late = waited > m.reply_s;
        if (waited > 1) report_waiting();
        for (attached& a : m_peers)
            if (late && a.is_pending())
                fail(a, fmt::format("it has not run slice {} within {} s{}", m_time.slice,
                                    config::number_text(m.reply_s), a.who->missing()));
    }
    m_host_seconds.waiting += seconds_since(since);
    if (!m_host.stop_wanted()) take_leave();
}

void bridge::report_waiting() const {
    const auto slow =
        std::find_if(m_peers.begin(), m_peers.end(), [](const attached& a) { return a.is_pending(); });
    if (slow != m_peers.end())
        m_host.show(fmt::format("slice {}: waiting for '{}'", m_time.slice, slow->who->name()));
}

/// Attends once to the peers for which all wait. Returns false if there are none.
bool bridge::await_events() {
    const auto since = clock::now();
    constexpr int look_around = 200;  // ms
    bool any = false, all_tell = true;
    m_watched.clear();
    for (attached& a : m_peers) {
        a.first_watched = m_watched.size();
        if (!a.is_pending()) continue;
        any = true;
        a.who->watch(m_watched);
        a.tells = m_watched.size() != a.first_watched;
        all_tell = all_tell && a.tells;
    }
    if (!any) return false;
    if (poll(m_watched.data(), m_watched.size(), all_tell ? look_around : 0) <= 0 && !all_tell) sched_yield();
    for (attached& a : m_peers) {
        if (!a.is_pending()) continue;
        bool ready = !a.tells;
        for (std::size_t i = a.first_watched; a.tells && i < m_watched.size() && !ready; ++i)
            ready = m_watched[i].revents != 0;
        if (ready) attend(a);
        a.waited_s += seconds_since(since);
    }
    return true;
}

void bridge::attend(attached& a) {
    try {
        a.who->attend(*this);
    } catch (const peer_failure& f) {
        fail(a, f.what());
    }
}

/// Lets go of peers that have said goodbye instead of running the slice. One that has run it, and says
/// goodbye then, leaves in the next: how soon its word is read makes no difference.
void bridge::take_leave() {
    for (attached& a : m_peers) {
        if (!a.alive || !a.who->has_left() || a.who->done() == a.who->granted()) continue;
        a.alive = false;
        a.end = a.who->farewell();
        if (m.first_ends) return end_run("'" + a.who->name() + "' has ended: " + a.end);
    }
    if (std::none_of(m_peers.begin(), m_peers.end(), [](const attached& a) { return a.alive; }))
        end_run("all computers have ended");
}

void bridge::fail(attached& a, const std::string& why) {
    const std::string nodes =
        joined(a.who->computers(), ", ", [](const computer& c) { return std::to_string(c.node); });
    const std::string text =
        fmt::format("bridge: '{}' (node {}), slice {}: {}", a.who->name(), nodes, m_time.slice, why);
    a.alive = false;
    a.end = why;
    a.who->dismiss(why);
    if (m.cut_off) return m_host.warn(text + "; it is cut off");
    for (attached& other : m_peers)
        if (other.alive) other.who->dismiss("the run has ended: '" + a.who->name() + "': " + why);
    // What started it may know why, and the file with all that it said goes with the results that there are
    // none of.
    constexpr double to_notice = 1;
    if (m_command != nullptr) m_command->wait(to_notice);
    const std::string last = m_command == nullptr ? "" : m_command->last_words();
    throw config::error(m_at, text + (last.empty() ? "" : "; what 'start' said last: " + last));
}

void bridge::end_run(const std::string& why) {
    m_phase.over = true;
    m_phase.end = why;
    for (attached& a : m_peers) {
        if (!a.alive) continue;
        a.alive = false;
        a.end = why;
        a.who->dismiss(why);
    }
    pass_marks(~picoseconds{0});
    for (; !m_queues.outgoing.empty(); m_queues.outgoing.pop()) m_counts->dropped("at_the_end");
    for (frame_queue& q : m_queues.incoming) q = {};
    if (m_capture) m_capture->finish();
    if (!m_command) return;
    constexpr double to_end = 10;
    m_command->wait(to_end);
    m_command_end = m_command->ended();
    if (!m_command_end) m_host.warn("bridge: '" + m_command->text() + "' is still running; it is stopped");
    m_command->stop();
}

void bridge::sent(frame f) {
    m_queues.outgoing.push({std::move(f), m_queues.numbers++});
}

/// Lets frames enter the network in order of time, node, and as they were sent.
void bridge::inject(cycle_t now) {
    while (!m_queues.outgoing.empty() && m_time.cycle_of(m_queues.outgoing.top().what.time) <= now) {
        const frame f = m_queues.outgoing.top().what;
        m_queues.outgoing.pop();
        pass_marks(f.time);
        launch(f);
    }
}

/// Passes marks of the region of interest before `time`; frames at its begin and its end are still in it.
void bridge::pass_marks(picoseconds time) {
    for (auto mark = m_marks.begin(); mark != m_marks.end(); mark = m_marks.erase(mark)) {
        const auto& [at, begins] = *mark;
        if (at > time || (at == time && !begins)) return;
        if (begins)
            m_counts->region_begins(at);
        else
            m_counts->region_ends(at);
    }
}

void bridge::launch(const frame& f) {
    m_counts->sent(f);
    if (m_capture) m_capture->add(f);
    std::uint32_t to = f.destination;
    if (f.bytes != nullptr) {
        m_table.learn(f.from(), f.source);
        const auto known = f.to().is_group() ? std::nullopt : m_table.find(f.to());
        if (!known && !f.to().is_group() && !m.flood) return m_counts->dropped("address_not_known");
        to = known.value_or(frame::everybody);
    }
    const auto shared = std::make_shared<const frame>(f);
    if (to != frame::everybody) return send_copy(shared, to);
    for (std::uint32_t n = 0; n < m_peer_of.size(); ++n)
        if (n != f.source && is_there(n)) send_copy(shared, n);
}

void bridge::send_copy(const std::shared_ptr<const frame>& f, std::uint32_t destination) {
    if (destination == f->source) return m_counts->dropped("to_its_own_node");
    if (!is_there(destination)) return m_counts->dropped("no_computer_there");
    const std::uint32_t slot = m_flying.take();
    m_flying[slot] = f;
    message out;
    out.source = f->source;
    out.destination = destination;
    out.flits = m_port->flits_for(f->length);
    out.bytes = f->length;
    out.generated = m_time.now;
    out.tag = slot;
    ++m_generated.messages;
    m_generated.flits += out.flits;
    m_port->send(out);
}

bool bridge::is_there(std::uint32_t node) const {
    return m_peer_of[node] != no_peer && m_peers[m_peer_of[node]].alive;
}

void bridge::delivered(const delivery& d) {
    const auto slot = static_cast<std::uint32_t>(d.what.tag);
    const std::shared_ptr<const frame> f = std::move(m_flying[slot]);
    m_flying.give_back(slot);
    if (!is_there(d.what.destination)) return m_counts->dropped("no_computer_there");
    const std::uint32_t to = m_peer_of[d.what.destination];
    const peer& p = *m_peers[to].who;
    const picoseconds arrival = m_time.of_cycle(d.consumed);
    frame here = *f;
    here.node = d.what.destination;
    here.time = m_slices.due(arrival, p.access_latency(), p.granted());
    m_counts->arrived(here, f->time, arrival + p.access_latency());
    m_queues.incoming[to].push({std::move(here), m_queues.numbers++});
}

void bridge::lost(const message& one) {
    const auto slot = static_cast<std::uint32_t>(one.tag);
    m_flying[slot].reset();
    m_flying.give_back(slot);
    m_counts->lost(one.source, one.destination);
}

}  // namespace sare::traffic
