// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/input_first.h"
#include "tlm/router/allocator/output_first.h"
#include "tlm/router/allocator/wavefront.h"
#include "tlm/router/vc/machine/arbiters.h"

namespace sare {

/// VA: heads bid for output VCs. Rows of the allocators are input VCs, columns are output VCs.
template <int S, int N, bool Polled, vc_features Has>
class vc_allocation : public vc_stage<S, N, Polled, Has> {
  protected:
    using stage = vc_stage<S, N, Polled, Has>;
    using stage::full;
    using stage::has_credits;
    using stage::m_b;
    using stage::m_c;
    using stage::one;
    using stage::plain;
    using stage::rules;
    using stage::shape;
    using typename stage::block;
    using typename stage::index;
    using typename stage::input;
    using typename stage::number_type;
    using typename stage::set;

  public:
    using stage::stage;

    /// Allocates output VCs to the heads that bid. Returns the heads that have got one. `asked`: set to true
    /// if some head found a VC to ask for.
    SARE_INLINE set allocate(const set& bidding, bool& asked) const {
        if constexpr (stage::tracks_packets)
            if (!rules().usual_va) {
                if constexpr (stage::wide) return allocate_any(m_c, m_b, bidding, asked);
                return allocate_any_with_bits(m_c, m_b, bidding, asked);
            }
        round_robins p{*this, bidding, m_b.free, m_b.stocked};
        const set granted = input_first_policy::run(p);
        m_b.free = p.free & ~granted;
        asked = some(p.won);
        return p.won;
    }

    /// Returns the output VCs, all of one port, that the head of input VC i can ask for now. `free`: output
    /// VCs that may be given.
    SARE_INLINE set find_open(index i, const set& free) const {
        set open = free & m_b.in(i).want;
        if constexpr (stage::tracks_packets)
            if (rules().room_in_va)
                for (const index o : members(open))
                    if (!has_credits(i, o)) remove_member(open, o);
        if constexpr (full)
            if (some(open) && shape().params.selection == selection_policy::same_vc && !rules().adaptive)
                open = same_vc(i, open);
        if (!plain && some(open) && rules().adaptive) open = select_candidate(m_c, m_b, i, open);
        return open;
    }

    /// Returns the heads that bid for the switch, too, by speculation: some output VC that they may get has
    /// the credits.
    SARE_INLINE set find_speculative(const set& bidding) const {
        set found = {};
        for (const index i : members(bidding)) {
            const set open = find_open(i, m_b.free);
            bool has = !rules().room && some(open & m_b.stocked);
            if (rules().room)
                for (const index o : members(open)) has = has || has_credits(i, o);
            if (has) add_member(found, i);
        }
        return found;
    }

  private:
    using arbiters = vc_arbiters<stage>;
    /// Input VC whose head asks, and the output VC that is picked.
    struct match {
        index who, column;
    };

    /// Allocates by any policies, in several iterations. Static, since the address of a step must not become
    /// known to a function that is not inlined: the step would not stay in registers.
    static __attribute__((noinline)) SARE_BIT_INSTRUCTIONS set
    allocate_any_with_bits(const typename stage::cycle& c, block& b, const set& bidding, bool& asked) {
        return vc_allocation(c, b).allocate_by_policies(bidding, asked);
    }
    static __attribute__((noinline)) set allocate_any(const typename stage::cycle& c, block& b,
                                                      const set& bidding, bool& asked) {
        return vc_allocation(c, b).allocate_by_policies(bidding, asked);
    }
    SARE_INLINE set allocate_by_policies(const set& bidding, bool& asked) const {
        const compiled_allocator policy = shape().va_allocator;
        any p{{*this, bidding, m_b.free, m_b.stocked}};
        for (std::uint32_t n = 0;;) {
            if (policy == compiled_allocator::input_first)
                input_first_policy::run(p);
            else if (policy == compiled_allocator::output_first)
                output_first_policy::run(p);
            else
                run_on_requests(p);
            asked = asked || p.asked;
            m_b.free &= ~p.given;
            if (!full || policy == compiled_allocator::wavefront || !p.asked) return p.won;
            if (++n == shape().params.iterations) return p.won;
            p.next_iteration();
        }
    }

    /// Returns the one output VC that has the same VC as input VC i if it is in `open`, whose members are of
    /// one port; otherwise `open`.
    set same_vc(index i, const set& open) const {
        const index same = same_at(open, i);
        return is_member(open, same) ? one(same) : open;
    }
    /// Returns the number of the output VC with the same VC as input VC i, at the port of the members of
    /// `open`.
    index same_at(const set& open, index i) const {
        return this->number(this->port_of(lowest(open)), this->vc_of(i));
    }

    // ---- several candidates
    /// Returns the open output VCs of the candidate that the selection policy takes for the head of input VC
    /// i. An escape is taken only if no other candidate has an open VC.
    static __attribute__((noinline)) set select_candidate(const typename stage::cycle& c, block& b, index i,
                                                          const set& open) {
        const vc_allocation s(c, b);
        const vc_candidates<set>& ways = s.candidates_of(i);
        const set* const masks = s.masks_of(i, ways);
        const bool escapes = !some(open & ways.adaptive);
        const set* way = masks + (escapes ? ways.escape : 0);
        const set* const last = masks + (escapes ? ways.size : ways.escape);
        set best = open & *way;
        while (!some(best)) best = open & *++way;  // some candidate is open
        const selection_policy rule = c.around.shape.params.selection;
        if (rule == selection_policy::most_credit)
            best = s.most_credits(best, way, last, open);
        else if (full && rule != selection_policy::first)
            best = s.choose(i, best, way, last, open);
        if constexpr (stage::tracks_packets) b.to[i] = static_cast<std::uint8_t>(s.port_of(lowest(best)));
        if constexpr (full)
            if (rule == selection_policy::same_vc) return s.same_vc(i, best);
        return best;
    }
    /// Returns the candidates of the head of input VC i, and masks_of() the output VCs of each.
    SARE_INLINE const vc_candidates<set>& candidates_of(index i) const {
        if constexpr (stage::wide)
            return m_c.around.own_candidates[std::size_t{m_b.in_bank} * m_c.in_vcs + i];
        const flit head = flit::from_word(m_b.front(i));
        return m_c.around.answers.ways[m_b.routes[m_c.entry(this->port_of(i), head)]];
    }
    SARE_INLINE const set* masks_of(index i, const vc_candidates<set>& ways) const {
        if constexpr (stage::wide) return this->own_masks(i);
        return m_c.around.answers.masks.data() + ways.first;
    }
    /// Returns the open output VCs of the candidate with most credits, from `way` up to `last`; of equal ones
    /// the first. `best`: open VCs of `way`, which has some.
    SARE_INLINE set most_credits(set best, const set* way, const set* last, const set& open) const {
        // Computed only if there is another to compare with.
        constexpr std::uint32_t unknown = ~std::uint32_t{0};
        std::uint32_t most = unknown;
        while (++way != last) {
            const set part = open & *way;
            if (!some(part)) continue;
            if (most == unknown) most = credits_of(best);
            const std::uint32_t credits = credits_of(part);
            if (credits <= most) continue;
            best = part;
            most = credits;
        }
        return best;
    }
    /// Returns the open output VCs of a candidate from `way` up to `last`: of one drawn at random, or of the
    /// first one with an open VC that is the same as input VC i's; `best` if there is none.
    set choose(index i, set best, const set* way, const set* last, const set& open) const {
        if (shape().params.selection == selection_policy::random) {
            std::uint32_t n = 0;
            for (const set* w = way; w != last; ++w) n += some(open & *w) ? 1 : 0;
            std::uint32_t drawn = n == 1 ? 0 : m_c.around.random[m_b.in_bank].below(n);
            while (!some(open & *way) || drawn-- != 0) ++way;
            return open & *way;
        }
        for (; way != last; ++way)
            if (const set part = open & *way; some(part) && is_member(part, same_at(part, i))) return part;
        return best;
    }
    /// Number of credits of some output VCs together.
    SARE_INLINE std::uint32_t credits_of(const set& part) const {
        std::uint32_t credits = 0;
        for (const index o : members(part))
            credits += m_b.credits_at(static_cast<std::uint32_t>(o), static_cast<std::uint32_t>(m_c.now));
        return credits;
    }

    // ---- problems of the policies
    /// Problem of the usual VA: input first with round robin, on the state that the block has anyway. An
    /// input VC's arbiter goes by the output VC that it had last, an output VC's by the input VC that had it
    /// last.
    struct round_robins {
        static constexpr int most = N;
        static constexpr bool in_order = false;
        using set = typename stage::set;
        using columns = set;
        using number = number_type;
        const vc_allocation s;  // a copy, so that its fields stay in registers
        set bidding, free;
        const set stocked;
        set won = {};

        template <class F>
        SARE_INLINE void for_each_row(F&& f) const {
            for (const index i : members(bidding)) {
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

    /// Problem of any policies and arbiters, in several iterations.
    struct any : round_robins {
        using set = typename stage::set;
        using round_robins::s;
        /// Output VCs that have been granted, and whether some head asked in this iteration.
        set given = {};
        bool asked = false;

        explicit any(const round_robins& base) : round_robins(base) {}
        bool has_arbiters() const { return full && s.shape().va_arbiter != nullptr; }
        void next_iteration() {
            this->bidding &= ~this->won;
            this->free &= ~given;
            asked = false;
        }
        template <class F>
        SARE_INLINE void for_each_row(F&& f) {
            round_robins::for_each_row([&](index i, const set& open) SARE_INLINED {
                asked = true;
                f(i, open);
            });
        }
        index first_at(const set& open) const { return s.number(s.port_of(lowest(open)), 0); }
        /// Picks one of the VCs that the head of input VC i asks for. Arbiters know nothing of free VCs but
        /// whose turn it is.
        match pick(index i, const set& open) const {
            if (!has_arbiters()) return round_robins::pick(i, open);
            const arbiters all(s);
            const vc_mask vcs = slice(open, first_at(open), s.shape().vcs);
            return {i, first_at(open) + all.va_rows().pick(s.plain_number(i), vcs, all.unknown())};
        }
        bool beats(index o, index challenger, index holder) const {
            if (!has_arbiters()) return round_robins::beats(o, challenger, holder);
            const arbiters all(s);
            return all.va_columns().beats(s.plain_number(o), s.plain_number(challenger),
                                          s.plain_number(holder), all.input_vcs());
        }
        void grant(index i, index o) {
            if (has_arbiters()) {
                const arbiters all(s);
                all.va_columns().served(s.plain_number(o), s.plain_number(i), all.input_vcs());
                all.va_rows().served(s.plain_number(i), static_cast<std::uint32_t>(s.vc_of(o)),
                                     all.unknown());
            }
            give(i, o);
        }
        SARE_INLINE void give(index i, index o) {
            round_robins::grant(i, o);
            add_member(given, o);
        }
        const set& columns_of(index, const set& open) const { return open; }
        SARE_INLINE index accept(index i, const set& offered) const { return pick(i, offered).column; }
        bool beats_in_column(index o, index challenger, index holder) const {
            return beats(o, challenger, holder);
        }
        SARE_INLINE void grant_offer(index i, index o) { grant(i, o); }
    };

    /// Problem of the wavefront, and of policies that are not compiled in, which have the numbers from
    /// outside: port * VCs + VC. A head asks for VCs of one port.
    struct requests final : allocation {
        static constexpr int most = N;
        using set = typename stage::set;
        any& p;
        const std::uint32_t n, vcs;
        set rows_in = {};
        vc_mask open[N];         ///< VCs that a head asks for, by input VC
        std::uint16_t first[N];  ///< number of VC 0 of the port that it asks for
        std::uint16_t start[N];  ///< diagonal of that VC 0; numbers without a VC have no diagonal

        SARE_INLINE explicit requests(any& problem)
            : p(problem), n(p.s.shape().ports * p.s.shape().vcs), vcs(p.s.shape().vcs) {
            const auto now = static_cast<std::uint32_t>(p.s.m_c.now % n);
            p.for_each_row([&](index i, const set& of) SARE_INLINED {
                const index vc0 = p.first_at(of);
                add_member(rows_in, i);
                open[i] = slice(of, vc0, vcs);
                first[i] = static_cast<std::uint16_t>(vc0);
                const std::uint32_t d = p.s.plain_number(i) + p.s.plain_number(vc0) + n - now;
                start[i] = static_cast<std::uint16_t>(d < n ? d : d < 2 * n ? d - n : d - 2 * n);
            });
        }
        static constexpr bool order_matters() { return false; }
        const set& rows_that_ask() const { return rows_in; }
        /// Returns the VCs asked for by the head of input VC i whose diagonals wrap round, to 0 and on. The
        /// VCs below them are on the last diagonals.
        SARE_INLINE vc_mask wrapped(std::uint32_t i) const {
            const std::uint32_t to_last = n - start[i];
            return to_last < vcs ? open[i] >> to_last << to_last : 0;
        }
        SARE_INLINE std::uint32_t first_choice(std::uint32_t i) const {
            const vc_mask early = wrapped(i);
            return first[i] + static_cast<std::uint32_t>(lowest(early != 0 ? early : open[i]));
        }
        SARE_INLINE std::uint32_t next_diagonal(std::uint32_t i, std::uint32_t from) const {
            const vc_mask early = wrapped(i);
            for (const std::uint64_t vc : members(early))
                if (start[i] + vc - n >= from) return static_cast<std::uint32_t>(start[i] + vc - n);
            for (const std::uint64_t vc : members(open[i] & ~early))
                if (start[i] + vc >= from) return static_cast<std::uint32_t>(start[i] + vc);
            return wavefront_order<N, set>::none;
        }
        std::uint32_t column_on(std::uint32_t i, std::uint32_t d) const {
            return first[i] + (d >= start[i] ? d - start[i] : d + n - start[i]);
        }
        SARE_INLINE void take(std::uint32_t i, std::uint32_t o) const { p.give(i, o); }

        std::uint32_t rows() const override { return n; }
        std::uint32_t columns() const override { return n; }
        std::uint64_t cycle() const override { return p.s.m_c.now; }
        vc_mask choices(std::uint32_t row) const override {
            const index i = p.s.from_plain(row);
            return is_member(rows_in, i) ? open[i] : 0;
        }
        std::uint32_t column(std::uint32_t row, std::uint32_t vc) const override {
            return p.s.plain_number(first[p.s.from_plain(row)] + vc);
        }
        std::uint32_t pick(std::uint32_t row, vc_mask of) const override {
            const index i = p.s.from_plain(row);
            set its = {};
            add_slice(its, first[i], of);
            return static_cast<std::uint32_t>(p.s.vc_of(p.pick(i, its).column));
        }
        bool beats(std::uint32_t o, std::uint32_t challenger, std::uint32_t holder) const override {
            return p.beats(p.s.from_plain(o), p.s.from_plain(challenger), p.s.from_plain(holder));
        }
        void grant(std::uint32_t row, std::uint32_t vc) override {
            const index i = p.s.from_plain(row);
            p.grant(i, first[i] + vc);
        }
    };
    static SARE_INLINE void run_on_requests(any& p) {
        requests all(p);
        if (!full || p.s.shape().va_policy == nullptr)
            wavefront_policy::run(all);
        else if (some(all.rows_in))
            p.s.shape().va_policy->run(all);
    }
};

}  // namespace sare
