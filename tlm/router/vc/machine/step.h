// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/bypass/prefetch.h"
#include "tlm/router/vc/bypass/router_bypass.h"
#include "tlm/router/vc/machine/flit_arrivals.h"
#include "tlm/router/vc/machine/switch_allocation.h"
#include "tlm/router/vc/machine/vc_allocation.h"

namespace sare {

/// One cycle of a router that is compiled with less than all features (vc_features). Template parameters: as
/// in vc_stage.
template <int S, int N, bool Polled, vc_features Has>
class vc_step : vc_stage<S, N, Polled, Has> {
    using stage = vc_stage<S, N, Polled, Has>;
    using stage::compiler_barrier;
    using stage::m_b;
    using stage::m_c;
    using stage::rc;
    using stage::ready_for_switch;
    using stage::rules;
    using stage::va;
    using typename stage::block;
    using typename stage::set;
    using allocation = vc_allocation<S, N, Polled, Has>;

  public:
    using stage::stage;

    /// Runs the cycle: takes flits and credits out of `inbox`, then does VA and SA. Returns true if the
    /// router must run in the next cycle, even if nothing comes.
    SARE_INLINE bool run(std::uint64_t* inbox) {
        typename block::passage leaving;  // foreseen by router_bypass
        if constexpr (!Polled) {
            leaving = m_b.leaving(m_c.now);
            if (const set soon = leaving.in | m_b.soon.in; soon != 0)
                m_b.behind |= static_cast<set>(inbox[0] >> block::arrivals_at) & m_b.present & soon;
        }
        vc_arrivals<S, N, Polled, Has> come(m_c, m_b);
        set heads = come.read(inbox), bidding = m_b.va;
        if (rc() == 0) {
            bidding |= heads;
            heads = 0;
        }
        set again = heads | m_b.va_next, ready = ready_for_switch();
        if (Polled && (bidding | ready) == 0) {
            m_b.va = again;
            m_b.va_next = 0;
            return again != 0;
        }
        set speculative = 0;
        if (bidding != 0) {
            compiler_barrier();
            if constexpr (stage::tracks_packets)
                if (rules().speculative) speculative = allocation(m_c, m_b).find_speculative(bidding);
            bool asked = false;
            const set won = allocation(m_c, m_b).allocate(bidding, asked);
            compiler_barrier();
            bidding ^= won;
            if (won != 0) {
                // A packet that gets a VC in this cycle bids in the next one, unless VA takes no time. A head
                // that lost to another one bids again; one for which no VC is free sleeps until one is.
                m_b.active |= won;
                if (va() == 0) ready = ready_for_switch();
                if (bidding != 0) again |= bidding;
            }
        }
        m_b.va = bidding | again;
        set released = 0;
        if constexpr (!Polled) {
            if ((leaving.out | m_b.behind) != 0) {
                if (leaving.out != 0) again |= m_b.va;
                released = come.take_behind(leaving);
                again |= m_b.behind;
            }
        }
        if constexpr (stage::tracks_packets) speculative &= ~ready;
        if ((ready | speculative) != 0) {
            const auto gone = vc_switch_allocation<S, N, Polled, Has>(m_c, m_b).allocate(ready, speculative);
            m_b.free |= gone.freed;
            if (gone.freed != 0) again |= m_b.va;
            released |= gone.released;
            if (rc() == 0) {
                m_b.va |= released;
                again |= released;
                released = 0;
            }
        }
        m_b.va_next = released;
        return (again | released | ready_for_switch()) != 0;
    }
};

/// One cycle of a scanned or wide router that is compiled with all features: stages of any length, any
/// allocators and arbiters.
template <int S, int N>
class vc_step<S, N, true, vc_features::all> : vc_stage<S, N, true, vc_features::all> {
    using stage = vc_stage<S, N, true, vc_features::all>;
    using stage::begin_packets;
    using stage::end_of_stage;
    using stage::end_stages;
    using stage::m_b;
    using stage::m_c;
    using stage::ready_for_switch;
    using stage::rules;
    using typename stage::block;
    using typename stage::set;
    using allocation = vc_allocation<S, N, true, vc_features::all>;

  public:
    using stage::stage;

    /// Runs the cycle: takes flits and credits out of `inbox`, then does RC, VA and SA. Returns true if the
    /// router must run in the next cycle, even if nothing comes.
    SARE_INLINE bool run(std::uint64_t* inbox) {
        end_stages();
        begin_packets(vc_arrivals<S, N, true, vc_features::all>(m_c, m_b).read(inbox), 0);
        bool again = !rules().pipelined && compute_routes();
        set speculative = {};
        if (rules().speculative) speculative = allocation(m_c, m_b).find_speculative(m_b.va);
        if (some(m_b.va) && (rules().speculative || begin_stage(m_b.va_free, rules().va, again)))
            again |= allocate_vcs();
        again |= run_switch(speculative);
        const auto& next = end_of_stage(1);
        return again || some(next.va | next.active | next.idle | next.rc) || some(ready_for_switch());
    }

  private:
    /// True if a stage of `delay` cycles may take the requests that wait: always if stages are pipelined or
    /// `delay` is at most 1, otherwise from cycle `free_at` on, which is then set to `delay` cycles from now.
    /// In the second case it sets `again` to true: the router must run in the next cycle.
    SARE_INLINE bool begin_stage(cycle_t& free_at, std::uint32_t delay, bool& again) const {
        if (rules().pipelined || delay <= 1) return true;
        again = true;
        if (m_c.now < free_at) return false;
        free_at = m_c.now + delay;
        return true;
    }
    /// Begins RC that is not pipelined with all heads that wait, if RC is free. Returns true if the router
    /// must run in the next cycle for RC.
    bool compute_routes() const {
        bool again = false;
        if (some(m_b.waits) && begin_stage(m_b.rc_free, rules().rc, again)) {
            (rules().rc == 0 ? m_b.va : end_of_stage(rules().rc).va) |= m_b.waits;
            this->wake_after(rules().rc);
            m_b.waits = {};
        }
        return again;
    }

    /// Does VA of all heads that bid. Returns true if some head must bid again in the next cycle.
    SARE_INLINE bool allocate_vcs() const {
        bool asked = false;
        const set won = allocation(m_c, m_b).allocate(m_b.va, asked);
        if (counts_events()) {
            count(m_c, m_b, router_event::va_bid, m_b.va);
            count(m_c, m_b, router_event::va_grant, won);
        }
        if (!some(won)) return asked;
        m_b.va &= ~won;
        (rules().va == 0 ? m_b.active : end_of_stage(rules().va).active) |= won;
        this->wake_after(rules().va);
        return some(m_b.va);
    }

    /// True if some statistic asks for events of routers.
    SARE_INLINE bool counts_events() const { return __builtin_expect(m_c.around.events != nullptr, 0); }
    /// Counts event `e` once for each member of `input_vcs` whose packet has a route, at the output port that
    /// the packet asks for. Static, since the address of a step must not become known to a function that is
    /// not inlined.
    static __attribute__((noinline)) void count(const typename stage::cycle& c, const block& b,
                                                router_event e, const set& input_vcs) {
        for (const std::uint64_t i : members(input_vcs))
            if (b.to[i] != in_vc::no_port) c.around.events->count(e, b.id, b.to[i]);
    }

    /// Does SA of the input VCs that are ready, then of the input VCs `speculative`, whose heads speculate.
    /// Returns true if the router must run in the next cycle for SA or VA.
    SARE_INLINE bool run_switch(set speculative) const {
        set ready = ready_for_switch();
        // With va_delay 0 a head that has just won VA is a plain request already.
        speculative &= m_b.present & ~ready;
        bool again = false;
        if (!rules().speculative && !rules().pipelined && rules().sa > 1 &&
            !(some(m_b.active & m_b.present) && begin_stage(m_b.sa_free, rules().sa, again)))
            ready = {};
        if (!some(ready | speculative)) return again;
        if (counts_events()) count(m_c, m_b, router_event::sa_bid, ready | speculative);
        const auto gone =
            vc_switch_allocation<S, N, true, vc_features::all>(m_c, m_b).allocate(ready, speculative);
        m_b.free |= gone.freed;
        begin_packets(gone.released, 1);
        return again || (some(gone.freed) && some(m_b.va));
    }
};

/// Runs, in cycle `t`, the scanned or wide routers whose bits are set in the `words` words at `awake` (bit k
/// % 64 of word k / 64: router k of the bank). Clears these bits, and wakes in the next cycle the routers
/// that have more to do.
template <int S, int N, vc_features Has>
SARE_INLINE void step_words(vc_surroundings<S, N, false>& around, std::uint64_t* awake, std::uint32_t words,
                            cycle_t t) {
    const vc_cycle<S, N, true> cycle(around, t);
    [[maybe_unused]] vc_dense_prefetch<S, N> ahead(cycle);
    for (std::uint32_t w = 0; w < words; ++w) {
        std::uint64_t rest = awake[w], again = 0;
        if (rest == 0) continue;
        awake[w] = 0;
        auto* const first = reinterpret_cast<std::uint8_t*>(&cycle.block_of(std::uint64_t{w} * 64));
        for (; rest != 0; rest &= rest - 1) {
            if constexpr (Has == vc_features::carried) ahead.advance(w * 64 + lowest(rest));
            auto& b = cycle.blocks.behind(first, lowest(rest));
            if (vc_step<S, N, true, Has>(cycle, b).run(cycle.inbox_of(b))) again |= rest & (0 - rest);
        }
        if (again == 0) continue;
        cycle.next[0] = 1;
        cycle.next[cycle.first_word + w] |= again;
    }
}

/// Runs the listed routers with the `n` numbers (within the bank) at `list`; with vc_cycle_base::prefetches,
/// prefetch_distance more readable numbers must follow. A router whose flits router_bypass cannot take runs
/// `step`, which is a call, so that the code inlined here has the registers.
template <int S, int N, class Step>
SARE_INLINE void step_list(const vc_cycle<S, N, false>& cycle, const std::uint32_t* list, std::size_t n,
                           Step step) {
    vc_prefetch<S, N> ahead(cycle, list, n);
    for (std::size_t j = 0; j < n; ++j) {
        if (cycle.prefetches) ahead.advance(list + j);
        const std::uint32_t k = list[j];
        vc_block<S, N, true>& b = cycle.block_of(k);
        std::uint64_t* const inbox = cycle.inbox_of(k);
        if (cycle.foresees && router_bypass<S, N>(cycle, b).run(inbox)) continue;
        if (step(cycle, b, inbox)) cycle.call_again(k);
    }
}
/// Runs the step of listed router b. Returns true if the router must run in the next cycle.
template <int S, int N, vc_features Has>
__attribute__((noinline)) SARE_BIT_INSTRUCTIONS bool step_listed(const vc_cycle<S, N, false>& cycle,
                                                                 vc_block<S, N, true>& b,
                                                                 std::uint64_t* inbox) {
    return vc_step<S, N, false, Has>(cycle, b).run(inbox);
}

/// Runs scanned routers by step_words(), with its parameters. This function and step_many() are compiled with
/// the processor's instructions for sets of bits, which saves a tenth of all instructions; on a processor
/// without them every router is a wide one.
template <int S, int N, vc_features Has>
SARE_BIT_INSTRUCTIONS void step_scanned(vc_surroundings<S, N, false>& around, std::uint64_t* awake,
                                        std::uint32_t words, cycle_t t) {
    step_words<S, N, Has>(around, awake, words, t);
}
/// Runs wide routers by step_words(), with its parameters.
template <int N>
void step_wide(vc_surroundings<0, N, false>& around, std::uint64_t* awake, std::uint32_t words, cycle_t t) {
    step_words<0, N, vc_features::all>(around, awake, words, t);
}
/// Runs listed routers by step_list(), with its parameters.
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_many(const vc_cycle<S, N, false>& cycle, const std::uint32_t* list,
                                     std::size_t n) {
    constexpr vc_features has = N <= 32 ? vc_features::none : vc_features::some;
    step_list<S, N>(cycle, list, n, step_listed<S, N, has>);
}

}  // namespace sare
