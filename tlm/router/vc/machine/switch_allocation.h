// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/input_first.h"
#include "tlm/router/allocator/output_first.h"
#include "tlm/router/allocator/wavefront.h"
#include "tlm/router/vc/machine/arbiters.h"
#include "tlm/router/vc/machine/departure.h"

namespace sare {

/// Switch allocation (SA): input VCs with a flit, an output VC and a credit bid for the crossbar, and the
/// front flits of the winners leave. VC v of input port p uses crossbar input p * input_speedup + v %
/// input_speedup; for output port q it uses crossbar output q * output_speedup + p % output_speedup. Template
/// parameters: as in vc_stage.
template <int S, int N, bool Polled, vc_features Has>
class vc_switch_allocation : public vc_departures<S, N, Polled, Has> {
    using stage = vc_stage<S, N, Polled, Has>;
    using departures = vc_departures<S, N, Polled, Has>;
    using stage::m_b;
    using stage::m_c;
    using stage::rules;
    using stage::shape;
    using stage::whole;
    using stage::with_port_of;
    using typename stage::block;
    using typename stage::cycle;
    using typename stage::index;
    using typename stage::number_type;
    using typename stage::set;

  public:
    using departures::departures;
    using typename departures::left_behind;

    /// Allocates the crossbar to the input VCs `ready`, whose requests are *plain*, and sends a flit of each
    /// winner. Then allocates it to the input VCs `speculative`, regardless of the first result: a winner
    /// sends only if no plain request has won its crossbar input or output, and its head has got an output VC
    /// with credits in this cycle. Returns the effects of the flits that leave.
    SARE_INLINE left_behind allocate(const set& ready, [[maybe_unused]] const set& speculative) const {
        if constexpr (stage::tracks_packets)
            if (!rules().usual_switch) {
                if constexpr (stage::wide) return allocate_any(m_c, m_b, ready, speculative);
                return allocate_any_with_bits(m_c, m_b, ready, speculative);
            }
        if constexpr (!stage::wide)
            if (__builtin_expect(is_nonzero(m_b.odd), 0)) return allocate_odd(m_c, m_b, ready);
        return allocate_from<false>(ready);
    }

  private:
    using arbiters = vc_arbiters<stage>;
    using columns = std::conditional_t<stage::wide, typename block::port_set, std::uint32_t>;
    /// Request that pick() has picked: number of the input VC; output port or crossbar output that it asks
    /// for.
    struct match {
        index who, column;
    };

    /// Does the usual SA (`usual`), for compact routers with elements in vc_shape::odd.
    static __attribute__((noinline)) left_behind allocate_odd(const cycle& c, block& b, const set& ready) {
        return vc_switch_allocation(c, b).template allocate_from<true>(ready);
    }
    /// Does the usual SA (`usual`) of the input VCs `ready`. `Odd`: as for send().
    template <bool Odd>
    SARE_INLINE left_behind allocate_from(const set& ready) const {
        usual<Odd> p{*this, ready, {}};
        if (Polled && !stage::wide) m_c.flits[0] = m_c.credits[0] = 1;
        input_first_policy::run(p);
        stage::compiler_barrier();
        return p.gone;
    }

    /// The usual SA as a problem for input_first_policy (see any_problem): rows are input ports, columns
    /// output ports, with round-robin arbiters whose state is in the block anyway.
    template <bool Odd>
    struct usual {
        static constexpr int most = static_cast<int>(block::max_ports);
        static constexpr bool in_order = stage::wide;  // routing may look at the flits that have left
        using columns = vc_switch_allocation::columns;
        using number = number_type;
        const vc_switch_allocation& s;
        const set& ready;
        left_behind gone;

        /// Calls f(i, mine) for each input port with VCs in `ready`. `mine`: in compact routers the set of
        /// these VCs, whose lowest member is i; in wide routers their mask, in which bit 0 is VC number i, VC
        /// 0 of the port.
        template <class F>
        SARE_INLINE void for_each_row(F&& f) const {
            if constexpr (stage::wide) {
                index end = 0;
                for (const index i : members(ready)) {
                    if (i < end) continue;
                    const index first = s.number(s.port_of(i), 0);
                    end = first + s.shape().vcs;
                    f(first, slice(ready, first, s.shape().vcs));
                }
            } else {
                set rest = ready;
                do {
                    const index i = lowest(rest);
                    const set mine = s.with_port_of(i, rest);
                    f(i, mine);
                    rest &= ~mine;
                } while (some(rest));
            }
            stage::compiler_barrier();
        }
        template <class Vcs>
        SARE_INLINE match pick(index i, const Vcs& mine) const {
            if constexpr (stage::wide)
                i += round_robin(mine, static_cast<std::uint32_t>(s.vc_of(s.m_b.sa_vc(s.port_of(i)))));
            else if (some(mine & ~s.one(i)))
                i = s.pick_after(mine, s.m_b.sa_vc(s.port_of(i)));
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

    // ---- any policies
    /// Sets of crossbar inputs and outputs that are taken.
    struct crossbar {
        set inputs = {}, outputs = {};
    };
    // Static, since the address of a step must not become known to a function that is not inlined: the step
    // would not stay in registers.
    static __attribute__((noinline)) SARE_BIT_INSTRUCTIONS left_behind
    allocate_any_with_bits(const cycle& c, block& b, const set& ready, const set& speculative) {
        return vc_switch_allocation(c, b).allocate_by_policies(ready, speculative);
    }
    static __attribute__((noinline)) left_behind allocate_any(const cycle& c, block& b, const set& ready,
                                                              const set& speculative) {
        return vc_switch_allocation(c, b).allocate_by_policies(ready, speculative);
    }
    /// Does what allocate() does, by any allocator and arbiters: plain requests first, then speculative ones.
    SARE_INLINE left_behind allocate_by_policies(const set& ready, const set& speculative) const {
        set asked[N];
        number_type granted[N];
        any p{*this, shape().params.input_speedup, asked, granted};
        if (some(ready)) allocate_bank(p, ready, 0);
        if (some(speculative)) allocate_bank(p, speculative, 1);
        left_behind gone;
        if (p.count == 0) return gone;
        if (!stage::wide) m_c.flits[0] = m_c.credits[0] = 1;
        if (is_nonzero(m_b.odd))
            send_all<true>(p, gone);
        else
            send_all<false>(p, gone);
        return gone;
    }
    /// Sends a flit of each input VC in p.granted, in the order of the array, and adds the effects to `gone`.
    template <bool Odd, class Problem>
    SARE_INLINE void send_all(const Problem& p, left_behind& gone) const {
        for (std::uint32_t n = 0; n < p.count; ++n) {
            const index i = p.granted[n];
            this->template send<Odd>(i, m_b.to[i], gone);
        }
    }

    /// Returns the number of the crossbar output that the front flit of input VC i needs.
    SARE_INLINE std::uint32_t output_of(index i) const {
        const std::uint32_t s = stage::full ? shape().params.output_speedup : 1;
        return static_cast<std::uint32_t>(s == 1 ? m_b.to[i] : m_b.to[i] * s + this->port_of(i) % s);
    }
    /// True if output port `port` cannot send in this cycle, as its slow link is still busy with another
    /// flit. Always false with output speed-up, where flits may wait in a queue.
    bool link_busy(std::uint32_t port) const {
        return shape().slow_links && shape().params.output_speedup == 1 && m_b.next_slot[port] > m_c.now;
    }
    /// Serves the requests of the input VCs `requests`, plain ones if `bank` is 0, speculative ones if it is
    /// 1.
    template <class Problem>
    SARE_INLINE void allocate_bank(Problem& p, const set& requests, std::uint32_t bank) const {
        p.begin(requests, bank);
        if (shape().sa_allocator == compiled_allocator::wavefront) {
            p.begin_diagonals();
            return wavefront_policy::run(p);
        }
        if constexpr (stage::full)
            if (shape().sa_policy != nullptr) return by_policy(*shape().sa_policy, p);
        for (std::uint32_t n = 0;;) {
            const set before = p.used.outputs;
            if (shape().sa_allocator == compiled_allocator::input_first)
                input_first_policy::run(p);
            else
                output_first_policy::run(p);
            p.first = false;
            if (!stage::full || ++n == shape().params.iterations || !some(p.used.outputs & ~before)) return;
        }
    }

    /// SA by any allocator and arbiters as a problem for the policies that are compiled in (see any_problem).
    /// It has one *bank* of requests at a time: 0, all plain ones, then 1, all speculative ones. Rows are
    /// crossbar inputs, columns crossbar outputs; a choice of a row is an input VC.
    struct any {
        static constexpr int most = N;
        /// True where the order of the grants matters: flits for one link leave in that order, and routing
        /// may look at the flits that have left.
        static constexpr bool in_order = stage::full;
        using set = typename stage::set;
        using columns = set;
        using number = std::uint16_t;

        const vc_switch_allocation s;  // a copy, so that its fields stay in registers
        const std::uint32_t speedup;   ///< number of crossbar inputs of each port
        /// Input VCs that ask, by crossbar input; filled only for allocators that look at them again.
        set* const asked;
        number_type* const granted;  ///< input VCs of both banks that may send, in the order of their grants
        std::uint32_t count = 0;     ///< number of input VCs in `granted`
        set requests = {};           ///< input VCs of this bank that bid
        std::uint32_t bank = 0;      ///< 0: plain requests, 1: speculative ones
        crossbar used = {}, usual = {};  ///< taken by this bank; taken by plain requests
        bool first = true;               ///< true in the first iteration
        /// Wavefront only: number of diagonals; number of the diagonal that is served first.
        std::uint32_t n = 0, diagonal = 0;
        set rows = {};  ///< wavefront only: crossbar inputs that ask

        /// `inputs`: number of crossbar inputs of each port; `by_input`, `order`: memory for `asked` and
        /// `granted`, N elements each, which must outlive this object.
        any(const vc_switch_allocation& step, std::uint32_t inputs, set* by_input, number_type* order)
            : s(step), speedup(inputs), asked(by_input), granted(order) {}
        /// Begins bank `which` (0: plain, 1: speculative) with the requests of the input VCs `all`.
        SARE_INLINE void begin(const set& all, std::uint32_t which) {
            requests = all;
            bank = which;
            used = {};
            first = true;
        }
        /// True if the arbiters are not round robin.
        bool has_arbiters() const { return stage::full && s.shape().sa_arbiter != nullptr; }
        /// Returns the requesters that the round-robin arbiters of this bank served last.
        auto& turns() const { return s.m_b.turns[bank]; }
        /// Returns the crossbar input of input VC i; port_of() returns the input port of crossbar input x.
        SARE_INLINE index input_of(index i) const {
            return speedup == 1 ? s.port_of(i) : s.port_of(i) * speedup + s.shape().input_of[s.vc_of(i)];
        }
        index port_of(index x) const { return speedup == 1 ? x : x / speedup; }
        static bool is_one(const set& of) { return of_one(of, lowest(of)); }
        static bool of_one(const set& of, index i) { return !some(of & ~stage::one(i)); }
        /// Returns the members of the set `of` that are VCs of port `port`, as a mask: bit v for VC v.
        vc_mask mask_of(const set& of, index port) const {
            return slice(of, s.number(port, 0), s.shape().vcs);
        }
        /// Calls f(x, vcs) for each crossbar input x that has requests and is not taken in this bank. `vcs`:
        /// input VCs with a request at x whose crossbar output is not taken in this bank and whose link can
        /// take a flit.
        template <class F>
        SARE_INLINE void for_each_row(F&& f) const {
            set rest = requests;
            while (some(rest)) {
                const index i = lowest(rest);
                const set mine = s.with_port_of(i, rest);
                rest &= ~mine;
                const index port = s.port_of(i);
                if (speedup == 1)
                    visit(port, mine, f);
                else
                    for (std::uint32_t k = 0; k < speedup; ++k)
                        visit(port * speedup + k, with_input(k, port, mine), f);
            }
        }
        template <class F>
        SARE_INLINE void visit(index x, set mine, F&& f) const {
            if constexpr (stage::full) {
                if (!first && is_member(used.inputs, x)) return;
                if (!first || s.shape().slow_links) mine = sendable(mine);
            }
            if (some(mine)) f(x, mine);
        }
        /// Returns the members of `mine`, VCs of port `port`, that use crossbar input k of the port.
        SARE_INLINE set with_input(std::uint32_t k, index port, const set& mine) const {
            set all = {};
            add_slice(all, s.number(port, 0), s.shape().vcs_of_input[k]);
            return mine & all;
        }
        /// Returns the members of `of` whose crossbar output is not taken in this bank, and whose link can
        /// take a flit. A link that a plain request has won in this cycle cannot take a flit of a speculative
        /// request if links are slow and have no output speed-up.
        set sendable(const set& of) const {
            const bool loses_link = s.shape().slow_links && s.shape().params.output_speedup == 1;
            set taken = used.outputs;
            if (loses_link) taken |= usual.outputs;
            set open = of;
            for (const index i : members(of))
                if (is_member(taken, s.output_of(i)) || s.link_busy(s.m_b.to[i])) remove_member(open, i);
            return open;
        }
        /// Returns the members of asked[x] that ask for crossbar output y.
        SARE_INLINE set vcs_to(index x, index y) const {
            set found = asked[x];
            for (const index i : members(asked[x]))
                if (s.output_of(i) != y) remove_member(found, i);
            return found;
        }
        /// Returns the input VC that the arbiter of crossbar input x picks from `of`, input VCs at x, not
        /// empty.
        SARE_INLINE index pick_vc(index x, const set& of) const {
            const index i = lowest(of);
            if (of_one(of, i)) return i;
            if (!has_arbiters()) return s.pick_after(of, s.number(s.port_of(i), turns().vc[x]));
            const arbiters all(s);
            const index port = s.port_of(i);
            return s.number(port, all.sa_vcs(bank).pick(static_cast<std::uint32_t>(x), mask_of(of, port),
                                                        all.vcs_of(port)));
        }
        /// True if the arbiter of crossbar output y prefers crossbar input x, standing for the VCs
        /// `challenges`, to `holder`, standing for the VCs `holds`.
        SARE_INLINE bool beats(index y, index x, index holder, vc_group challenges, vc_group holds) const {
            const index last = turns().column[y];
            if (!has_arbiters()) return x > holder ? holder <= last && x > last : holder <= last || x > last;
            const arbiters all(s);
            const auto requesters =
                all.contenders([=](std::uint32_t k) { return k == x ? challenges : holds; });
            return all.sa_columns(bank).beats(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x),
                                              static_cast<std::uint32_t>(holder), requesters);
        }
        /// Tells the arbiter of crossbar output y that it served crossbar input x, which stood for the VCs
        /// `by`.
        SARE_INLINE void column_served(index y, index x, vc_group by) const {
            if (!has_arbiters()) {
                turns().column[y] = static_cast<std::uint16_t>(x);
                return;
            }
            const arbiters all(s);
            all.sa_columns(bank).served(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x),
                                        all.contenders([=](std::uint32_t) { return by; }));
        }

        // ---- input first
        SARE_INLINE match pick(index x, const set& of) const {
            const index i = pick_vc(x, of);
            return {i, s.output_of(i)};
        }
        SARE_INLINE bool beats(index y, index challenger, index holder) const {
            return beats(y, input_of(challenger), input_of(holder), {challenger, 1}, {holder, 1});
        }
        SARE_INLINE void grant(index i, index y) {
            column_served(y, input_of(i), {i, 1});
            s.settle(i, *this);
        }

        // ---- output first
        SARE_INLINE columns columns_of(index x, const set& of) {
            asked[x] = of;
            columns all = {};
            for (const index i : members(of)) add_member(all, s.output_of(i));
            return all;
        }
        /// Returns the input VCs for which crossbar input x stands at crossbar output y.
        vc_group group(index x, index y) const {
            const index port = port_of(x);
            return {s.number(port, 0), mask_of(vcs_to(x, y), port)};
        }
        SARE_INLINE bool beats_in_column(index y, index challenger, index holder) const {
            if (!has_arbiters()) return beats(y, challenger, holder, {}, {});
            return beats(y, challenger, holder, group(challenger, y), group(holder, y));
        }
        SARE_INLINE index accept(index x, const columns& offered) const {
            auto& row = turns().row[x];
            if (!has_arbiters()) {
                set later = offered;
                for (const index y : members(offered))
                    if (y <= row) remove_member(later, y);
                row = static_cast<std::uint16_t>(lowest(some(later) ? later : offered));
                return row;
            }
            const arbiters all(s);
            const auto outputs = all.contenders([this, x](std::uint32_t y) { return group(x, y); });
            const auto in = static_cast<std::uint32_t>(x);
            std::uint32_t best = N;
            for (const index y : members(offered)) {
                const auto challenger = static_cast<std::uint32_t>(y);
                if (best == N || all.sa_rows(bank).beats(in, challenger, best, outputs)) best = challenger;
            }
            all.sa_rows(bank).served(in, best, outputs);
            return best;
        }
        SARE_INLINE void grant_offer(index x, index y) {
            column_served(y, x, has_arbiters() ? group(x, y) : vc_group{});
            take(x, y);
        }
        SARE_INLINE void take(index x, index y) {
            s.settle(is_one(asked[x]) ? lowest(asked[x]) : pick_vc(x, vcs_to(x, y)), *this);
        }

        // ---- a wavefront over all inputs and outputs of the crossbar
        SARE_INLINE void begin_diagonals() {
            n = std::max(s.shape().crossbar_inputs, s.shape().crossbar_outputs);
            diagonal = static_cast<std::uint32_t>(s.m_c.now % n);
            rows = {};
            for_each_row([this](index x, const set& vcs) SARE_INLINED {
                asked[x] = vcs;
                add_member(rows, x);
            });
        }
        bool order_matters() const {
            return in_order && (stage::wide || s.shape().params.output_speedup > 1);
        }
        const set& rows_that_ask() const { return rows; }
        SARE_INLINE std::uint32_t first_choice(std::uint32_t x) const {
            if (is_one(asked[x])) return s.output_of(lowest(asked[x]));
            return column_on(x, next_diagonal(x, 0));
        }
        SARE_INLINE std::uint32_t next_diagonal(std::uint32_t x, std::uint32_t from) const {
            std::uint32_t best = wavefront_order<N, set>::none;
            for (const index i : members(asked[x])) {
                std::uint32_t d = x + s.output_of(i) + n - diagonal;
                d = d < n ? d : d < 2 * n ? d - n : d - 2 * n;
                if (d >= from && d < best) best = d;
            }
            return best;
        }
        SARE_INLINE std::uint32_t column_on(std::uint32_t x, std::uint32_t d) const {
            const std::uint32_t y = d + diagonal + n - x;
            return y < n ? y : y < 2 * n ? y - n : y - 2 * n;
        }
    };

    /// SA as an `allocation`, for allocators that are not compiled in.
    struct told final : allocation {
        any& p;

        explicit told(any& problem) : p(problem) {
            std::fill_n(p.asked, p.s.shape().crossbar_inputs, set{});
            p.for_each_row([&](index x, const set& vcs) { p.asked[x] = vcs; });
        }
        index input_vc(std::uint32_t x, std::uint32_t vc) const { return p.s.number(p.port_of(x), vc); }
        std::uint32_t rows() const override { return p.s.shape().crossbar_inputs; }
        std::uint32_t columns() const override { return p.s.shape().crossbar_outputs; }
        std::uint64_t cycle() const override { return p.s.m_c.now; }
        vc_mask choices(std::uint32_t x) const override { return p.mask_of(p.asked[x], p.port_of(x)); }
        std::uint32_t column(std::uint32_t x, std::uint32_t vc) const override {
            return p.s.output_of(input_vc(x, vc));
        }
        std::uint32_t pick(std::uint32_t x, vc_mask vcs) const override {
            set of = {};
            add_slice(of, input_vc(x, 0), vcs);
            return static_cast<std::uint32_t>(p.pick_vc(x, of) - input_vc(x, 0));
        }
        bool beats(std::uint32_t y, std::uint32_t challenger, std::uint32_t holder) const override {
            return p.beats_in_column(y, challenger, holder);
        }
        void grant(std::uint32_t x, std::uint32_t vc) override {
            const std::uint32_t y = column(x, vc);
            p.column_served(y, x, p.has_arbiters() ? p.group(x, y) : vc_group{});
            p.s.settle(input_vc(x, vc), p);
        }
    };
    /// Runs `policy`, an allocator that is not compiled in, once on problem p.
    static __attribute__((noinline, cold)) void by_policy(const allocator& policy, any& p) {
        told all(p);
        policy.run(all);
    }

    /// Notes that input VC i has won its crossbar input and output. A speculative grant has an effect only if
    /// no plain request won either of the two, and VA of this cycle has given the head an output VC with the
    /// credits that it needs.
    SARE_INLINE void settle(index i, any& p) const {
        const index x = p.input_of(i), y = output_of(i);
        if (stage::full) {
            add_member(p.used.inputs, x);
            add_member(p.used.outputs, y);
        }
        const auto vc = static_cast<std::uint32_t>(this->vc_of(i));
        if (p.has_arbiters()) {
            const arbiters all(*this);
            all.sa_vcs(p.bank).served(static_cast<std::uint32_t>(x), vc, all.vcs_of(this->port_of(i)));
        } else {
            p.turns().vc[x] = static_cast<std::uint16_t>(vc);
        }
        if (p.bank == 0) {
            add_member(p.usual.inputs, x);
            add_member(p.usual.outputs, y);
        } else if (is_member(p.usual.inputs, x) || is_member(p.usual.outputs, y) || is_member(m_b.va, i) ||
                   is_member(m_b.starved, i)) {
            return;
        }
        p.granted[p.count++] = static_cast<number_type>(i);
    }
};

}  // namespace sare
