// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/journey/wait_chain.h"

#include <algorithm>

namespace sare {
namespace {

using root = wait_root::kind;

/// Follows waits in a window of time from a packet to the packet that blocks it, until none does.
class chain_finder {
  public:
    chain_finder(const journey_book& book, std::vector<wait_chain>& found) : m_book(book), m_found(found) {}

    /// A packet waits in cycles [from, to) in `router`, by that stall.
    void follow_stall(std::uint32_t router, const packet_event& e, cycle_t from, cycle_t to) {
        const bool by_packet = e.behind.is == blocker::kind::packet;
        const auto ends_by = [&](root r) { end({r, router, e.out_port}, from, to); };
        switch (e.reason) {
            case stall_reason::consumer:
                return end({root::consumer, static_cast<std::uint32_t>(e.behind.number)}, from, to);
            case stall_reason::link:
                return ends_by(e.behind.is == blocker::kind::sleep ? root::sleep : root::busy_link);
            case stall_reason::clock:
                return end({root::clock, router}, from, to);
            case stall_reason::lost_va:
            case stall_reason::lost_sa:
                if (!by_packet) return ends_by(root::nobody);
                return end({root::contest, router, port_of_winner(e, router)}, from, to);
            case stall_reason::no_credit:
                return by_packet ? follow_beyond(e, router, from, to) : ends_by(root::unknown);
            default:
                return by_packet ? follow_packet(e.behind.number, router, from, to) : ends_by(root::unknown);
        }
    }
    /// A packet blocks in cycles [from, to), in a router that it has come to.
    void follow_packet(std::uint64_t number, std::uint32_t router, cycle_t from, cycle_t to) {
        const journey& j = m_book.visits_of(number);
        const std::size_t k = visit_in(j, router, to);
        if (k == j.visits.size()) return end({root::unknown, router}, from, to);
        follow_visit(j, k, from, to,
                     [&](cycle_t begin, cycle_t stop) { follow_late_flits(j, k, begin, stop); });
    }

  private:
    static std::size_t visit_in(const journey& j, std::uint32_t router, cycle_t before) {
        for (std::size_t k = j.visits.size(); k-- != 0;)
            if (j.visits[k].router == router && j.visits[k].in < before) return k;
        return j.visits.size();
    }
    port_number port_of_winner(const packet_event& e, std::uint32_t router) const {
        if (e.out_port != packet_event::no_port) return e.out_port;
        const journey& winner = m_book.visits_of(e.behind.number);
        const std::size_t k = visit_in(winner, router, e.cycle + e.cycles);
        return k == winner.visits.size() ? packet_event::no_port : winner.visits[k].out_port;
    }
    /// A packet has the place in the next router for which the flit of a stall waits.
    void follow_beyond(const packet_event& e, std::uint32_t router, cycle_t from, cycle_t to) {
        const journey& j = m_book.visits_of(e.behind.number);
        const std::size_t k = visit_in(j, router, to) + 1;
        const wait_root trip{root::round_trip, router, e.out_port};
        if (k >= j.visits.size()) return end(trip, from, to);
        follow_visit(j, k, from, to, [&](cycle_t begin, cycle_t stop) {
            while (begin < stop) {  // the same as long as a flit of it is there, or none
                const bool there = is_there(j.visits[k], begin);
                cycle_t next = begin + 1;
                while (next < stop && is_there(j.visits[k], next) == there) ++next;
                end(there ? wait_root{root::sending, j.visits[k].router, j.visits[k].out_port} : trip, begin,
                    next);
                begin = next;
            }
        });
    }
    static bool is_there(const router_visit& v, cycle_t t) {
        return std::any_of(v.flits.begin(), v.flits.end(),
                           [=](const auto& f) { return f.in <= t && t <= f.out; });
    }
    /// Follows the stalls of a packet in visit k; `rest` gets the cycles in which it has none.
    template <class Rest>
    void follow_visit(const journey& j, std::size_t k, cycle_t from, cycle_t to, Rest rest) {
        const router_visit& v = j.visits[k];
        const auto is_same = [&](const wait_link& l) {
            return l.packet == j.packet.number && l.router == v.router;
        };
        if (std::any_of(m_links.begin(), m_links.end(), is_same))
            return end({root::circle, v.router}, from, to);
        for (const packet_event& e : v.stalls) {
            const cycle_t begin = std::max(e.cycle, from), stop = std::min(e.cycle + e.cycles, to);
            if (begin >= stop) continue;
            m_links.push_back({j.packet.number, v.router});
            rest(from, begin);
            m_links.back() = {j.packet.number, v.router, true, e.reason, e.out_port};
            follow_stall(v.router, e, begin, stop);
            m_links.pop_back();
            from = stop;
        }
        m_links.push_back({j.packet.number, v.router});
        rest(from, to);
        m_links.pop_back();
    }
    /// A packet has a VC of visit k and no flit there that waits: later flits may wait in a router before.
    void follow_late_flits(const journey& j, std::size_t k, cycle_t from, cycle_t to) {
        if (from >= to) return;
        const auto overlaps = [=](const packet_event& e) {
            return e.cycle < to && e.cycle + e.cycles > from;
        };
        for (std::size_t n = k; n-- != 0;) {
            const auto& stalls = j.visits[n].stalls;
            if (!std::any_of(stalls.begin(), stalls.end(), overlaps)) continue;
            return follow_visit(j, n, from, to,
                                [&](cycle_t begin, cycle_t stop) { send(j.visits[k], begin, stop); });
        }
        send(j.visits[k], from, to);
    }
    void send(const router_visit& v, cycle_t from, cycle_t to) {
        end({root::sending, v.router, v.out_port}, from, to);
    }
    void end(const wait_root& r, cycle_t from, cycle_t to) {
        if (from < to) m_found.push_back({to - from, m_links, r});
    }

    const journey_book& m_book;
    std::vector<wait_chain>& m_found;
    std::vector<wait_link> m_links;
};

bool by_cycles(const wait_chain& a, const wait_chain& b) {
    return a.cycles > b.cycles;
}

}  // namespace

std::vector<wait_chain> explain_wait(const journey_book& book, const journey& j, const journey_span& s) {
    std::vector<wait_chain> found;
    if (!s.waits()) return found;
    chain_finder finder(book, found);
    if (s.is == journey_span::kind::stall) {
        packet_event e;
        e.cycle = s.from;
        e.cycles = static_cast<std::uint32_t>(s.cycles());
        e.reason = s.reason;
        e.behind = s.behind;
        e.out_port = s.out_port;
        finder.follow_stall(j.visits[s.visit].router, e, s.from, s.to);
    } else if (s.is == journey_span::kind::held) {
        found.push_back({s.cycles(), {}, {root::nic, j.packet.source}});
    } else if (s.behind.is == blocker::kind::packet) {
        finder.follow_packet(s.behind.number, book.visits_of(s.behind.number).first_router(), s.from, s.to);
    } else {
        found.push_back({s.cycles(), {}, {root::unknown, j.first_router()}});
    }
    // Equal ways are one.
    std::vector<wait_chain> all;
    for (wait_chain& c : found) {
        const auto same = std::find_if(all.begin(), all.end(), [&](const wait_chain& a) {
            return a.root == c.root && a.links == c.links;
        });
        if (same == all.end())
            all.push_back(std::move(c));
        else
            same->cycles += c.cycles;
    }
    std::stable_sort(all.begin(), all.end(), by_cycles);
    return all;
}

std::vector<std::pair<wait_root, cycle_t>> roots_of(const journey_book& book, const journey& j) {
    std::map<wait_root, cycle_t> sums;
    for (const journey_span& s : j.spans)
        for (const wait_chain& c : explain_wait(book, j, s)) sums[c.root] += c.cycles;
    std::vector<std::pair<wait_root, cycle_t>> all(sums.begin(), sums.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return all;
}

}  // namespace sare
