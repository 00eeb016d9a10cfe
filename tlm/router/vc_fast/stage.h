// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/link_side.h"

/// The stages of a fast router (see fast_block): the same machine as ../vc/step.h, written for the number of
/// instructions. Numbers of VCs are port << S | vc throughout. What a loop adds to a set it gathers in a
/// local one, so that it stays in a register: a store through a pointer would force it to memory and back.
namespace sare {

/// What the stages of a router have in common. In lists `Variety` is basic for routers that foresee, else
/// full.
template <int S, int N, bool Polled, fast_variety Variety>
class fast_stage {
  public:
    using block = fast_block<S, N, !Polled>;
    using set = typename block::set;
    using input = typename block::input;
    using index = std::uint64_t;  ///< as registers are: a narrower one would have to be widened
    using cycle = fast_cycle<S, N, Polled>;

    SARE_INLINE fast_stage(const cycle& c, block& b) : m_c(c), m_b(b) {}

  protected:
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;
    static constexpr bool full = Polled && Variety == fast_variety::full;
    static constexpr bool adaptive = full || (Polled && Variety == fast_variety::adaptive);
    /// RC and VA take a cycle each.
    static constexpr bool has_stages = Polled ? !full : Variety == fast_variety::basic;
    static set one(index i) { return set{1} << i; }

    /// The compiler shall not carry fields across a loop: it has no registers left, so it would put them onto
    /// the stack and fetch them from there.
    static SARE_INLINE void reload() { __asm__ volatile("" : : : "memory"); }

    SARE_INLINE const fast_shape& shape() const { return m_c.around.shape; }
    SARE_INLINE const fast_rules& rules() const { return m_c.rules; }
    SARE_INLINE bool rc() const { return has_stages || rules().rc; }
    SARE_INLINE bool va() const { return has_stages || rules().va; }
    SARE_INLINE bool has_room() const { return full && rules().room; }
    SARE_INLINE bool has_atomic() const { return adaptive && rules().atomic; }

    /// The compiler shall not compute with bytes: it would widen the result again.
    static SARE_INLINE index whole(index byte) {
        __asm__("" : "+r"(byte));
        return byte;
    }

    /// In lists the compiler shall find the place of something once, not at each use.
    template <class T>
    static SARE_INLINE T& at_once(T& place) {
        if (Polled) return place;
        T* p = &place;
        __asm__("" : "+r"(p));
        return *p;
    }

    /// Head i finds credits enough behind output VC o.
    SARE_INLINE bool has_credits(index i, index o) const {
        if constexpr (full)
            if (rules().room) return m_b.credits(o) >= m_b.need[i];
        return is_member(m_b.stocked, o);
    }
    /// Notes which output VCs the packet at the front may have.
    SARE_INLINE void route(index i, input& c) const {
        const std::uint64_t word = m_b.front(i);
        if constexpr (Polled) {
            const flit head = flit::from_word(word);
            c.want =
                static_cast<set>(m_c.wants[m_b.routes[adaptive ? m_c.entry(i >> S, head) : head.sequence]]);
            if constexpr (full)
                if (rules().room)
                    m_b.need[i] = static_cast<std::uint8_t>(m_c.around.packets[head.packet].flits);
        } else {
            const auto route = fast_way<S, N>(m_c, m_b).of(i, word);
            c.want = route.want;
            m_b.front(i) = route.word;
        }
    }

    /// True if there is another flit behind.
    SARE_INLINE bool take_front(index i, input& c) const {
        if (--c.count == 0) {
            c.head = 0;
            return false;
        }
        const std::uint32_t place = c.head + 1u == m_c.depth ? 0 : c.head + 1u;
        c.head = static_cast<std::uint8_t>(place);
        m_b.front(i) = m_c.buffered(m_b, place, i).as_word();
        return true;
    }

    const cycle& m_c;
    block& m_b;
};

}  // namespace sare
