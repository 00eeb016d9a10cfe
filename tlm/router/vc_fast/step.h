// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/bidding.h"
#include "tlm/router/vc_fast/departures.h"
#include "tlm/router/vc_fast/flit_arrivals.h"
#include "tlm/router/vc_fast/passage.h"
#include "tlm/router/vc_fast/prefetch.h"

namespace sare {

/// One cycle of a fast router.
template <int S, int N, bool Polled, fast_variety Variety>
class fast_step : fast_stage<S, N, Polled, Variety> {
    using stage = fast_stage<S, N, Polled, Variety>;
    using stage::full;
    using stage::has_stages;
    using stage::m_b;
    using stage::m_c;
    using stage::rc;
    using stage::reload;
    using stage::va;
    using typename stage::block;
    using typename stage::index;
    using typename stage::set;

    using arrivals = fast_arrivals<S, N, Polled, Variety>;
    using departures = fast_departures<S, N, Polled, Variety>;

  public:
    using stage::stage;

    /// True if there is something to do in the next cycle.
    SARE_INLINE bool run(std::uint64_t* inbox) {
        typename block::passage leaving;  // as foreseen
        if constexpr (!Polled) {
            leaving = m_b.leaving(m_c.now);
            if (const set soon = leaving.in | m_b.soon.in; soon != 0)
                m_b.behind |= static_cast<set>(inbox[0] >> block::arrivals_at) & m_b.present & soon;
        }
        arrivals come(m_c, m_b);
        set heads = come.read(inbox), bidding = m_b.va, speculative = 0;
        if (!rc()) {
            bidding |= heads;
            heads = 0;
        }
        set again = heads | m_b.va_next, ready = ready_for_switch(), won = 0;
        fast_bids<S, N> asked;
        if (bidding != 0) {
            reload();
            won = fast_bidding<S, N, Polled, Variety>(m_c, m_b).allocate(bidding, asked, speculative);
            reload();
            bidding ^= won;
            if (won != 0) {
                // What gets a VC in this cycle bids in the next one, unless VA takes no time. A head that
                // lost to another tries again; one for which no VC is free sleeps until one is.
                m_b.active |= won;
                if (!va()) ready = ready_for_switch();
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
        if constexpr (full) speculative &= ~ready;
        if ((ready | speculative) != 0) {
            const auto gone = departures(m_c, m_b).allocate(ready, speculative, won, asked);
            m_b.present &= ~gone.emptied;
            m_b.free |= gone.freed;
            if (gone.freed != 0) again |= m_b.va;
            released |= gone.released;
            if (!rc()) {
                m_b.va |= released;
                again |= released;
                released = 0;
            }
        }
        m_b.va_next = released;
        return (again | released | ready_for_switch()) != 0;
    }

  private:
    SARE_INLINE set ready_for_switch() const { return m_b.active & m_b.present & ~m_b.starved; }
};

/// Polled ones: those whose bits are set in `awake`.
template <int S, int N, fast_variety Variety>
SARE_INLINE void step_words(const fast_surroundings<S, N, false>& around, std::uint64_t* awake,
                            std::uint32_t words, cycle_t t) {
    const fast_cycle<S, N, true> cycle(around, t);
    for (std::uint32_t w = 0; w < words; ++w) {
        std::uint64_t rest = awake[w], again = 0;
        if (rest == 0) continue;
        awake[w] = 0;
        for (; rest != 0; rest &= rest - 1) {
            const std::uint64_t k = w * 64 + lowest(rest);
            if (fast_step<S, N, true, Variety>(cycle, cycle.block_of(k)).run(cycle.inbox_of(k)))
                again |= rest & (0 - rest);
        }
        if (again == 0) continue;
        cycle.next[0] = 1;
        cycle.next[cycle.first_word + w] |= again;
    }
}

/// All others; where they are fetched ahead there are prefetch_distance numbers more behind the list. `step`:
/// of those that have more to do than fast_passage takes. A call, for what is inlined here shall have the
/// registers.
template <int S, int N, class Step>
SARE_INLINE void step_list(const fast_cycle<S, N, false>& cycle, const std::uint32_t* list, std::size_t n,
                           Step step) {
    fast_prefetch<S, N> ahead(cycle, list, n);
    for (std::size_t j = 0; j < n; ++j) {
        if (cycle.prefetches) ahead.advance(list + j);
        const std::uint32_t k = list[j];
        fast_block<S, N, true>& b = cycle.block_of(k);
        std::uint64_t* const inbox = cycle.inbox_of(k);
        if (cycle.foresees && fast_passage<S, N>(cycle, b).run(inbox)) continue;
        if (step(cycle, b, inbox)) cycle.call_again(k);
    }
}

template <int S, int N>
__attribute__((noinline)) bool step_listed(const fast_cycle<S, N, false>& cycle, fast_block<S, N, true>& b,
                                           std::uint64_t* inbox) {
    return fast_step<S, N, false, fast_variety::full>(cycle, b).run(inbox);
}
template <int S, int N, fast_variety Variety>
__attribute__((noinline)) SARE_BIT_INSTRUCTIONS bool step_listed_with_bits(
    const fast_cycle<S, N, false>& cycle, fast_block<S, N, true>& b, std::uint64_t* inbox) {
    return fast_step<S, N, false, Variety>(cycle, b).run(inbox);
}

template <int S, int N, fast_variety Variety>
void step_usual(const fast_surroundings<S, N, false>& around, std::uint64_t* awake, std::uint32_t words,
                cycle_t t) {
    step_words<S, N, Variety>(around, awake, words, t);
}
template <int S, int N>
void step_many(const fast_cycle<S, N, false>& cycle, const std::uint32_t* list, std::size_t n) {
    step_list<S, N>(cycle, list, n, step_listed<S, N>);
}
/// The same code with instructions for sets of bits, a tenth fewer in all; for processors that have them.
template <int S, int N, fast_variety Variety>
SARE_BIT_INSTRUCTIONS void step_usual_with_bits(const fast_surroundings<S, N, false>& around,
                                                std::uint64_t* awake, std::uint32_t words, cycle_t t) {
    step_words<S, N, Variety>(around, awake, words, t);
}
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_many_with_bits(const fast_cycle<S, N, false>& cycle,
                                               const std::uint32_t* list, std::size_t n) {
    if (cycle.foresees)
        step_list<S, N>(cycle, list, n, step_listed_with_bits<S, N, fast_variety::basic>);
    else
        step_list<S, N>(cycle, list, n, step_listed_with_bits<S, N, fast_variety::full>);
}

}  // namespace sare
