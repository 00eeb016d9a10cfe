// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/journey/journey.h"

#include <algorithm>

namespace sare {

using what = packet_event::what;
using span = journey_span;

const char* name_of(journey_span::kind k) {
    constexpr const char* names[] = {"source queue", "first buffer", "held by NIC", "injection queue",
                                     "injection",    "stall",        "router",      "link",
                                     "flits",        "ejection"};
    return names[static_cast<int>(k)];
}

cycle_t journey::waited() const {
    cycle_t sum = 0;
    for (const span& s : spans) sum += s.waits() ? s.cycles() : 0;
    return sum;
}

void journey_book::take(const packet_event& e) {
    m_events[e.packet.number].push_back(e);
    if (e.is == what::injected) m_injected[e.packet.source].insert({e.cycle, e.packet.number});
    m_found.clear();
}

std::vector<std::uint64_t> journey_book::packets() const {
    std::vector<std::uint64_t> all;
    for (const auto& [number, events] : m_events) all.push_back(number);
    return all;
}

namespace {

/// Builds the spans of a journey from its end to its begin: at each point the flit that decided when the next
/// could happen.
class span_builder {
  public:
    span_builder(journey& j, span::kind before_first)
        : m_j(j), m_before_first(before_first), m_at(j.consumed) {}

    void build() {
        if (m_j.visits.empty()) return go_to(m_j.injected, m_before_first);
        m_visit = static_cast<std::uint32_t>(m_j.visits.size()) - 1;
        const router_visit& last = m_j.visits.back();
        m_flit = static_cast<std::uint16_t>(last.flits.size() - 1);
        go_to_router(span::kind::ejection);
        for (bool more = true; more;) more = m_flit == 0 ? pass_head() : pass_flit();
    }
    /// Adds the span from a cycle to the earliest one reached so far.
    void go_to(cycle_t from, span::kind is) {
        if (from >= m_at) return;
        span s{from, m_at, is};
        s.visit = m_visit;
        s.flit = m_flit;
        m_j.spans.push_back(s);
        m_at = from;
    }

  private:
    const router_visit& here() const { return m_j.visits[m_visit]; }

    /// Goes back over the link to where the current flit left this router; waits for edges come first.
    void go_to_router(span::kind is) {
        go_to(free_from(m_visit), is);
        wait_for_clock(here().flits[m_flit].out);
    }
    /// First cycle after `out` in which the current flit does not wait for edges of the router of visit k.
    cycle_t free_from(std::uint32_t k) const {
        const router_visit::flit_times& f = m_j.visits[k].flits[m_flit];
        return f.out + f.clock_after;
    }
    void wait_for_clock(cycle_t from) {
        if (from >= m_at) return;
        go_to(from, span::kind::stall);
        m_j.spans.back().reason = stall_reason::clock;
    }
    /// Goes back over what the current flit waited in front of this router, but not beyond cycle `from`.
    void wait_in_front(cycle_t from) {
        const router_visit::flit_times& f = here().flits[m_flit];
        if (f.clock_before != 0) wait_for_clock(std::max(from, f.in - f.clock_before));
    }
    /// Goes back to a cycle by the stalls of the current flit; the rest is spans of kind `rest`.
    void follow(cycle_t from, span::kind rest) {
        for (auto e = here().stalls.rbegin(); e != here().stalls.rend(); ++e) {
            const cycle_t begin = std::max(e->cycle, from), end = std::min(e->cycle + e->cycles, m_at);
            if (e->flit != m_flit || begin >= end) continue;
            go_to(end, rest);
            go_to(begin, span::kind::stall);
            span& s = m_j.spans.back();
            s.reason = e->reason;
            s.behind = e->behind;
            s.out_port = e->out_port;
            s.out_vc = e->out_vc;
        }
        go_to(from, rest);
    }
    /// Goes back to where the head left the router before. Returns false at the source.
    bool pass_head() {
        follow(here().in, span::kind::router);
        wait_in_front(m_visit == 0 ? m_j.injected : free_from(m_visit - 1));
        if (m_visit == 0) return go_to(m_j.injected, m_before_first), false;
        --m_visit;
        go_to_router(span::kind::link);
        return true;
    }
    /// Goes back to where the flit before it left this router, if this one could not have left earlier; else
    /// to where this one left the router before. Returns false at the source.
    bool pass_flit() {
        const cycle_t in = here().flits[m_flit].in;
        const cycle_t before = here().flits[m_flit - 1u].out;
        if (before + 1 >= in) {
            follow(before, span::kind::flits);
            --m_flit;
            return true;
        }
        follow(in, span::kind::router);
        if (m_visit != 0) {
            wait_in_front(free_from(m_visit - 1));
            --m_visit;
            go_to_router(span::kind::link);
            return true;
        }
        pass_source(here().in);
        return false;
    }
    /// Goes back to the injection of the head: the flits after it could follow it cycle by cycle.
    void pass_source(cycle_t head_came) {
        const cycle_t could = head_came + m_flit;
        go_to(could, span::kind::first_buffer);
        go_to(head_came, span::kind::flits);
        m_flit = 0;
        go_to(m_j.injected, m_before_first);
    }

    journey& m_j;
    const span::kind m_before_first;
    cycle_t m_at;
    std::uint32_t m_visit = 0;
    std::uint16_t m_flit = 0;
};

/// Finds the visits of a packet in its events, in order of time.
class visit_builder {
  public:
    explicit visit_builder(journey& j) : m_j(j) {}

    void add(const packet_event& e) {
        const std::uint32_t flits = std::max(m_j.packet.flits, e.flit + 1u);
        m_j.packet = e.packet;
        m_j.packet.flits = std::max(m_j.packet.flits, flits);
        if (e.is == what::generated) m_j.generated = e.cycle;
        if (e.is == what::injected) m_j.injected = e.cycle;
        if (e.is == what::consumed) m_j.consumed = e.cycle;
        if (e.is == what::in) return begin(e);
        if (e.is == what::flit_in) return flit_in(e);
        router_visit* const v = find(e);
        if (v == nullptr) return;
        if (e.is == what::stall) {
            if (e.reason == stall_reason::behind) v->front = e.cycle + e.cycles;
            v->stalls.push_back(e);
        } else if (e.is == what::out) {
            v->out_port = e.out_port;
            v->out_vc = e.out_vc;
            v->granted = e.cycle - e.cycles;
            v->out = e.cycle;
        } else if (e.is == what::left) {
            v->left = e.cycle;
        } else if (e.is == what::flit_out && e.flit < v->flits.size()) {
            v->flits[e.flit].out = e.cycle;
            v->flits[e.flit].clock_after = e.cycles;
        }
    }

  private:
    void begin(const packet_event& e) {
        router_visit v{};
        v.router = e.place;
        v.in_port = e.in_port;
        v.in_vc = e.in_vc;
        v.in = v.front = e.cycle;
        v.granted = v.out = v.left = journey::never;
        m_j.visits.push_back(std::move(v));
    }
    static bool is_at(const router_visit& v, const packet_event& e) {
        return v.router == e.place && v.in_port == e.in_port && v.in_vc == e.in_vc;
    }
    void flit_in(const packet_event& e) {
        for (router_visit& v : m_j.visits) {
            if (!is_at(v, e) || (e.flit < v.flits.size() && v.flits[e.flit].in != journey::never)) continue;
            if (v.flits.size() <= e.flit) v.flits.resize(e.flit + 1u, {journey::never, journey::never});
            v.flits[e.flit].in = e.cycle;
            v.flits[e.flit].clock_before = e.cycles;
            if (e.cycles == 0) return;
            v.stalls.push_back(e);  // for those who wait for its place
            v.stalls.back().cycle -= e.cycles;
            v.stalls.back().reason = stall_reason::clock;
            return;
        }
    }
    /// Returns the last visit that has the flit of the event.
    router_visit* find(const packet_event& e) {
        for (auto v = m_j.visits.rbegin(); v != m_j.visits.rend(); ++v)
            if (is_at(*v, e) && (v->flits.empty() || e.flit < v->flits.size())) return &*v;
        return nullptr;
    }

    journey& m_j;
};

}  // namespace

journey& journey_book::seen(std::uint64_t packet) const {
    const auto [found, is_new] = m_found.try_emplace(packet);
    journey& j = found->second;
    const auto events = m_events.find(packet);
    if (!is_new || events == m_events.end()) return j;
    std::vector<packet_event> sorted = events->second;
    std::stable_sort(sorted.begin(), sorted.end(), [](const packet_event& a, const packet_event& b) {
        // A visit begins before its first flit, and a flit comes before it waits.
        const auto place = [](what is) { return is == what::flit_in ? 2.5 : static_cast<int>(is); };
        return std::make_pair(a.cycle, place(a.is)) < std::make_pair(b.cycle, place(b.is));
    });
    visit_builder visits(j);
    for (const packet_event& e : sorted) visits.add(e);
    return j;
}

bool journey_book::is_whole(const journey& j) {
    if (j.generated == journey::never || j.consumed == journey::never) return false;
    return std::all_of(j.visits.begin(), j.visits.end(), [](const router_visit& v) {
        return v.left != journey::never && !v.flits.empty() && v.flits.back().out == v.left;
    });
}

const journey& journey_book::of(std::uint64_t packet) const {
    journey& j = seen(packet);
    if (!is_whole(j) || !j.spans.empty()) return j;
    span_builder(j, m_rules.queues_in_routers ? span::kind::first_queue : span::kind::injection).build();
    add_source_queue(j);
    std::reverse(j.spans.begin(), j.spans.end());
    return j;
}

/// Adds the time in the source queue, from its end to its begin: behind the packets that the node sent in it,
/// and after each of them until the buffer of the first router had room, or the NIC let the packet go.
void journey_book::add_source_queue(journey& j) const {
    const auto& sent = m_injected.at(j.packet.source);
    cycle_t at = j.injected;
    const auto add = [&](cycle_t from, span::kind is, const blocker& by) {
        from = std::max(from, j.generated);
        if (from >= at) return;
        span s{from, at, is};
        s.behind = by;
        j.spans.push_back(s);
        at = from;
    };
    for (auto q = sent.find({j.injected, j.packet.number}); at > j.generated && q != sent.begin();) {
        const journey& before = seen((--q)->second);
        if (!m_rules.queues_in_routers) {
            const cycle_t begin = end_of_injection(before);
            add(std::max(begin, first_room(j, before.injected + 1)), span::kind::held, {});
            add(begin, span::kind::first_buffer, first_holder(j, at - 1));
        }
        add(before.injected, span::kind::source_queue, blocker::by_packet(before.packet.number));
    }
    add(j.generated, span::kind::source_queue, {});
}

/// Returns the first cycle in which the node could send something after a packet.
cycle_t journey_book::end_of_injection(const journey& j) {
    const router_visit* const first = j.visits.empty() ? nullptr : &j.visits.front();
    if (first == nullptr || first->flits.empty()) return j.injected + 1;
    return first->flits.back().in - (first->in - j.injected) + 1;
}

/// Returns the first cycle in which the buffer of a packet's first router is known to have room for it, if
/// the node sends nothing from cycle `sent_before` on; never if the room, or a limit of the NIC, is not
/// known. Places are given back in order, so the last of those that the packet needs decides.
cycle_t journey_book::first_room(const journey& j, cycle_t sent_before) const {
    if (!m_rules.buffer_of || j.visits.empty()) return journey::never;
    const router_visit& own = j.visits.front();
    const injection_rules::first_buffer buffer = m_rules.buffer_of(j.packet.source, j.packet.message_class);
    const std::uint32_t need = buffer.needed(j.packet.flits);
    if (buffer.depth < need) return journey::never;
    std::uint32_t left = buffer.depth - need;  // flits that may still have a place
    const auto& sent = m_injected.at(j.packet.source);
    cycle_t room = journey::never;
    for (auto q = sent.lower_bound({sent_before, 0}); q != sent.begin();) {
        const journey& before = seen((--q)->second);
        if (before.visits.empty() || before.visits.front().in_vc != own.in_vc) continue;
        const auto& flits = before.visits.front().flits;
        for (auto f = flits.rbegin(); f != flits.rend(); ++f) {
            if (f->out == journey::never) return journey::never;
            room = f->out + buffer.round_trip - (own.in - j.injected);
            if (left-- == 0) return room;
        }
    }
    return room;
}

/// Returns the oldest packet in the buffer of the first router that a packet came into, in a cycle before it
/// came.
blocker journey_book::first_holder(const journey& j, cycle_t when) const {
    blocker oldest;
    if (j.visits.empty()) return oldest;
    const auto& sent = m_injected.at(j.packet.source);
    for (auto q = sent.find({j.injected, j.packet.number}); q != sent.begin();) {
        const journey& before = seen((--q)->second);
        if (before.visits.empty() || before.visits.front().in_vc != j.visits.front().in_vc) continue;
        if (before.visits.front().in > when) continue;
        if (before.visits.front().left < when) break;
        oldest = blocker::by_packet(before.packet.number);
    }
    return oldest;
}

}  // namespace sare
