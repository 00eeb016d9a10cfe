// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/input_first.h"
#include "tlm/router/allocator/output_first.h"
#include "tlm/router/allocator/wavefront.h"
#include "tlm/router/vc/machine/arbiters.h"

namespace sare {

/// VA: heads bid for output VCs. Rows are input VCs, columns output VCs.
template <int S, int N, bool Polled, bool Plain>
class fast_vc_allocation : public fast_stage<S, N, Polled, Plain> {
  protected:
    using stage = fast_stage<S, N, Polled, Plain>;
    using typename stage::block;
    using typename stage::index;
    using typename stage::input;
    using typename stage::number_type;
    using typename stage::set;
    using stage::adaptive;
    using stage::full;
    using stage::has_credits;
    using stage::m_b;
    using stage::m_c;
    using stage::one;
    using stage::rules;
    using stage::shape;

  public:
    using stage::stage;

    /// Input first, round robin, one iteration. Gives the winners.
    SARE_INLINE set allocate(const set& bidding) const {
        usual p{*this, bidding, m_b.free, m_b.stocked};
        const set granted = input_first_policy::run(p);
        m_b.free = p.free & ~granted;
        return p.won;
    }
    /// The same by any policies. `asked`: some head could ask.
    set allocate_any(const set& bidding, bool& asked) const {
        set won = {};
        for (std::uint32_t n = 0; n < shape().params.iterations; ++n) {
            requests r;
            for (const std::uint64_t i : members(bidding & ~won)) {
                const set open = find_open(i);
                if (!some(open)) continue;
                add_member(r.rows, i);
                r.vcs[i] = static_cast<std::uint16_t>(this->vcs_at(open, m_b.to[i]));
            }
            if (!some(r.rows)) break;
            asked = true;
            any p{*this, r, won, arbiters(*this), arbiters(*this).va_rows(), arbiters(*this).va_columns()};
            if (shape().va_allocator == compiled_allocator::input_first) {
                input_first_policy::run(p);
            } else if (shape().va_allocator == compiled_allocator::output_first) {
                output_first_policy::run(p);
            } else if (shape().va_allocator == compiled_allocator::wavefront) {
                diagonals given(p);
                wavefront_policy::run(given);
                break;
            } else {
                by_policy(*shape().va_policy, p);
            }
        }
        return won;
    }

    /// The output VCs that head i can ask for now, all of one port.
    SARE_INLINE set find_open(index i) const { return find_open(i, m_b.free); }
    SARE_INLINE set find_open(index i, const set& free) const {
        set open = free & m_b.in(i).want;
        if constexpr (full) {
            if (rules().room_in_va)
                for (const std::uint64_t o : members(open)) {
                    if (!has_credits(i, o)) remove_member(open, o);
                }
            if (some(open) && shape().params.selection == selection_policy::same_vc && !rules().adaptive)
                open = same_vc(i, open);
        }
        if (adaptive && some(open) && rules().adaptive) open = select_candidate(m_c, m_b, i, open);
        return open;
    }

  private:
    using arbiters = vc_arbiters<stage>;
    struct requests {
        set rows = {};
        std::uint16_t vcs[N];  ///< what each asks for, of port block::to
    };
    struct match {
        index who, column;
    };

    /// Nothing but the VC with the head's own number, if it is there. All are of one port.
    set same_vc(index i, const set& open) const {
        const index same = same_at(open, i);
        return is_member(open, same) ? one(same) : open;
    }
    index same_at(const set& open, index i) const {
        return this->number(this->port_of(lowest(open)), this->vc_of(i));
    }
    void give(index i, index o) const {
        remove_member(m_b.free, o);
        m_b.owner(o) = static_cast<number_type>(i);
        m_b.in(i).out = static_cast<number_type>(o);
        if (!has_credits(i, o)) add_member(m_b.starved, i);
    }

    // ---- of several ways
    /// Of the open output VCs of several ways, those of the way that is taken: one of the escape only when no
    /// other has any.
    static __attribute__((noinline)) set select_candidate(const typename stage::cycle& c, block& b, index i,
                                                          const set& open) {
        const fast_vc_allocation s(c, b);
        const vc_ways<set>& ways = s.ways_of(i);
        const bool escapes = !some(open & ways.adaptive);
        const set* const first = s.masks_of(i, ways) + (escapes ? ways.escape : 0);
        const set* const last = s.masks_of(i, ways) + (escapes ? ways.size : ways.escape);
        const set best = s.choose(i, first, last, open);
        if constexpr (full) b.to[i] = static_cast<std::uint8_t>(s.port_of(lowest(best)));
        if constexpr (full)
            if (c.around.shape.params.selection == selection_policy::same_vc) return s.same_vc(i, best);
        return best;
    }
    const vc_ways<set>& ways_of(index i) const {
        if constexpr (stage::wide) return m_c.around.own_ways[std::size_t{m_b.in_bank} * m_c.in_vcs + i];
        const flit head = flit::from_word(m_b.front(i));
        return m_c.around.answers.ways[m_b.routes[m_c.entry(this->port_of(i), head)]];
    }
    const set* masks_of(index i, const vc_ways<set>& ways) const {
        if constexpr (stage::wide) return this->own_masks(i);
        return m_c.around.answers.masks.data() + ways.first;
    }
    set choose(index i, const set* way, const set* last, const set& open) const {
        const selection_policy rule = shape().params.selection;
        if (full && rule == selection_policy::random) {
            std::uint32_t n = 0;
            for (const set* w = way; w != last; ++w) n += some(open & *w) ? 1 : 0;
            std::uint32_t drawn = n == 1 ? 0 : m_c.around.random[m_b.in_bank].below(n);
            while (!some(open & *way) || drawn-- != 0) ++way;
            return open & *way;
        }
        set best = {};
        std::uint32_t most = 0;
        for (; way != last; ++way) {
            const set part = open & *way;
            if (!some(part)) continue;
            if (rule == selection_policy::first) return part;
            if (full && rule == selection_policy::same_vc) {
                if (is_member(part, same_at(part, i))) return part;
                if (!some(best)) best = part;
                continue;
            }
            const std::uint32_t credits = credits_of(part);
            if (some(best) && credits <= most) continue;
            best = part;
            most = credits;
        }
        return best;
    }
    std::uint32_t credits_of(const set& part) const {
        std::uint32_t credits = 0;
        for (const std::uint64_t o : members(part)) {
            credits += m_b.credits_at(static_cast<std::uint32_t>(o), static_cast<std::uint32_t>(m_c.now));
        }
        return credits;
    }

    // ---- what the policies work on
    /// Round robin in place: what an input VC had last, and who had an output VC last, is whom they served.
    struct usual {
        static constexpr int most = N;
        static constexpr bool in_order = false;
        using columns = set;
        using number = number_type;
        const fast_vc_allocation& s;
        const set bidding, free, stocked;
        set won = {};

        template <class F>
        SARE_INLINE void for_each_row(F&& f) const {
            for (const std::uint64_t i : members(bidding)) {
                const set open = s.find_open(i, free);
                if (some(open)) f(i, open);
            }
        }
        SARE_INLINE match pick(index i, const set& open) const {
            return {i, s.pick_after(open, s.m_b.in(i).out)};
        }
        SARE_INLINE bool beats(index o, index challenger, index holder) const {
            const index last = s.m_b.owner(o);
            return holder <= last && challenger > last;
        }
        SARE_INLINE void grant(index i, index o) {
            add_member(won, i);
            s.m_b.owner(o) = static_cast<number_type>(i);
            s.m_b.in(i).out = static_cast<number_type>(o);
            if (!(s.has_room() ? s.has_credits(i, o) : is_member(stocked, o))) s.m_b.starved |= one(i);
        }
    };

    struct any {
        static constexpr int most = N;
        static constexpr bool in_order = false;
        using set = typename stage::set;
        using columns = set;
        using number = std::uint16_t;
        using offers = std::uint32_t;  ///< VCs of the port
        const fast_vc_allocation& s;
        const requests& r;
        typename stage::set& won;
        const arbiters all;
        const arbiter_row rows, outputs;

        index first_of(index i) const { return s.number(s.m_b.to[i], 0); }
        template <class F>
        void for_each_row(F&& f) const {
            for (const std::uint64_t i : members(r.rows)) f(i, std::uint32_t{r.vcs[i]});
        }
        template <class F>
        void for_each_request(F&& f) const {
            for (const std::uint64_t i : members(r.rows)) {
                for (const std::uint64_t vc : members(std::uint32_t{r.vcs[i]})) {
                    f(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(first_of(i) + vc));
                }
            }
        }
        /// Nothing tells one free VC from another but whose turn it is: age does not apply here.
        match pick(index i, std::uint32_t vcs) const {
            return {i, first_of(i) + rows.pick(s.plain_number(i), vcs, all.unknown())};
        }
        bool beats(index o, index challenger, index holder) const {
            return outputs.beats(s.plain_number(o), s.plain_number(challenger), s.plain_number(holder),
                                 all.input_vcs());
        }
        bool offers_before(index o, index challenger, index holder) const {
            return beats(o, challenger, holder);
        }
        void grant(index i, index o) const {
            outputs.served(s.plain_number(o), s.plain_number(i), all.input_vcs());
            rows.served(s.plain_number(i), static_cast<std::uint32_t>(o - first_of(i)), all.unknown());
            give(i, o);
        }
        void give(index i, index o) const {
            s.give(i, o);
            add_member(won, i);
        }
        void add_offer(offers& offered, index i, index o) const { offered |= 1U << (o - first_of(i)); }
        std::uint32_t accept(index i, offers offered) const {
            return static_cast<std::uint32_t>(pick(i, offered).column);
        }
        void grant_offer(index i, index o) const { grant(i, o); }
    };

    /// A wavefront over all VCs.
    struct diagonals {
        static constexpr int most = N;
        using set = typename stage::set;
        const any& p;
        const std::uint32_t n;
        std::uint16_t start[N];  ///< the diagonal of VC 0 of the port that a row asks for

        explicit diagonals(const any& problem) : p(problem), n(p.s.shape().ports * p.s.shape().vcs) {
            const auto first = static_cast<std::uint32_t>(p.s.m_c.now % n);
            for (const std::uint64_t i : members(p.r.rows)) {
                const std::uint32_t d = p.s.plain_number(i) + p.s.m_b.to[i] * p.s.shape().vcs + n - first;
                start[i] = static_cast<std::uint16_t>(d < n ? d : d < 2 * n ? d - n : d - 2 * n);
            }
        }
        const set& rows_that_ask() const { return p.r.rows; }
        std::uint32_t next_diagonal(std::uint32_t i, std::uint32_t from) const {
            const std::uint32_t to_last = n - start[i];  // VCs from there on are on the diagonals from 0 on
            const std::uint64_t vcs = p.r.vcs[i];
            const std::uint64_t wrapped = to_last < p.s.shape().vcs ? from_on(vcs >> to_last, from) : 0;
            if (wrapped != 0) return static_cast<std::uint32_t>(lowest(wrapped));
            const std::uint64_t others = to_last < p.s.shape().vcs ? vcs & ((1u << to_last) - 1) : vcs;
            const std::uint64_t left = from_on(others, from < start[i] ? 0 : from - start[i]);
            if (left == 0) return wavefront_order<N, set>::none;
            return static_cast<std::uint32_t>(start[i] + lowest(left));
        }
        std::uint32_t column_on(std::uint32_t i, std::uint32_t d) const {
            return static_cast<std::uint32_t>(p.first_of(i)) + (d >= start[i] ? d - start[i] : d + n - start[i]);
        }
        void take(std::uint32_t i, std::uint32_t o) const { p.give(i, o); }
    };

    /// For policies that are not compiled in, which number all as from outside.
    struct told final : allocation {
        const any& p;

        explicit told(const any& problem) : p(problem) {}
        index inside(std::uint32_t row) const { return p.s.from_plain(row); }
        std::uint32_t rows() const override { return p.s.shape().ports * p.s.shape().vcs; }
        std::uint32_t columns() const override { return rows(); }
        std::uint64_t cycle() const override { return p.s.m_c.now; }
        std::uint32_t choices(std::uint32_t row) const override {
            return is_member(p.r.rows, inside(row)) ? p.r.vcs[inside(row)] : 0;
        }
        std::uint32_t column(std::uint32_t row, std::uint32_t vc) const override {
            return p.s.plain_number(p.first_of(inside(row)) + vc);
        }
        std::uint32_t pick(std::uint32_t row, std::uint32_t vcs) const override {
            return static_cast<std::uint32_t>(p.pick(inside(row), vcs).column - p.first_of(inside(row)));
        }
        bool beats(std::uint32_t column, std::uint32_t challenger, std::uint32_t holder) const override {
            return p.beats(inside(column), inside(challenger), inside(holder));
        }
        void grant(std::uint32_t row, std::uint32_t vc) override {
            p.grant(inside(row), p.first_of(inside(row)) + vc);
        }
    };
    static __attribute__((noinline, cold)) void by_policy(const allocator& policy, const any& p) {
        told all(p);
        policy.run(all);
    }
};

}  // namespace sare
