// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/input_first.h"
#include "tlm/router/allocator/output_first.h"
#include "tlm/router/allocator/wavefront.h"
#include "tlm/router/vc/machine/arbiters.h"
#include "tlm/router/vc/machine/departure.h"

namespace sare {

/// SA: input VCs with a flit, an output VC and a credit bid for the crossbar. Its input x is port *
/// input_speedup + vc % input_speedup, its output y is port * output_speedup + (the input's port) %
/// output_speedup.
template <int S, int N, bool Polled, bool Plain>
class fast_switch_allocation : public fast_departures<S, N, Polled, Plain> {
    using stage = fast_stage<S, N, Polled, Plain>;
    using departures = fast_departures<S, N, Polled, Plain>;
    using typename stage::block;
    using typename stage::cycle;
    using typename stage::index;
    using typename stage::number_type;
    using typename stage::set;
    using stage::m_b;
    using stage::m_c;
    using stage::shape;
    using stage::whole;

  public:
    using departures::departures;
    using typename departures::left_behind;

    /// Input first, round robin, one iteration, no speed-up.
    SARE_INLINE left_behind allocate(const set& ready) const {
        if constexpr (!stage::wide)
            if (__builtin_expect(is_nonzero(m_b.odd), 0)) return allocate_odd(m_c, m_b, ready);
        return allocate_from<false>(ready);
    }
    /// The same by any policies. `ready` for the switch; `speculative` heads, of which those count that have
    /// got an output VC in this cycle.
    void allocate_any(const set& ready, const set& speculative, left_behind& gone) const {
        crossbar plain;
        if (some(ready)) allocate_bank(ready, 0, plain, gone);
        if (some(speculative)) allocate_bank(speculative, 1, plain, gone);
    }

  private:
    using arbiters = vc_arbiters<stage>;
    using columns = std::conditional_t<stage::wide, std::uint64_t, std::uint32_t>;
    struct match {
        index who, column;
    };

    /// No member: the address of a step must not be known to others, or it would not stay in registers.
    static __attribute__((noinline)) left_behind allocate_odd(const cycle& c, block& b, const set& ready) {
        return fast_switch_allocation(c, b).template allocate_from<true>(ready);
    }
    template <bool Odd>
    SARE_INLINE left_behind allocate_from(const set& ready) const {
        usual<Odd> p{*this, ready, {}};
        if (Polled && !stage::wide) m_c.flits[0] = m_c.credits[0] = 1;
        input_first_policy::run(p);
        stage::reload();
        return p.gone;
    }

    /// Rows are ports; round robin in place.
    template <bool Odd>
    struct usual {
        static constexpr int most = static_cast<int>(block::max_ports);
        static constexpr bool in_order = stage::wide;  // routing may look at what has left
        using columns = fast_switch_allocation::columns;
        using number = number_type;
        const fast_switch_allocation& s;
        const set& ready;
        left_behind gone;

        template <class F>
        SARE_INLINE void for_each_row(F&& f) const {
            set rest = ready;
            do {
                const index i = lowest(rest);
                const set mine = s.with_port_of(i, rest);
                f(i, mine);
                rest &= ~mine;
            } while (some(rest));
            stage::reload();
        }
        SARE_INLINE match pick(index i, const set& mine) const {
            if (some(mine & ~s.one(i))) i = s.pick_after(mine, s.m_b.sa_vc(s.port_of(i)));
            return {i, s.port_of(whole(s.m_b.in(i).out))};
        }
        SARE_INLINE bool beats(index y, index challenger, index holder) const {
            const index last = s.port_of(s.m_b.sa_column(y));
            return s.port_of(holder) <= last && s.port_of(challenger) > last;
        }
        SARE_INLINE void grant(index i, index y) {
            s.m_b.sa_column(y) = static_cast<number_type>(i);
            s.m_b.sa_vc(s.port_of(i)) = static_cast<number_type>(i);
            s.template send<Odd>(i, y, gone);
        }
    };
    SARE_INLINE set with_port_of(index i, const set& all) const {
        if constexpr (stage::wide) {
            set mine = {};
            const index port = this->port_of(i);
            add_slice(mine, this->number(port, 0), this->vcs_at(all, port));
            return mine;
        } else {
            constexpr set port_mask = (set{1} << (1 << S)) - 1;  // VCs of port 0
            return all & (port_mask << (i & ~index{block::vc_mask}));
        }
    }

    // ---- any policies
    struct crossbar {
        set inputs = {}, outputs = {};
    };
    std::uint32_t output_at(index in_port, index out_port) const {
        const std::uint32_t s = shape().params.output_speedup;
        return static_cast<std::uint32_t>(s == 1 ? out_port : out_port * s + in_port % s);
    }
    std::uint32_t output_of(index i) const { return output_at(this->port_of(i), m_b.to[i]); }
    bool link_busy(std::uint32_t port) const {
        return shape().slow_links && shape().params.output_speedup == 1 && m_b.next_slot[port] > m_c.now;
    }
    void allocate_bank(const set& requests, std::uint32_t bank, crossbar& plain, left_behind& gone) const {
        crossbar used;
        std::uint32_t asked[N];
        for (std::uint32_t n = 0; n < shape().params.iterations; ++n) {
            const arbiters all(*this);
            any p{*this,  requests,           bank,   used, plain, gone, n == 0,
                  asked,  all,                all.sa_vcs(bank), all.sa_rows(bank), all.sa_columns(bank)};
            if (shape().sa_allocator == compiled_allocator::wavefront) {
                diagonals given(p);
                return wavefront_policy::run(given);
            }
            const set before = used.outputs;
            if (shape().sa_allocator == compiled_allocator::input_first)
                input_first_policy::run(p);
            else if (shape().sa_allocator == compiled_allocator::output_first)
                output_first_policy::run(p);
            else
                return by_policy(*shape().sa_policy, p);
            if (!some(used.outputs & ~before)) return;
        }
    }

    /// Rows are crossbar inputs, columns its outputs; a choice is an input VC. One iteration.
    struct any {
        static constexpr int most = N;
        static constexpr bool in_order = true;  // of two flits for one link, and where routing looks at what left
        using set = typename stage::set;
        using columns = set;
        using number = std::uint16_t;
        using offers = set;  ///< outputs

        const fast_switch_allocation& s;
        const set& requests;
        const std::uint32_t bank;
        crossbar &used, &plain;  ///< in this bank; by requests that are not speculative
        left_behind& gone;
        const bool first;
        std::uint32_t* const asked;  ///< by input, the VCs that ask: of those that were gone through as requests
        const arbiters all;
        const arbiter_row vcs, rows, outputs;

        index port_of(index x) const { return x / s.shape().params.input_speedup; }
        index input_of(index i) const {
            const std::uint32_t speedup = s.shape().params.input_speedup;
            return s.port_of(i) * speedup + s.vc_of(i) % speedup;
        }
        vc_group alone(index i) const { return {i, 1}; }
        /// Calls f(x, vcs) for each crossbar input x with requests whose way out is open.
        template <class F>
        void for_each_row(F&& f) const {
            const vc_shape& shape = s.shape();
            set rest = requests;
            while (some(rest)) {
                const index port = s.port_of(lowest(rest));
                const std::uint32_t mine = s.vcs_at(rest, port);
                remove_slice(rest, s.number(port, 0), shape.vcs);
                for (std::uint32_t n = 0; n < shape.params.input_speedup; ++n) {
                    const index x = port * shape.params.input_speedup + n;
                    if ((mine & shape.vcs_of_input[n]) == 0 || (!first && is_member(used.inputs, x))) continue;
                    const std::uint32_t open = sendable(port, mine & shape.vcs_of_input[n]);
                    if (open != 0) f(static_cast<std::uint32_t>(x), open);
                }
            }
        }
        /// Of the VCs of `port` those whose way out is open.
        std::uint32_t sendable(index port, std::uint32_t of) const {
            if (first && !s.shape().slow_links) return of;
            std::uint32_t open = 0;
            for (const std::uint64_t vc : members(of)) {
                const index i = s.number(port, vc);
                if (!is_member(used.outputs, s.output_of(i)) && !s.link_busy(s.m_b.to[i]))
                    open |= 1U << vc;
            }
            return open;
        }
        /// Of the VCs of input x that ask, those for output y.
        std::uint32_t vcs_to(index x, index y) const {
            std::uint32_t found = 0;
            for (const std::uint64_t vc : members(asked[x])) {
                if (s.output_of(s.number(port_of(x), vc)) == y) found |= 1U << vc;
            }
            return found;
        }
        index pick_vc(index x, std::uint32_t of) const {
            return s.number(port_of(x), vcs.pick(static_cast<std::uint32_t>(x), of, all.vcs_of(port_of(x))));
        }

        // ---- input first
        match pick(index x, std::uint32_t of) const {
            const index i = pick_vc(x, of);
            return {i, s.output_of(i)};
        }
        bool beats(index y, index challenger, index holder) const {
            const index x = input_of(challenger);
            return outputs.beats(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x),
                                 static_cast<std::uint32_t>(input_of(holder)),
                                 all.contenders([=](std::uint32_t n) {
                                     return n == x ? vc_group{challenger, 1} : vc_group{holder, 1};
                                 }));
        }
        void grant(index i, index y) const {
            outputs.served(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(input_of(i)),
                           all.contenders([=](std::uint32_t) { return vc_group{i, 1}; }));
            s.settle(i, *this);
        }

        // ---- output first
        template <class F>
        void for_each_request(F&& f) const {
            for_each_row([&](std::uint32_t x, std::uint32_t of) {
                asked[x] = of;
                set seen = {};
                for (const std::uint64_t vc : members(of)) {
                    const std::uint32_t y = s.output_of(s.number(port_of(x), vc));
                    if (is_member(seen, y)) continue;
                    add_member(seen, y);
                    f(x, y);
                }
            });
        }
        /// Makes what arbiters of output y may ask of its inputs, and those of input x of its outputs.
        auto inputs_at(std::uint32_t y) const {
            return all.contenders([this, y](std::uint32_t x) {
                return vc_group{s.number(port_of(x), 0), vcs_to(x, y)};
            });
        }
        auto outputs_at(std::uint32_t x) const {
            return all.contenders([this, x](std::uint32_t y) {
                return vc_group{s.number(port_of(x), 0), vcs_to(x, y)};
            });
        }
        bool offers_before(std::uint32_t y, std::uint32_t challenger, std::uint32_t holder) const {
            return outputs.beats(y, challenger, holder, inputs_at(y));
        }
        void add_offer(offers& offered, std::uint32_t, std::uint32_t y) const { add_member(offered, y); }
        std::uint32_t accept(std::uint32_t x, const offers& offered) const {
            std::uint32_t best = N;
            for (const std::uint64_t y : members(offered)) {
                const auto challenger = static_cast<std::uint32_t>(y);
                if (best == N || rows.beats(x, challenger, best, outputs_at(x))) best = challenger;
            }
            rows.served(x, best, outputs_at(x));
            return best;
        }
        void grant_offer(std::uint32_t x, std::uint32_t y) const {
            outputs.served(y, x, inputs_at(y));
            s.settle(pick_vc(x, vcs_to(x, y)), *this);
        }
    };

    /// A wavefront over all inputs and outputs of the crossbar.
    struct diagonals {
        static constexpr int most = N;
        using set = typename stage::set;
        const any& p;
        const std::uint32_t n, first;
        set rows = {};

        explicit diagonals(const any& problem)
            : p(problem),
              n(std::max(p.s.shape().crossbar_inputs, p.s.shape().crossbar_outputs)),
              first(static_cast<std::uint32_t>(p.s.m_c.now % n)) {
            p.for_each_row([&](std::uint32_t x, std::uint32_t vcs) {
                p.asked[x] = vcs;
                add_member(rows, x);
            });
        }
        const set& rows_that_ask() const { return rows; }
        std::uint32_t next_diagonal(std::uint32_t x, std::uint32_t from) const {
            std::uint32_t best = wavefront_order<N, set>::none;
            for (const std::uint64_t vc : members(p.asked[x])) {
                std::uint32_t d = x + p.s.output_of(p.s.number(p.port_of(x), vc)) + n - first;
                d = d < n ? d : d < 2 * n ? d - n : d - 2 * n;
                if (d >= from && d < best) best = d;
            }
            return best;
        }
        std::uint32_t column_on(std::uint32_t x, std::uint32_t d) const {
            const std::uint32_t y = d + first + n - x;
            return y < n ? y : y < 2 * n ? y - n : y - 2 * n;
        }
        void take(std::uint32_t x, std::uint32_t y) const { p.s.settle(p.pick_vc(x, p.vcs_to(x, y)), p); }
    };

    /// For policies that are not compiled in.
    struct told final : allocation {
        const any& p;

        explicit told(const any& problem) : p(problem) {
            std::fill_n(p.asked, p.s.shape().crossbar_inputs, 0U);
            p.for_each_row([&](std::uint32_t x, std::uint32_t vcs) { p.asked[x] = vcs; });
        }
        index input_vc(std::uint32_t x, std::uint32_t vc) const { return p.s.number(p.port_of(x), vc); }
        std::uint32_t rows() const override { return p.s.shape().crossbar_inputs; }
        std::uint32_t columns() const override { return p.s.shape().crossbar_outputs; }
        std::uint64_t cycle() const override { return p.s.m_c.now; }
        std::uint32_t choices(std::uint32_t x) const override { return p.asked[x]; }
        std::uint32_t column(std::uint32_t x, std::uint32_t vc) const override {
            return p.s.output_of(input_vc(x, vc));
        }
        std::uint32_t pick(std::uint32_t x, std::uint32_t vcs) const override {
            return static_cast<std::uint32_t>(p.pick_vc(x, vcs) - input_vc(x, 0));
        }
        bool beats(std::uint32_t y, std::uint32_t challenger, std::uint32_t holder) const override {
            return p.offers_before(y, challenger, holder);
        }
        void grant(std::uint32_t x, std::uint32_t vc) override {
            p.outputs.served(column(x, vc), x, p.inputs_at(column(x, vc)));
            p.s.settle(input_vc(x, vc), p);
        }
    };
    static __attribute__((noinline, cold)) void by_policy(const allocator& policy, const any& p) {
        told all(p);
        policy.run(all);
    }

    /// Input VC i has won its crossbar input and output. A speculative grant counts only where no other
    /// request got the input or the output, VA has succeeded in this same cycle, and the VC it gave has the
    /// credits.
    void settle(index i, const any& p) const {
        const index x = p.input_of(i), y = output_of(i);
        add_member(p.used.inputs, x);
        add_member(p.used.outputs, y);
        p.vcs.served(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(this->vc_of(i)),
                     p.all.vcs_of(this->port_of(i)));
        if (p.bank == 0) {
            add_member(p.plain.inputs, x);
            add_member(p.plain.outputs, y);
        } else if (is_member(p.plain.inputs, x) || is_member(p.plain.outputs, y) || is_member(m_b.va, i) ||
                   is_member(m_b.starved, i)) {
            return;
        }
        if (!stage::wide) m_c.flits[0] = m_c.credits[0] = 1;
        if (is_nonzero(m_b.odd))
            this->template send<true>(i, m_b.to[i], p.gone);
        else
            this->template send<false>(i, m_b.to[i], p.gone);
    }
};

}  // namespace sare
