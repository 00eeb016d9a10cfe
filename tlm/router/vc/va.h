// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Gives output VCs to heads. `asked` gets those that had anything to ask for (for speculation).
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::allocate_vcs(set* asked) {
    if (m_k.params.va_allocator == allocator_kind::input_first && iterations() == 1 && asked == nullptr)
        return va_input_first();
    for (std::uint32_t n = 0; n < iterations(); ++n) {
        vc_requests r;
        bids().for_each([&](std::uint32_t i) {
            const std::uint32_t open = usable_vcs(i);
            if (open == 0) return;
            r.rows.set(i);
            r.vcs[i] = static_cast<std::uint16_t>(open);
        });
        if (n == 0 && asked != nullptr) *asked = r.rows;
        if (!r.rows.any()) return;
        m_again = true;
        switch (m_k.params.va_allocator) {
            case allocator_kind::input_first:
                va_input_first();
                break;
            case allocator_kind::output_first:
                va_output_first(r);
                break;
            case allocator_kind::wavefront:
                return va_wavefront(r);
        }
    }
}

/// Separable, input first: every head asks for one of its VCs, every VC takes one of the heads.
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::va_input_first() {
    winners w;
    const auto rows = va_rows();
    const auto columns = va_columns();
    bids().for_each([&](std::uint32_t i) {
        const std::uint32_t open = usable_vcs(i);
        if (open == 0) return;
        // Nothing tells one free VC from another but whose turn it is: age does not apply here.
        const std::uint32_t vc = rows.pick(i, open, [](std::uint32_t) { return 0; });
        w.ask(columns, m_b.in[i].out_port * m_vcs + vc, i, [this](std::uint32_t n) { return age_of(n); });
    });
    m_again |= w.count != 0;
    for (std::uint32_t n = 0; n < w.count; ++n) {
        const std::uint32_t o = w.columns[n], i = w.winner[o], vc = o - m_b.in[i].out_port * m_vcs;
        columns.served(o, i);
        rows.served(i, vc);
        grant_vc(i, o, vc);
    }
}

/// Separable, output first: every free VC offers itself to one of the heads, every head takes one offer.
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::va_output_first(const vc_requests& r) {
    winners w;
    const auto rows = va_rows();
    const auto columns = va_columns();
    r.rows.for_each([&](std::uint32_t i) {
        for (std::uint32_t rest = r.vcs[i]; rest != 0; rest &= rest - 1)
            w.ask(columns, m_b.in[i].out_port * m_vcs + lowest(rest), i,
                  [this](std::uint32_t n) { return age_of(n); });
    });
    set offered = {};
    std::uint32_t offers[N];
    for (std::uint32_t n = 0; n < w.count; ++n) {
        const std::uint32_t o = w.columns[n], i = w.winner[o];
        if (!offered.test(i)) {
            offered.set(i);
            offers[i] = 0;
        }
        offers[i] |= 1u << (o - m_b.in[i].out_port * m_vcs);
    }
    offered.for_each([&](std::uint32_t i) {
        const std::uint32_t vc = rows.pick(i, offers[i], [](std::uint32_t) { return 0; });
        const std::uint32_t o = m_b.in[i].out_port * m_vcs + vc;
        rows.served(i, vc);
        columns.served(o, i);
        grant_vc(i, o, vc);
    });
}

/// Diagonal by diagonal, the first one moving on every cycle (Dally & Towles, section 19.4).
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::va_wavefront(const vc_requests& r) {
    const std::uint32_t n = m_in_vcs, first = static_cast<std::uint32_t>(m_t % n);
    std::uint16_t start[N];  // the diagonal of VC 0 of the port that a row asks for
    r.rows.for_each([&](std::uint32_t i) {
        const std::uint32_t d = i + m_b.in[i].out_port * m_vcs + n - first;
        start[i] = static_cast<std::uint16_t>(d < n ? d : d < 2 * n ? d - n : d - 2 * n);
    });
    const auto next = [&](std::uint32_t i, std::uint32_t from) {
        const std::uint32_t to_last = n - start[i];  // VCs from there on are on the diagonals from 0 on
        const std::uint64_t vcs = r.vcs[i];
        const std::uint64_t wrapped = to_last < m_vcs ? from_on(vcs >> to_last, from) : 0;
        if (wrapped != 0) return static_cast<std::uint32_t>(lowest(wrapped));
        const std::uint64_t others = to_last < m_vcs ? vcs & ((1u << to_last) - 1) : vcs;
        const std::uint64_t left = from_on(others, from < start[i] ? 0 : from - start[i]);
        return left == 0 ? order::none : static_cast<std::uint32_t>(start[i] + lowest(left));
    };
    set taken = {};
    order().run(r.rows, next, [&](std::uint32_t i, std::uint32_t d) {
        const std::uint32_t vc = d >= start[i] ? d - start[i] : d + n - start[i];
        const std::uint32_t o = m_b.in[i].out_port * m_vcs + vc;
        if (taken.test(o)) return false;
        taken.set(o);
        grant_vc(i, o, vc);
        return true;
    });
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
