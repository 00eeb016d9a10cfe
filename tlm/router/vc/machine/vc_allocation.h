// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/input_first.h"
#include "tlm/router/allocator/output_first.h"
#include "tlm/router/allocator/wavefront.h"
#include "tlm/router/vc/machine/arbiters.h"

namespace sare {

/// VC allocation (VA): heads bid for output VCs. For the allocators, rows are input VCs and columns are
/// output VCs, by VC number. Template parameters: as in vc_stage.
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
    using typename stage::candidate;
    using typename stage::index;
    using typename stage::input;
    using typename stage::number_type;
    using typename stage::set;

  public:
    using stage::stage;

    /// Gives output VCs to heads in the input VCs `bidding`, and takes these output VCs out of vc_sets::free.
    /// Returns the input VCs whose heads have got an output VC. `asked`: set to true if some head found a
    /// free output VC to ask for.
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

    /// Returns the output VCs, all of one port, that the head in input VC i can ask for now; an empty set if
    /// there are none. `free`: output VCs that may be given to packets.
    SARE_INLINE set find_open(index i, const set& free) const {
        return find_open_of(i, free & m_b.in(i).want);
    }
    /// Does what find_open() does, for output VCs `open` that are free and on the route of the head in input
    /// VC i; for a packet that forks, `open` has the VCs of one output port.
    SARE_INLINE set find_open_of(index i, set open) const {
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

    /// Returns the members of `bidding` whose heads bid in SA, too: some output VC that the head may get has
    /// the credits that the head needs.
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

  protected:
    /// Request of a head: number of its input VC, and of the output VC that it asks for.
    struct match {
        index who, column;
    };

  private:
    using arbiters = vc_arbiters<stage>;
    /// Allocates by allocate_by_policies(). Static, since the address of a step must not become known to a
    /// function that is not inlined: the step would not stay in registers. This one is compiled with the
    /// processor's instructions for sets of bits.
    static __attribute__((noinline)) SARE_BIT_INSTRUCTIONS set
    allocate_any_with_bits(const typename stage::cycle& c, block& b, const set& bidding, bool& asked) {
        return vc_allocation(c, b).allocate_by_policies(bidding, asked);
    }
    /// Allocates by allocate_by_policies(), for wide routers, without special instructions.
    static __attribute__((noinline)) set allocate_any(const typename stage::cycle& c, block& b,
                                                      const set& bidding, bool& asked) {
        return vc_allocation(c, b).allocate_by_policies(bidding, asked);
    }
    /// Does what allocate() does, by any allocator and arbiters; separable allocators run
    /// router_params::iterations times.
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
            const bool repeats =
                policy == compiled_allocator::input_first || policy == compiled_allocator::output_first;
            if (!full || !repeats || !p.asked) return p.won;
            if (++n == shape().params.iterations) return p.won;
            p.next_iteration();
        }
    }

    /// Returns the set of the one output VC in `open` with the same VC as input VC i, if there is one;
    /// otherwise `open`, whose members must be of one port.
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
    /// Returns the output VCs in `open` of the candidate that the selection policy takes for the head in
    /// input VC i. An escape is taken only if no other candidate has a VC in `open`. Some candidate must have
    /// one.
    static __attribute__((noinline)) set select_candidate(const typename stage::cycle& c, block& b, index i,
                                                          const set& open) {
        const vc_allocation s(c, b);
        const vc_candidates<set>& ways = s.candidates_of(i);
        const candidate* const masks = s.masks_of(i, ways);
        const bool escapes = !some(open & ways.adaptive);
        const candidate* way = masks + (escapes ? ways.escape : 0);
        const candidate* const last = masks + (escapes ? ways.size : ways.escape);
        set best = s.part_of(open, *way);
        while (!some(best)) best = s.part_of(open, *++way);  // some candidate is open
        const selection_policy rule = c.around.shape.params.selection;
        if (rule == selection_policy::most_credit)
            best = s.most_credits(best, way, last, open);
        else if (full && rule != selection_policy::first)
            best = s.choose(i, best, way, last, open);
        if constexpr (stage::tracks_packets) b.to[i] = static_cast<number_type>(s.port_of(lowest(best)));
        if constexpr (full)
            if (rule == selection_policy::same_vc) return s.same_vc(i, best);
        return best;
    }
    /// Returns the candidates of the head in input VC i.
    SARE_INLINE const vc_candidates<set>& candidates_of(index i) const {
        if constexpr (stage::wide)
            return m_c.around.own_candidates[std::size_t{m_b.in_bank} * m_c.in_vcs + i];
        const flit head = flit::from_word(m_b.front(i));
        return m_c.around.answers.ways[m_b.routes[m_c.entry(this->port_of(i), head)]];
    }
    /// Returns an array with the output VCs of each candidate in `ways`, the result of candidates_of(i).
    SARE_INLINE const candidate* masks_of(index i, const vc_candidates<set>& ways) const {
        if constexpr (stage::wide) return this->own_masks(i);
        return m_c.around.answers.masks.data() + ways.first;
    }
    /// Returns the output VCs of candidate `way` that are in `open`.
    SARE_INLINE set part_of(const set& open, const candidate& way) const {
        if constexpr (stage::wide) {
            set part = {};
            add_slice(part, way.first, slice(open, way.first, shape().vcs) & way.vcs);
            return part;
        } else {
            return open & way;
        }
    }
    /// Returns the output VCs in `open` of the candidate, from `way` to before `last`, whose output VCs in
    /// `open` have most credits; of the first one if several have as many. `best`: output VCs in `open` of
    /// `way`, not empty.
    SARE_INLINE set most_credits(set best, const candidate* way, const candidate* last,
                                 const set& open) const {
        // Computed only if there is another to compare with.
        constexpr std::uint32_t unknown = ~std::uint32_t{0};
        std::uint32_t most = unknown;
        while (++way != last) {
            const set part = part_of(open, *way);
            if (!some(part)) continue;
            if (most == unknown) most = credits_of(best);
            const std::uint32_t credits = credits_of(part);
            if (credits <= most) continue;
            best = part;
            most = credits;
        }
        return best;
    }
    /// Makes the choice of selection `random` or `same_vc`. Returns the output VCs in `open` of one candidate
    /// from `way` to before `last`: a random one of those with any (random); or the first one with the VC of
    /// input VC i in `open`, `best` if there is none (same_vc).
    set choose(index i, set best, const candidate* way, const candidate* last, const set& open) const {
        if (shape().params.selection == selection_policy::random) {
            std::uint32_t n = 0;
            for (const candidate* w = way; w != last; ++w) n += some(part_of(open, *w)) ? 1 : 0;
            std::uint32_t drawn = n == 1 ? 0 : m_c.around.random[m_b.in_bank].below(n);
            while (!some(part_of(open, *way)) || drawn-- != 0) ++way;
            return part_of(open, *way);
        }
        for (; way != last; ++way)
            if (const set part = part_of(open, *way); some(part) && is_member(part, same_at(part, i)))
                return part;
        return best;
    }
    /// Returns the number of credits that the output VCs `part` have together in this cycle, including
    /// credits that are back in accounts.
    SARE_INLINE std::uint32_t credits_of(const set& part) const {
        std::uint32_t credits = 0;
        for (const index o : members(part))
            credits += m_b.credits_at(static_cast<std::uint32_t>(o), static_cast<std::uint32_t>(m_c.now));
        return credits;
    }

    // ---- problems of the policies
  protected:
    /// The usual VA as a problem for input_first_policy (see any_problem), with round-robin arbiters whose
    /// state is in the block anyway: the arbiter of an input VC goes by the output VC that its packets had
    /// last, the arbiter of an output VC by the input VC that had it last.
    struct round_robins {
        static constexpr int most = N;
        static constexpr bool in_order = false;
        using set = typename stage::set;
        using columns = set;
        using number = number_type;
        const vc_allocation s;  // a copy, so that its fields stay in registers
        set bidding, free;      ///< input VCs with heads that bid; output VCs that may be given
        const set stocked;      ///< output VCs with credits
        set won = {};           ///< input VCs whose heads have got an output VC

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

  private:
    /// VA by any allocator and arbiters, in several iterations, as a problem for the policies that are
    /// compiled in.
    struct any : round_robins {
        using set = typename stage::set;
        using round_robins::s;
        /// Output VCs that have been given in this cycle; true if some head has asked for an output VC in
        /// this iteration.
        set given = {};
        bool asked = false;

        explicit any(const round_robins& base) : round_robins(base) {}
        /// True if the arbiters are not round robin.
        bool has_arbiters() const { return full && s.shape().va_arbiter != nullptr; }
        /// Prepares the next iteration with the heads and output VCs that are left.
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
        /// Returns the number of VC 0 of the port of the members of `open`.
        index first_at(const set& open) const { return s.number(s.port_of(lowest(open)), 0); }
        /// Picks one of the output VCs in `open` for the head in input VC i. An arbiter learns nothing about
        /// an output VC but its number.
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
        /// Gives output VC o to the head in input VC i. Of the arbiters, only round-robin ones are told.
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

    /// VA as a problem for wavefront_policy, and as an `allocation` for allocators that are not compiled in,
    /// whose rows and columns are port * VCs + VC. A head asks for VCs of one output port.
    struct requests final : allocation {
        static constexpr int most = N;
        using set = typename stage::set;
        any& p;
        const std::uint32_t n, vcs;  ///< number of VCs of the router; number of VCs of a port
        set rows_in = {};            ///< input VCs whose heads ask for an output VC
        /// Mask of the VCs that the head asks for, by input VC. Like `first` and `start`, set for members of
        /// rows_in only.
        vc_mask open[N];
        std::uint16_t first[N];  ///< number of VC 0 of the port that the head asks for, by input VC
        /// Diagonal, by input VC, of the request for VC 0 of that port; VC numbers that the port does not
        /// have are on no diagonal.
        std::uint16_t start[N];

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
        /// Returns the VCs that the head in input VC i asks for whose diagonals wrap round to 0, 1, ...; its
        /// lower VCs are on the last diagonals.
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
    /// Solves problem p by wavefront_policy, or by the allocator that is not compiled in.
    static SARE_INLINE void run_on_requests(any& p) {
        requests all(p);
        if (!full || p.s.shape().va_policy == nullptr)
            wavefront_policy::run(all);
        else if (some(all.rows_in))
            p.s.shape().va_policy->run(all);
    }
};

}  // namespace sare
