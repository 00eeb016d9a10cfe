// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/step.h"

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
std::uint32_t vc_step<N, CommonCase>::crossbar_output_of(std::uint32_t i) const {
    const std::uint32_t s = output_speedup(), to = m_b.in[i].out_port;
    return s == 1 ? to : to * s + m_k.port_of[i] % s;
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
    return sa_vcs(bank).pick(x, vcs, vcs_from(port * m_vcs));
}

/// Rows are crossbar inputs, columns its outputs; a choice is an input VC. One iteration.
template <int N, bool CommonCase>
struct vc_step<N, CommonCase>::sa_problem {
    static constexpr int most = N;
    using set = typename B::set;
    using offers = set;  ///< outputs

    vc_step& s;
    const set& requests;
    const std::uint32_t bank;
    crossbar_use& used;
    const bool first;
    std::uint32_t* const asked;  ///< by input, the VCs that ask: of those that were gone through as requests
    const row rows, columns;

    std::uint32_t port_of(std::uint32_t x) const { return s.m_k.port_of_input[x]; }
    template <class F>
    void for_each_row(F&& f) const {
        s.for_each_input(requests, [&](std::uint32_t x, std::uint32_t vcs, std::uint32_t port) {
            if (!first && used.inputs.test(x)) return;
            if (const std::uint32_t open = s.sendable(port, vcs, used, first); open != 0) f(x, open, port);
        });
    }
    template <class F>
    void for_each_request(F&& f) const {
        for_each_row([&](std::uint32_t x, std::uint32_t vcs, std::uint32_t port) {
            asked[x] = vcs;
            set seen = {};
            for (std::uint32_t rest = vcs; rest != 0; rest &= rest - 1) {
                const std::uint32_t y =
                    s.crossbar_output(port, s.m_b.in[port * s.m_vcs + lowest(rest)].out_port);
                if (seen.test(y)) continue;
                seen.set(y);
                f(x, y);
            }
        });
    }
    std::uint32_t pick(std::uint32_t x, std::uint32_t vcs, std::uint32_t port) const {
        return port * s.m_vcs + s.pick_vc(x, vcs, port, bank);
    }
    std::uint32_t column(std::uint32_t i) const { return s.crossbar_output_of(i); }
    std::uint32_t choices_of(std::uint32_t x, std::uint32_t i) const {
        return 1u << (i - port_of(x) * s.m_vcs);
    }
    std::uint32_t all_choices(std::uint32_t x) const { return asked[x]; }
    /// Input x at output y: for those of the VCs `choices` that go there.
    vc_group group(std::uint32_t x, std::uint32_t choices, std::uint32_t y) const {
        return {port_of(x) * s.m_vcs, s.vcs_to(port_of(x), choices, y)};
    }
    template <class Choices>
    bool beats(std::uint32_t y, std::uint32_t challenger, std::uint32_t holder,
               const Choices& choices) const {
        return columns.beats(y, challenger, holder,
                             s.contenders([&, this](std::uint32_t x) { return group(x, choices(x), y); }));
    }
    template <class Choices>
    void column_served(std::uint32_t y, std::uint32_t winner, const Choices& choices) const {
        columns.served(y, winner,
                       s.contenders([&, this](std::uint32_t x) { return group(x, choices(x), y); }));
    }
    void grant(std::uint32_t x, std::uint32_t i, std::uint32_t y) const { s.settle(i, x, y, bank, used); }

    void add_offer(offers& offered, std::uint32_t, std::uint32_t y) const { offered.set(y); }
    std::uint32_t accept(std::uint32_t x, const offers& offered) const {
        const auto of = s.contenders([x, this](std::uint32_t y) { return group(x, asked[x], y); });
        std::uint32_t best = N;
        offered.for_each([&](std::uint32_t y) {
            if (best == N || rows.beats(x, y, best, of)) best = y;
        });
        rows.served(x, best, of);
        return best;
    }
    std::uint32_t choice_to(std::uint32_t x, std::uint32_t y) const {
        return pick(x, s.vcs_to(port_of(x), asked[x], y), port_of(x));
    }
};

/// A wavefront over all inputs and outputs of the crossbar.
template <int N, bool CommonCase>
struct vc_step<N, CommonCase>::sa_diagonals {
    static constexpr int most = N;
    using set = typename B::set;

    sa_problem& p;
    const std::uint32_t n, first;
    set rows = {};

    explicit sa_diagonals(sa_problem& problem)
        : p(problem),
          n(std::max(p.s.m_k.crossbar_inputs, p.s.m_k.crossbar_outputs)),
          first(static_cast<std::uint32_t>(p.s.m_t % n)) {
        p.for_each_row([&](std::uint32_t x, std::uint32_t vcs, std::uint32_t) {
            p.asked[x] = vcs;
            rows.set(x);
        });
    }
    const set& rows_that_ask() const { return rows; }
    std::uint32_t next_diagonal(std::uint32_t x, std::uint32_t from) const {
        const std::uint32_t port = p.port_of(x);
        std::uint32_t best = wavefront_order<N, set>::none;
        for (std::uint32_t vcs = p.asked[x]; vcs != 0; vcs &= vcs - 1) {
            const std::uint32_t to = p.s.m_b.in[port * p.s.m_vcs + lowest(vcs)].out_port;
            std::uint32_t d = x + p.s.crossbar_output(port, to) + n - first;
            d = d < n ? d : d < 2 * n ? d - n : d - 2 * n;
            if (d >= from && d < best) best = d;
        }
        return best;
    }
    std::uint32_t column_on(std::uint32_t x, std::uint32_t d) const {
        const std::uint32_t y = d + first + n - x;
        return y < n ? y : y < 2 * n ? y - n : y - 2 * n;
    }
    void take(std::uint32_t x, std::uint32_t y) { p.grant(x, p.choice_to(x, y), y); }
};

/// For policies that are not compiled in.
template <int N, bool CommonCase>
struct vc_step<N, CommonCase>::sa_any final : allocation {
    sa_problem p;

    explicit sa_any(const sa_problem& problem) : p(problem) {
        std::fill_n(p.asked, p.s.m_k.crossbar_inputs, 0U);
        p.for_each_row([&](std::uint32_t x, std::uint32_t vcs, std::uint32_t) { p.asked[x] = vcs; });
    }
    std::uint32_t rows() const override { return p.s.m_k.crossbar_inputs; }
    std::uint32_t columns() const override { return p.s.m_k.crossbar_outputs; }
    std::uint64_t cycle() const override { return p.s.m_t; }
    std::uint32_t choices(std::uint32_t x) const override { return p.asked[x]; }
    std::uint32_t column(std::uint32_t x, std::uint32_t vc) const override {
        return p.column(input_vc(x, vc));
    }
    std::uint32_t pick(std::uint32_t x, std::uint32_t vcs) const override {
        return p.pick(x, vcs, p.port_of(x)) - input_vc(x, 0);
    }
    bool beats(std::uint32_t y, std::uint32_t challenger, std::uint32_t holder) const override {
        return p.beats(y, challenger, holder, [this](std::uint32_t x) { return p.asked[x]; });
    }
    void grant(std::uint32_t x, std::uint32_t vc) override {
        const std::uint32_t y = column(x, vc);
        p.column_served(y, x, [this](std::uint32_t row) { return p.asked[row]; });
        p.grant(x, input_vc(x, vc), y);
    }

  private:
    std::uint32_t input_vc(std::uint32_t x, std::uint32_t vc) const { return p.port_of(x) * p.s.m_vcs + vc; }
};

/// What the step is after that: see allocate_vcs_by().
template <int N, bool CommonCase>
__attribute__((noinline, cold)) vc_step<N, CommonCase> vc_step<N, CommonCase>::allocate_switch_by(
    const vc_step& before, const allocator& policy, const set& requests, std::uint32_t bank) {
    vc_step s(before);
    crossbar_use used;
    std::uint32_t asked[N];
    sa_any all({s, requests, bank, used, true, asked, s.sa_rows(bank), s.sa_columns(bank)});
    policy.run(all);
    return s;
}

template <int N, bool CommonCase>
void vc_step<N, CommonCase>::allocate_switch(const set& requests, std::uint32_t bank) {
    if constexpr (!CommonCase)
        if (m_k.sa_allocator == compiled_allocator::none) {
            const vc_step after = allocate_switch_by(vc_step(*this), *m_k.sa_policy, requests, bank);
            m_used_inputs = after.m_used_inputs;
            m_used_outputs = after.m_used_outputs;
            m_again = after.m_again;
            return;
        }
    crossbar_use used;
    std::uint32_t asked[N];
    for (std::uint32_t n = 0; n < iterations(); ++n) {
        sa_problem p{*this, requests, bank, used, n == 0, asked, sa_rows(bank), sa_columns(bank)};
        if (m_k.sa_allocator == compiled_allocator::wavefront) {
            sa_diagonals given(p);
            return wavefront_policy::run(given);
        }
        const bool more = m_k.sa_allocator == compiled_allocator::input_first ? input_first_policy::run(p)
                                                                              : output_first_policy::run(p);
        if (!more) return;
    }
}

/// Input VC i has won crossbar input x and output y.
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::settle(std::uint32_t i, std::uint32_t x, std::uint32_t y, std::uint32_t bank,
                                    crossbar_use& used) {
    const std::uint32_t port = m_k.port_of[i];
    used.inputs.set(x);
    used.outputs.set(y);
    sa_vcs(bank).served(x, i - port * m_vcs, vcs_from(port * m_vcs));
    if (bank == 0) {
        m_used_inputs.set(x);
        m_used_outputs.set(y);
    } else if (m_used_inputs.test(x) || m_used_outputs.test(y) || m_b.va.test(i) || !m_b.credit.test(i)) {
        // A speculative grant counts only where no other request got the input or the output, VA has
        // succeeded in this same cycle, and the VC it gave has the credits.
        return;
    }
    send_flit(i, port);
}

/// SA of what is ready for it, then of heads that speculate. One call for both: what allocates is compiled
/// into each.
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::run_switch(set speculative) {
    const set ready = ready_for_switch();
    speculative &= m_b.present;
    // With va_delay 0 a head that has just won VA is a plain request already.
    speculative.remove(ready);
    set requests = ready;
    bool some = ready.any();
    if (!m_k.params.speculative) some = (some || !pipelined()) && begin_switch_stage();
    for (std::uint32_t bank = 0; bank < 2; ++bank) {
        if (some) allocate_switch(requests, bank);
        requests = speculative;
        some = speculative.any();
    }
}

/// Heads that bid for a VC and the switch at once.
template <int N, bool CommonCase>
typename vc_step<N, CommonCase>::set vc_step<N, CommonCase>::find_speculative() {
    set found = {};
    bids().for_each([&](std::uint32_t i) {
        if (may_speculate(i)) found.set(i);
    });
    return found;
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
