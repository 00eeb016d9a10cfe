// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Switch allocation of the router, with speculation (part of step.h). Crossbar input x is
/// port * input_speedup + vc % input_speedup; crossbar output y is port * output_speedup + (the input's port)
/// % output_speedup.
namespace sare {

template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::crossbar_output(std::uint32_t in_port, std::uint32_t out_port) const {
    const std::uint32_t s = output_speedup();
    return s == 1 ? out_port : out_port * s + in_port % s;
}

template <int N, bool CommonCase>
bool vc_step<N, CommonCase>::link_busy(std::uint32_t port) const {
    return slow_links() && output_speedup() == 1 && m_b.next_slot[port] > m_t;
}

/// Calls `f(x, vcs, port)` for every crossbar input x with requests, `vcs` the VCs of its port that ask.
template <int N, bool CommonCase>
template <class F>
void vc_step<N, CommonCase>::for_each_input(const set& requests, F&& f) const {
    set rest = requests;
    for (int k = 0; k < B::words; ++k)
        while (rest.word[k] != 0) {
            const std::uint32_t port = m_k.port_of[static_cast<std::uint32_t>(k) * 64 + lowest(rest.word[k])];
            const std::uint32_t vcs = rest.slice(port * m_vcs, m_vcs);
            rest.clear_slice(port * m_vcs, m_vcs);
            if (m_k.params.input_speedup == 1) {
                f(port, vcs, port);
                continue;
            }
            for (std::uint32_t n = 0; n < m_k.params.input_speedup; ++n) {
                const std::uint32_t part = vcs & m_k.vcs_of_input[n];
                if (part != 0) f(port * m_k.params.input_speedup + n, part, port);
            }
        }
}

/// Of the VCs `vcs` of `port`, those whose way out is open.
template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::sendable(std::uint32_t port, std::uint32_t vcs,
                                               const crossbar_use& used, bool first) const {
    if (first && !slow_links()) return vcs;
    std::uint32_t open = 0;
    for (std::uint32_t rest = vcs; rest != 0; rest &= rest - 1) {
        const std::uint32_t to = m_b.in[port * m_vcs + lowest(rest)].out_port;
        if (!used.outputs.test(crossbar_output(port, to)) && !link_busy(to)) open |= rest & (0u - rest);
    }
    return open;
}

/// Of the VCs `vcs` of `port`, those that want crossbar output y.
template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::vcs_to(std::uint32_t port, std::uint32_t vcs, std::uint32_t y) const {
    std::uint32_t found = 0;
    for (std::uint32_t rest = vcs; rest != 0; rest &= rest - 1)
        if (crossbar_output(port, m_b.in[port * m_vcs + lowest(rest)].out_port) == y)
            found |= rest & (0u - rest);
    return found;
}

template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::pick_vc(std::uint32_t x, std::uint32_t vcs, std::uint32_t port,
                                              std::uint32_t bank) const {
    return sa_vcs(bank).pick(x, vcs, [&](std::uint32_t v) { return age_of(port * m_vcs + v); });
}

template <int N, bool CommonCase>
std::uint64_t vc_step<N, CommonCase>::oldest(std::uint32_t x, std::uint32_t vcs, std::uint32_t y) const {
    const std::uint32_t port = m_k.port_of_input[x];
    std::uint64_t age = ~std::uint64_t{0};
    for (std::uint32_t rest = vcs_to(port, vcs, y); rest != 0; rest &= rest - 1)
        age = std::min(age, age_of(port * m_vcs + lowest(rest)));
    return age;
}

template <int N, bool CommonCase>
void vc_step<N, CommonCase>::allocate_switch(const set& requests, std::uint32_t bank) {
    crossbar_use used;
    if (m_k.params.sa_allocator == allocator_kind::wavefront) return sa_wavefront(requests, bank, used);
    for (std::uint32_t n = 0; n < iterations(); ++n) {
        const bool more = m_k.params.sa_allocator == allocator_kind::input_first
                              ? sa_input_first(requests, bank, used, n == 0)
                              : sa_output_first(requests, bank, used, n == 0);
        if (!more) return;
    }
}

/// One iteration: every input picks a VC, every output picks an input. False if there was no request.
template <int N, bool CommonCase>
bool vc_step<N, CommonCase>::sa_input_first(const set& requests, std::uint32_t bank, crossbar_use& used,
                                            bool first) {
    winners w;
    std::uint16_t chosen[N];
    const auto columns = sa_columns(bank);
    for_each_input(requests, [&](std::uint32_t x, std::uint32_t vcs, std::uint32_t port) {
        if (!first && used.inputs.test(x)) return;
        const std::uint32_t open = sendable(port, vcs, used, first);
        if (open == 0) return;
        const std::uint32_t i = port * m_vcs + pick_vc(x, open, port, bank);
        chosen[x] = static_cast<std::uint16_t>(i);
        w.ask(columns, crossbar_output(port, m_b.in[i].out_port), x,
              [&](std::uint32_t n) { return age_of(chosen[n]); });
    });
    for (std::uint32_t n = 0; n < w.count; ++n) {
        const std::uint32_t y = w.columns[n], x = w.winner[y];
        columns.served(y, x);
        settle(chosen[x], x, y, bank, used);
    }
    return w.count != 0;
}

/// One iteration: every output picks an input, every input picks an output and then a VC for it.
template <int N, bool CommonCase>
bool vc_step<N, CommonCase>::sa_output_first(const set& requests, std::uint32_t bank, crossbar_use& used,
                                             bool first) {
    winners w;
    std::uint32_t asked[N];
    const auto rows = sa_rows(bank);
    const auto columns = sa_columns(bank);
    for_each_input(requests, [&](std::uint32_t x, std::uint32_t vcs, std::uint32_t port) {
        if (!first && used.inputs.test(x)) return;
        asked[x] = sendable(port, vcs, used, first);
        set seen = {};
        for (std::uint32_t rest = asked[x]; rest != 0; rest &= rest - 1) {
            const std::uint32_t y = crossbar_output(port, m_b.in[port * m_vcs + lowest(rest)].out_port);
            if (seen.test(y)) continue;
            seen.set(y);
            w.ask(columns, y, x, [&](std::uint32_t n) { return oldest(n, asked[n], y); });
        }
    });
    set offered = {};
    set offers[N];
    for (std::uint32_t n = 0; n < w.count; ++n) {
        const std::uint32_t y = w.columns[n], x = w.winner[y];
        if (!offered.test(x)) {
            offered.set(x);
            offers[x] = {};
        }
        offers[x].set(y);
    }
    offered.for_each([&](std::uint32_t x) {
        const std::uint32_t y = accept(rows, x, offers[x], asked[x]);
        const std::uint32_t port = m_k.port_of_input[x];
        const std::uint32_t i = port * m_vcs + pick_vc(x, vcs_to(port, asked[x], y), port, bank);
        rows.served(x, y);
        columns.served(y, x);
        settle(i, x, y, bank, used);
    });
    return w.count != 0;
}

/// The offer that crossbar input x takes.
template <int N, bool CommonCase>
std::uint32_t vc_step<N, CommonCase>::accept(const arbiter_row& rows, std::uint32_t x, const set& offers,
                                             std::uint32_t vcs) const {
    std::uint32_t best = N;
    offers.for_each([&](std::uint32_t y) {
        if (best == N || rows.beats(x, y, best, [&](std::uint32_t n) { return oldest(x, vcs, n); })) best = y;
    });
    return best;
}

template <int N, bool CommonCase>
void vc_step<N, CommonCase>::sa_wavefront(const set& requests, std::uint32_t bank, crossbar_use& used) {
    set rest = {};
    std::uint32_t asked[N];
    for_each_input(requests, [&](std::uint32_t x, std::uint32_t vcs, std::uint32_t port) {
        asked[x] = sendable(port, vcs, used, true);
        if (asked[x] != 0) rest.set(x);
    });
    const std::uint32_t n = std::max(m_k.crossbar_inputs, m_k.crossbar_outputs);
    const std::uint32_t first = static_cast<std::uint32_t>(m_t % n);
    const auto next = [&](std::uint32_t x, std::uint32_t from) {
        const std::uint32_t port = m_k.port_of_input[x];
        std::uint32_t best = order::none;
        for (std::uint32_t vcs = asked[x]; vcs != 0; vcs &= vcs - 1) {
            const std::uint32_t to = m_b.in[port * m_vcs + lowest(vcs)].out_port;
            std::uint32_t d = x + crossbar_output(port, to) + n - first;
            d = d < n ? d : d < 2 * n ? d - n : d - 2 * n;
            if (d >= from && d < best) best = d;
        }
        return best;
    };
    order().run(rest, next, [&](std::uint32_t x, std::uint32_t d) {
        std::uint32_t y = d + first + n - x;
        y = y < n ? y : y < 2 * n ? y - n : y - 2 * n;
        if (used.outputs.test(y)) return false;
        const std::uint32_t port = m_k.port_of_input[x];
        const std::uint32_t vcs = vcs_to(port, asked[x], y);
        settle(port * m_vcs + pick_vc(x, vcs, port, bank), x, y, bank, used);
        return true;
    });
}

/// Input VC i has won crossbar input x and output y.
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::settle(std::uint32_t i, std::uint32_t x, std::uint32_t y, std::uint32_t bank,
                                    crossbar_use& used) {
    const std::uint32_t port = m_k.port_of[i];
    used.inputs.set(x);
    used.outputs.set(y);
    sa_vcs(bank).served(x, i - port * m_vcs);
    if (bank == 0) {
        m_used_inputs.set(x);
        m_used_outputs.set(y);
        return send_flit(i, port);
    }
    // A speculative grant counts only where no other request got the input or the output, VA has succeeded
    // in this same cycle, and the VC it gave has the credits.
    if (m_used_inputs.test(x) || m_used_outputs.test(y) || m_b.va.test(i) || !m_b.credit.test(i)) return;
    send_flit(i, port);
}

template <int N, bool CommonCase>
void vc_step<N, CommonCase>::run_speculative() {
    set asked = {};
    if (m_b.va.any()) {
        set open = {};
        bids().for_each([&](std::uint32_t i) {
            if (may_speculate(i)) open.set(i);
        });
        allocate_vcs(&asked);
        asked &= open & m_b.present;
    }
    // With va_delay 0 a head that has just won VA is a plain request already.
    const set ready = ready_for_switch();
    asked.remove(ready);
    if (ready.any()) allocate_switch(ready, 0);
    if (asked.any()) allocate_switch(asked, 1);
}

/// Some output VC that the head may get has credits enough: otherwise its bid would be wasted.
template <int N, bool CommonCase>
bool vc_step<N, CommonCase>::may_speculate(std::uint32_t i) {
    const in_vc& c = m_b.in[i];
    for (std::uint32_t rest = usable_vcs(i); rest != 0; rest &= rest - 1)
        if (m_b.out[c.out_port * m_vcs + lowest(rest)].credits >= c.need) return true;
    return false;
}

}  // namespace sare
