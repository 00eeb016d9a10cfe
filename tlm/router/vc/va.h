// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/step.h"

/// VC allocation of the router (part of step.h).
namespace sare {

/// Of the VCs `vcs` of output `port`, those that the head of `c` can get. A packet with an escape must keep
/// it until it can move: with cut-through switching a free VC whose buffer is full, would be
/// a trap.
template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::open_vcs(const in_vc& c, std::uint32_t port, std::uint32_t vcs) const {
    std::uint32_t open = vcs & m_b.free.slice(port * m_vcs, m_vcs);
    if (!m_k.room_in_va) return open;
    for (std::uint32_t rest = open; rest != 0; rest &= rest - 1)
        if (m_b.out[port * m_vcs + lowest(rest)].credits < c.need) open ^= rest & (0u - rest);
    return open;
}

/// Adaptive routing: takes one of the ways that have a free VC to ask for in this cycle, those of the escape
/// only when no other has one. Gives its open VCs; 0: there is none.
template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::select_candidate(std::uint32_t i, in_vc& c) {
    const vc_candidates<N>& ways = *m_b.ways[i];
    if (!(ways.wants & m_b.free).any()) {
        m_b.blocked.set(i);
        return 0;
    }
    free_candidate open[route_set::capacity];
    std::uint32_t n = 0;
    if ((ways.adaptive & m_b.free).any()) n = find_open(c, ways.first, ways.first + ways.escape, open);
    if (n == 0) n = find_open(c, ways.first + ways.escape, ways.first + ways.size, open);
    if (n == 0) return 0;
    const free_candidate& taken = open[n == 1 ? 0 : choose(i, open, n)];
    c.out_port = taken.way->port;
    c.vcs = taken.way->vcs;
    return taken.vcs;
}

/// Of the ways from `way` to `end`, those with open VCs, and how many they are.
template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::find_open(const in_vc& c, const route_candidate* way,
                                                const route_candidate* end, free_candidate* open) const {
    std::uint32_t n = 0;
    for (; way != end; ++way)
        if (const std::uint32_t vcs = open_vcs(c, way->port, way->vcs); vcs != 0) open[n++] = {way, vcs};
    return n;
}

template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::choose(std::uint32_t i, const free_candidate* open, std::uint32_t n) {
    if (m_k.params.selection == selection_policy::random) return m_b.random->below(n);
    if (m_k.params.selection == selection_policy::first) return 0;
    const std::uint32_t same = 1u << (i - m_k.port_of[i] * m_vcs);
    std::uint32_t best = 0, most = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
        if (m_k.params.selection == selection_policy::same_vc) {
            if ((open[k].vcs & same) != 0) return k;
            continue;
        }
        const out_vc* const port = m_b.out + open[k].way->port * m_vcs;
        std::uint32_t credits = 0;
        for (std::uint32_t rest = open[k].vcs; rest != 0; rest &= rest - 1)
            credits += port[lowest(rest)].credits;
        if (credits > most) {
            most = credits;
            best = k;
        }
    }
    return best;
}

/// The output VCs that the head at input VC i can ask for now, as a mask of its port's.
template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::usable_vcs(std::uint32_t i) {
    in_vc& c = m_b.in[i];
    std::uint32_t open = m_k.ways != 0 ? select_candidate(i, c) : open_vcs(c, c.out_port, c.vcs);
    if (m_k.params.selection == selection_policy::same_vc) {
        const std::uint32_t same = 1u << (i - m_k.port_of[i] * m_vcs);
        if ((open & same) != 0) open = same;
    }
    return open;
}

/// Rows are input VCs, columns output VCs; a choice is the number of the output VC. `Given`: what each asks
/// for is in `r`; otherwise it is found as rows are gone through.
template <int N, bool CommonCase>
template <bool Given>
struct vc_step<N, CommonCase>::va_problem {
    static constexpr int most = N;
    using set = typename B::set;
    using offers = std::uint32_t;  ///< VCs of the port

    vc_step& s;
    const vc_requests* r;
    const row rows, columns;

    std::uint32_t first_of(std::uint32_t i) const { return s.m_b.in[i].out_port * s.m_vcs; }
    template <class F>
    void for_each_row(F&& f) const {
        if constexpr (Given) {
            r->rows.for_each([&](std::uint32_t i) { f(i, r->vcs[i], 0U); });
        } else {
            s.bids().for_each([&, this](std::uint32_t i) {
                if (const std::uint32_t open = s.usable_vcs(i); open != 0) f(i, open, 0U);
            });
        }
    }
    template <class F>
    void for_each_request(F&& f) const {
        r->rows.for_each([&](std::uint32_t i) {
            for (std::uint32_t rest = r->vcs[i]; rest != 0; rest &= rest - 1)
                f(i, first_of(i) + static_cast<std::uint32_t>(lowest(rest)));
        });
    }
    /// Nothing tells one free VC from another but whose turn it is: age does not apply here.
    std::uint32_t pick(std::uint32_t i, std::uint32_t vcs, std::uint32_t) const {
        return first_of(i) + rows.pick(i, vcs, s.unknown());
    }
    std::uint32_t column(std::uint32_t o) const { return o; }
    std::uint32_t choices_of(std::uint32_t, std::uint32_t) const {
        return 0;
    }  // rows are known by themselves
    std::uint32_t all_choices(std::uint32_t) const { return 0; }
    template <class Choices>
    bool beats(std::uint32_t o, std::uint32_t challenger, std::uint32_t holder, const Choices&) const {
        return columns.beats(o, challenger, holder, s.vcs_from(0));
    }
    template <class Choices>
    void column_served(std::uint32_t o, std::uint32_t i, const Choices&) const {
        columns.served(o, i, s.vcs_from(0));
    }
    void grant(std::uint32_t i, std::uint32_t o, std::uint32_t) const {
        const std::uint32_t vc = o - first_of(i);
        rows.served(i, vc, s.unknown());
        s.grant_vc(i, o, vc);
    }
    void add_offer(offers& offered, std::uint32_t i, std::uint32_t o) const {
        offered |= 1u << (o - first_of(i));
    }
    std::uint32_t accept(std::uint32_t i, offers offered) const { return pick(i, offered, 0); }
    std::uint32_t choice_to(std::uint32_t, std::uint32_t o) const { return o; }
};

/// A wavefront over all VCs.
template <int N, bool CommonCase>
struct vc_step<N, CommonCase>::va_diagonals {
    static constexpr int most = N;
    using set = typename B::set;

    vc_step& s;
    const vc_requests& r;
    const std::uint32_t n;
    std::uint16_t start[N];  ///< the diagonal of VC 0 of the port that a row asks for

    va_diagonals(vc_step& step, const vc_requests& requests) : s(step), r(requests), n(step.m_in_vcs) {
        const std::uint32_t first = static_cast<std::uint32_t>(s.m_t % n);
        r.rows.for_each([&](std::uint32_t i) {
            const std::uint32_t d = i + s.m_b.in[i].out_port * s.m_vcs + n - first;
            start[i] = static_cast<std::uint16_t>(d < n ? d : d < 2 * n ? d - n : d - 2 * n);
        });
    }
    const set& rows_that_ask() const { return r.rows; }
    std::uint32_t next_diagonal(std::uint32_t i, std::uint32_t from) const {
        const std::uint32_t to_last = n - start[i];  // VCs from there on are on the diagonals from 0 on
        const std::uint64_t vcs = r.vcs[i];
        const std::uint64_t wrapped = to_last < s.m_vcs ? from_on(vcs >> to_last, from) : 0;
        if (wrapped != 0) return static_cast<std::uint32_t>(lowest(wrapped));
        const std::uint64_t others = to_last < s.m_vcs ? vcs & ((1u << to_last) - 1) : vcs;
        const std::uint64_t left = from_on(others, from < start[i] ? 0 : from - start[i]);
        if (left == 0) return wavefront_order<N, set>::none;
        return static_cast<std::uint32_t>(start[i] + lowest(left));
    }
    std::uint32_t column_on(std::uint32_t i, std::uint32_t d) const {
        return s.m_b.in[i].out_port * s.m_vcs + (d >= start[i] ? d - start[i] : d + n - start[i]);
    }
    void take(std::uint32_t i, std::uint32_t o) { s.grant_vc(i, o, o - s.m_b.in[i].out_port * s.m_vcs); }
};

/// For policies that are not compiled in.
template <int N, bool CommonCase>
struct vc_step<N, CommonCase>::va_any final : allocation {
    va_problem<true> p;

    explicit va_any(const va_problem<true>& problem) : p(problem) {}
    std::uint32_t rows() const override { return p.s.m_in_vcs; }
    std::uint32_t columns() const override { return p.s.m_in_vcs; }
    std::uint64_t cycle() const override { return p.s.m_t; }
    std::uint32_t choices(std::uint32_t i) const override { return p.r->rows.test(i) ? p.r->vcs[i] : 0; }
    std::uint32_t column(std::uint32_t i, std::uint32_t vc) const override { return p.first_of(i) + vc; }
    std::uint32_t pick(std::uint32_t i, std::uint32_t vcs) const override {
        return p.pick(i, vcs, 0) - p.first_of(i);
    }
    bool beats(std::uint32_t o, std::uint32_t challenger, std::uint32_t holder) const override {
        return p.beats(o, challenger, holder, 0);
    }
    void grant(std::uint32_t i, std::uint32_t vc) override {
        p.column_served(column(i, vc), i, 0);
        p.grant(i, column(i, vc), 0);
    }
};

/// Gives whether there is something to try in the next cycle. A step of its own: the address of the other one
/// shall not be known here, so that it stays in registers.
template <int N, bool CommonCase>
__attribute__((noinline, cold)) bool vc_step<N, CommonCase>::allocate_vcs_by(const vc_surroundings<N>& around,
                                                                             B& b, cycle_t t,
                                                                             const allocator& policy,
                                                                             const vc_requests& r) {
    vc_step s(around, b, t);
    va_any all({s, &r, s.va_rows(), s.va_columns()});
    policy.run(all);
    return s.m_again;
}

/// Gives output VCs to heads. Input first by itself needs no list of who asks.
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::allocate_vcs() {
    const bool listed =
        m_k.va_allocator != compiled_allocator::input_first || iterations() != 1 || m_k.params.speculative;
    for (std::uint32_t n = 0; n < iterations(); ++n) {
        vc_requests r;
        if (listed) {
            bids().for_each([&](std::uint32_t i) {
                const std::uint32_t open = usable_vcs(i);
                if (open == 0) return;
                r.rows.set(i);
                r.vcs[i] = static_cast<std::uint16_t>(open);
            });
            if (!r.rows.any()) return;
            m_again = true;
        }
        switch (m_k.va_allocator) {
            case compiled_allocator::input_first: {
                va_problem<false> now{*this, nullptr, va_rows(), va_columns()};
                m_again |= input_first_policy::run(now);
                break;
            }
            case compiled_allocator::output_first: {
                va_problem<true> given{*this, &r, va_rows(), va_columns()};
                output_first_policy::run(given);
                break;
            }
            case compiled_allocator::wavefront: {
                va_diagonals given(*this, r);
                return wavefront_policy::run(given);
            }
            case compiled_allocator::none:
                if constexpr (!CommonCase) allocate_vcs_by(m_c, m_b, m_t, *m_k.va_policy, r);
                break;
        }
    }
}

template <int N, bool CommonCase>
void vc_step<N, CommonCase>::grant_vc(std::uint32_t i, std::uint32_t o, std::uint32_t vc) {
    in_vc& c = m_b.in[i];
    out_vc& v = m_b.out[o];
    m_b.free.clear(o);
    v.owner = static_cast<std::uint16_t>(i);
    c.out = static_cast<std::uint16_t>(o);
    c.out_vc = static_cast<std::uint8_t>(vc);
    m_b.va.clear(i);
    if (v.credits >= c.need) m_b.credit.set(i);
    if (m_k.va == 0) return m_b.active.set(i);
    end_of_stage(m_k.va).active.set(i);
    wake_self(m_k.va);
}

}  // namespace sare
