// SPDX-License-Identifier: Apache-2.0
#include "tlm/retransmission/go_back_n.h"

#include "tlm/api/packet_changes.h"
#include "tlm/base/world.h"

#include <algorithm>

namespace sare {
namespace {

std::uint32_t flow_in(std::uint64_t tag) {
    return static_cast<std::uint32_t>(tag >> 32) & 0x1fffffff;
}
std::uint32_t number_in(std::uint64_t tag) {
    return static_cast<std::uint32_t>(tag);
}

/// Words that go with a packet to another process: its flits without padding; flits, cycle of injection, tag
/// and bytes of its message; from `own` on, words of the workload.
namespace word {
enum : std::uint8_t { packet_flits, flits, injected, tag, bytes, own };
}

}  // namespace

void go_back_n::start(traffic_port& port) {
    m_port = &port;
    m_gates.resize(std::size_t{port.nodes()} * port.classes());
    m_made.assign(m_gates.size(), {});
    m_useful.assign(port.nodes(), {});
    m_queued.assign(m_gates.size(), {});
    m_call_level.assign(m_gates.size(), none);
    m_is_awake.assign(port.nodes(), false);
    m_came.resize(port.nodes());
    m_inner.start(*this);
}

std::uint32_t go_back_n::flow_of(std::uint32_t source, std::uint32_t destination,
                                 std::uint32_t message_class) {
    const auto [place, fresh] = m_flow_of.try_emplace({source, destination, message_class},
                                                      static_cast<std::uint32_t>(m_flows.size()));
    if (fresh) {
        m_flows.push_back({source, destination, message_class, {}, {}});
        m_flows.back().rate = m_control->make();
    }
    return place->second;
}

void go_back_n::send(const message& m) {
    const bool can_be =
        m.source < nodes() && m.destination < nodes() && m.message_class < classes() && m.flits != 0;
    if (!can_be) return m_port->send(m);  // which says what is wrong
    m_made[place_of(m.source, m.message_class)] += {1, m.flits};
    const std::uint32_t id = flow_of(m.source, m.destination, m.message_class);
    if (m_flows[id].ended) {
        lose(m, m_flows[id].no_route ? loss::unreachable : loss::given_up);
        return wake(m.source);
    }
    if (m_free_messages.empty()) {
        m_free_messages.push_back(static_cast<std::uint32_t>(m_messages.size()));
        m_messages.emplace_back();
    }
    const std::uint32_t slot = m_free_messages.back();
    m_free_messages.pop_back();
    m_messages[slot] = {m, m.flits, m.flits, never};
    ++m_open_messages;
    m_queued[place_of(m.source, m.message_class)] += {1, m.flits};
    m_flows[id].messages.push_back(slot);
    make_ready(id);
}

generated_counts go_back_n::made(std::uint32_t node) const {
    generated_counts all = backlog_at(m_inner, node);
    for (std::uint32_t c = 0; c < m_port->classes(); ++c) all += m_made[place_of(node, c)];
    return all;
}

generated_counts go_back_n::made_of(std::uint32_t node, std::uint32_t message_class) const {
    generated_counts all = m_made[place_of(node, message_class)];
    return all += m_inner.backlog_of(node, message_class);
}

std::uint32_t go_back_n::queued(std::uint32_t node) const {
    std::uint32_t sum = 0;
    for (std::uint32_t c = 0; c < m_port->classes(); ++c) sum += queued_of(node, c);
    return sum;
}

void go_back_n::call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) {
    m_call_level[place_of(node, message_class)] = level;
    call_if_wanted(node, message_class);
}

void go_back_n::call_if_wanted(std::uint32_t node, std::uint32_t message_class) {
    std::uint32_t& level = m_call_level[place_of(node, message_class)];
    if (level == none || queued_of(node, message_class) > level) return;
    level = none;
    m_calls.emplace_back(node, message_class);
}

/// Counts a message less in the queue of its flow's source: all of it has been sent once, or it is lost.
void go_back_n::one_less(const flow& f) {
    --m_queued[place_of(f.source, f.message_class)].messages;
    call_if_wanted(f.source, f.message_class);
}

bool go_back_n::can_send(const flow& f) const {
    if (f.ended) return false;
    return f.next < f.base + f.packets.size() || (f.packets.size() < m_params.window && !f.messages.empty());
}

void go_back_n::make_ready(std::uint32_t id) {
    flow& f = m_flows[id];
    if (f.ready || !can_send(f) || waits_for_rate(id)) return;
    f.ready = true;
    gate_of(f.source, f.message_class).ready.push_back(id);
    wake(f.source);
}

void go_back_n::wake(std::uint32_t node) {
    if (m_is_awake[node]) return;
    m_is_awake[node] = true;
    m_awake.push_back(node);
}

cycle_t go_back_n::next_tick() const {
    if (!m_awake.empty() || !m_calls.empty()) return m_port->now();
    cycle_t next = m_inner.next_tick();
    for (const auto* timers : {&m_timers, &m_paced})
        if (!timers->empty()) next = std::min(next, timers->top().first);
    if (!m_ideal.empty()) next = std::min(next, m_ideal.front().at);
    return next;
}

void go_back_n::tick(cycle_t now) {
    for (; !m_ideal.empty() && m_ideal.front().at <= now; m_ideal.pop_front())
        take_acknowledgement(m_ideal.front().flow, m_ideal.front().number, m_ideal.front().notifies);
    run_out(now);
    release_paced(now);
    tell_lost();
    call_for_room();
    if (m_inner.next_tick() <= now) m_inner.tick(now);
    tell_lost();
    std::sort(m_awake.begin(), m_awake.end());
    for (const std::uint32_t node : m_awake) {
        m_is_awake[node] = false;
        serve(node);
    }
    m_awake.clear();
}

/// Makes the calls that are due; a call that is asked for meanwhile is made in the next cycle.
void go_back_n::call_for_room() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ready;
    ready.swap(m_calls);
    std::sort(ready.begin(), ready.end());
    for (const auto& [node, message_class] : ready) m_inner.queue_space(node, message_class);
}

void go_back_n::lose(const message& m, const std::string& cause) {
    ++m_counters.lost_messages;
    ++m_losses.by_cause[cause];
    m_lost.emplace_back(m, cause);
    if (m_losses.first.empty())
        m_losses.first = lost_text(m.source, m.destination, m.generated, m_port->now(), cause);
}

void go_back_n::tell_lost() {
    while (!m_lost.empty()) {
        std::vector<std::pair<message, std::string>> all;
        all.swap(m_lost);
        for (const auto& [what, cause] : all) {
            m_inner.dropped(what, cause);
            m_inner.lost(what);
        }
    }
}

/// Hands the NIC of a node a packet of each class of which none waits there.
void go_back_n::serve(std::uint32_t node) {
    for (std::uint32_t c = 0; c < m_port->classes(); ++c) {
        gate& g = gate_of(node, c);
        if (g.in_nic != 0) continue;
        if (!g.acknowledge.empty()) {
            const std::uint32_t id = g.acknowledge.front();
            g.acknowledge.pop_front();
            send_acknowledgement(id);
            continue;
        }
        while (!g.ready.empty() && g.in_nic == 0) {
            const std::uint32_t id = g.ready.front();
            g.ready.pop_front();
            m_flows[id].ready = false;
            if (!can_send(m_flows[id])) continue;
            send_packet(id);
            if (can_send(m_flows[id]) && !waits_for_rate(id)) {
                m_flows[id].ready = true;
                g.ready.push_back(id);
            }
        }
    }
}

/// Appends to the window the next packet of the first message that is not wholly in packets.
void go_back_n::cut(flow& f) {
    const std::uint32_t slot = f.messages.front();
    open_message& m = m_messages[slot];
    const std::uint32_t flits = std::min(m.to_cut, m_params.max_packet_flits);
    if (m.to_cut != m.what.flits)
        ++m_made[place_of(f.source, f.message_class)].messages;  // a further packet of the message
    m.to_cut -= flits;
    f.packets.push_back({slot, flits, m.to_cut == 0});
    if (m.to_cut == 0) f.messages.pop_front();
}

void go_back_n::send_packet(std::uint32_t id) {
    flow& f = m_flows[id];
    if (f.next == f.base + f.packets.size()) cut(f);
    outgoing& p = f.packets[f.next - f.base];
    const std::uint64_t tag = std::uint64_t{id} << 32 | static_cast<std::uint32_t>(f.next);
    const message& of = m_messages[p.message].what;
    p.sent = never;
    ++f.next;
    ++(p.times++ == 0 ? m_counters.packets : m_counters.sent_again);
    gate_of(f.source, f.message_class).in_nic = tag + 1;
    m_port->send({f.source, f.destination, p.flits, f.message_class, of.generated, tag});
    spend_rate(f, p.flits);
    if (p.times != 1) return;
    m_queued[place_of(f.source, f.message_class)].flits -= p.flits;
    if (p.last) one_less(f);
}

void go_back_n::send_acknowledgement(std::uint32_t id) {
    flow& f = m_flows[id];
    f.acknowledge = false;
    ++m_counters.acknowledgements;
    const std::uint64_t tag = acknowledges | (f.notify ? notifies : 0) | std::uint64_t{id} << 32 |
                              static_cast<std::uint32_t>(f.expected);
    f.notify = false;
    gate_of(f.destination, f.message_class).in_nic = tag + 1;
    m_port->send({f.destination, f.source, 1, f.message_class, m_port->now(), tag});
}

/// Notes that the head of the packet that waited in the NIC leaves it.
void go_back_n::packet_injected(std::uint32_t node, const packet& p, cycle_t now) {
    m_statistics->packet_injected(node, p, now);
    gate& g = gate_of(node, m_shares.class_of(p.route.vc_base));
    const std::uint64_t tag = g.in_nic - 1;
    g.in_nic = 0;
    if (!g.ready.empty() || !g.acknowledge.empty()) wake(node);
    if ((tag & acknowledges) != 0) return;
    const std::uint32_t id = flow_in(tag);
    flow& f = m_flows[id];
    const std::uint32_t place = number_in(tag) - static_cast<std::uint32_t>(f.base);
    if (place >= f.packets.size()) return;  // acknowledged meanwhile: a copy of it had come
    outgoing& sent = f.packets[place];
    sent.sent = now;
    open_message& m = m_messages[sent.message];
    if (m.injected == never) {
        m.injected = now;
        ++m_counters.started_messages;
    }
    if (place == 0) watch_time(id);
}

/// Sets a timer for the acknowledgement of the first packet of the window.
void go_back_n::watch_time(std::uint32_t id) {
    const flow& f = m_flows[id];
    if (!f.packets.empty() && f.packets.front().sent != never)
        m_timers.emplace(f.packets.front().sent + m_params.time_out, id);
}

/// Goes back in flows whose timers run out. Timers of packets that have been acknowledged or sent again since
/// are ignored.
void go_back_n::run_out(cycle_t now) {
    while (!m_timers.empty() && m_timers.top().first <= now) {
        const auto [at, id] = m_timers.top();
        m_timers.pop();
        const flow& f = m_flows[id];
        if (f.packets.empty() || f.packets.front().sent == never) continue;
        if (f.packets.front().sent + m_params.time_out == at) go_back(id);
    }
}

void go_back_n::go_back(std::uint32_t id) {
    flow& f = m_flows[id];
    ++m_counters.time_outs;
    if (m_params.attempts != 0 && f.packets.front().times >= m_params.attempts)
        return end_flow(id, loss::given_up);
    for (outgoing& p : f.packets) p.sent = never;
    f.next = f.base;
    make_ready(id);
}

void go_back_n::packet_consumed(std::uint32_t node, const packet& p, cycle_t) {
    m_came[node] = p;
}

void go_back_n::delivered(const delivery& d) {
    const std::uint32_t id = flow_of(d);
    if ((d.what.tag & acknowledges) != 0)
        return take_acknowledgement(id, number_in(d.what.tag), (d.what.tag & notifies) != 0);
    is_here(d.what.source) ? take_data(id, d) : take_from_elsewhere(id, d);
    flow& f = m_flows[id];
    if (f.ended) return;
    note_mark(f, d);
    if (m_params.acknowledge == acknowledgement::ideal) {
        ++m_counters.acknowledgements;
        m_ideal.push_back(
            {d.consumed + m_params.acknowledge_delay, id, static_cast<std::uint32_t>(f.expected), f.notify});
        f.notify = false;
    } else if (!f.acknowledge) {
        f.acknowledge = true;
        gate_of(f.destination, f.message_class).acknowledge.push_back(id);
        wake(f.destination);
    }
}

/// Returns true if a packet is the one that its flow expects; else counts it as a duplicate or out of order.
bool go_back_n::is_next(const flow& f, const delivery& d) {
    const std::uint32_t ahead = number_in(d.what.tag) - static_cast<std::uint32_t>(f.expected);
    if (f.ended) return false;
    if (ahead != 0) ++(ahead < 0x80000000 ? m_counters.out_of_order : m_counters.duplicates);
    return ahead == 0;
}

/// Takes a data packet from a node of this process. The expected packet is in the sender's window, as nobody
/// has acknowledged it.
void go_back_n::take_data(std::uint32_t id, const delivery& d) {
    flow& f = m_flows[id];
    if (!is_next(f, d)) return;
    const outgoing& p = f.packets[f.expected - f.base];
    ++f.expected;
    open_message& m = m_messages[p.message];
    m.to_arrive -= p.flits;
    m_counters.useful_flits += p.flits;
    m_useful[f.destination] += {1, p.flits};
    m_statistics->packet_consumed(f.destination, m_came[f.destination], d.consumed);
    if (m.to_arrive == 0) message_arrived(m.what, m.injected, d.consumed);
}

void go_back_n::message_arrived(const message& what, cycle_t injected, cycle_t consumed) {
    message_record record;
    record.what = what;
    record.injected = injected;
    m_statistics->message_consumed(record, consumed);
    if (m_inner.wants_deliveries()) m_inner.delivered({what, injected, consumed});
}

/// Removes all packets before `number` from the window, as they have arrived.
void go_back_n::take_acknowledgement(std::uint32_t id, std::uint32_t number, bool notified) {
    flow& f = m_flows[id];
    if (notified && f.rate) f.rate->notified(m_port->now());
    const std::uint32_t come = number - static_cast<std::uint32_t>(f.base);
    if (f.ended || come == 0 || come > f.packets.size()) return;  // nothing new, or an old acknowledgement
    for (std::uint32_t k = 0; k < come; ++k) {
        if (f.packets.front().last) free(f.packets.front().message);
        f.packets.pop_front();
    }
    f.base += come;
    f.next = std::max(f.next, f.base);
    watch_time(id);
    make_ready(id);
}

void go_back_n::free(std::uint32_t slot) {
    if (const message& m = m_messages[slot].what; !is_here(m.destination)) m_inner.has_left(m);
    m_free_messages.push_back(slot);
    --m_open_messages;
}

/// Ends a flow like an InfiniBand queue pair that has run out of retries: it sends nothing any more, and its
/// messages that have not arrived are lost.
void go_back_n::end_flow(std::uint32_t id, const std::string& cause) {
    flow& f = m_flows[id];
    if (f.ended) return;
    f.ended = true;
    f.no_route = cause == loss::unreachable;
    ++m_counters.given_up;
    std::uint64_t& unsent = m_queued[place_of(f.source, f.message_class)].flits;
    std::vector<std::pair<std::uint32_t, bool>> all;  // messages, and whether they have been sent
    for (const outgoing& p : f.packets) {
        if (p.last) all.emplace_back(p.message, p.times != 0);
        if (p.times == 0) unsent -= p.flits;
    }
    for (const std::uint32_t slot : f.messages) {
        all.emplace_back(slot, false);
        unsent -= m_messages[slot].to_cut;
    }
    for (const auto& [slot, sent] : all) {
        const open_message& m = m_messages[slot];
        if (!sent) one_less(f);
        if (m.to_arrive != 0) lose(m.what, cause);
        free(slot);
    }
    f.packets.clear();
    f.messages.clear();
    wake(f.source);
}

/// Ignores the loss of a packet, which the sender cannot know, unless its own NIC says that there is no
/// route.
void go_back_n::dropped_at(const message& m, const std::string& cause, const drop_location& at) {
    (void)at;
    if (cause != loss::unreachable) return;
    gate& g = gate_of(m.source, m.message_class);
    if (g.in_nic == m.tag + 1) {
        g.in_nic = 0;
        wake(m.source);
    }
    if ((m.tag & acknowledges) == 0) end_flow(flow_in(m.tag), cause);
}

// Flows from one process to another: a packet brings what the destination must know of its message.

std::uint32_t go_back_n::words_with_messages() const {
    return word::own + m_inner.words_with_messages();
}

/// Writes zeros for an acknowledgement, and for a copy of a packet that has been acknowledged meanwhile.
void go_back_n::write_words(const message& m, std::uint64_t* words) const {
    std::fill_n(words, words_with_messages(), 0);
    if ((m.tag & acknowledges) != 0) return;
    const flow& f = m_flows[flow_in(m.tag)];
    const std::uint32_t place = number_in(m.tag) - static_cast<std::uint32_t>(f.base);
    if (place >= f.packets.size()) return;
    const open_message& of = m_messages[f.packets[place].message];
    words[word::packet_flits] = f.packets[place].flits;
    words[word::flits] = of.what.flits;
    words[word::injected] = of.injected;
    words[word::tag] = of.what.tag;
    words[word::bytes] = of.what.bytes;
    if (m_inner.words_with_messages() != 0) m_inner.write_words(of.what, words + word::own);
}

std::uint64_t go_back_n::tag_of(const message& m, const std::uint64_t* words) {
    m_words.assign(words, words + words_with_messages());
    return m.tag;
}

/// Returns the flow of a packet. The number in its tag is that of the process of its source.
std::uint32_t go_back_n::flow_of(const delivery& d) {
    const message& m = d.what;
    if (is_here(m.source)) return flow_in(m.tag);
    return (m.tag & acknowledges) != 0 ? flow_of(m.destination, m.source, m.message_class)
                                       : flow_of(m.source, m.destination, m.message_class);
}

/// Takes a data packet from another process. Packets of a flow are taken in order, so its messages come in
/// order.
void go_back_n::take_from_elsewhere(std::uint32_t id, const delivery& d) {
    flow& f = m_flows[id];
    if (!is_next(f, d)) return;
    ++f.expected;
    if (f.to_arrive == 0) f.to_arrive = static_cast<std::uint32_t>(m_words[word::flits]);
    f.to_arrive -= static_cast<std::uint32_t>(m_words[word::packet_flits]);
    m_counters.useful_flits += m_words[word::packet_flits];
    m_useful[f.destination] += {1, m_words[word::packet_flits]};
    m_statistics->packet_consumed(f.destination, m_came[f.destination], d.consumed);
    if (f.to_arrive != 0) return;
    message what = d.what;
    what.flits = static_cast<std::uint32_t>(m_words[word::flits]);
    what.tag = m_words[word::tag];
    what.bytes = m_words[word::bytes];
    if (m_inner.words_with_messages() != 0) what.tag = m_inner.tag_of(what, m_words.data() + word::own);
    message_arrived(what, m_words[word::injected], d.consumed);
}

void go_back_n::agree(world& all, std::uint32_t most) {
    dynamic_cast<synchronized_workload&>(m_inner).agree(all, most);
}

void go_back_n::add_up(world& all) {
    m_inner.add_up(all);
    counters& c = m_counters;
    for (std::uint64_t* const n :
         {&c.packets, &c.sent_again, &c.acknowledgements, &c.time_outs, &c.duplicates, &c.out_of_order,
          &c.started_messages, &c.useful_flits, &c.marked, &c.notices})
        *n = all.sum(*n);
}

}  // namespace sare
