// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/link_side.h"
#include "tlm/router/vc/machine/route.h"
#include "tlm/router_api/protocol_error.h"

/// The stages of a VC router, written once for every layout of its block: *scanned*, *listed* and *wide* (see
/// vc_block), and for settings of which the compiler may know that they do without some features. What a loop
/// adds to a set it gathers in a local one, so that it stays in a register: a store through a pointer would
/// force it to memory and back.
namespace sare {

/// What the stages are compiled for.
enum class vc_features : std::uint8_t {
    none,     ///< one way for a packet, RC and VA of a cycle, input first, round robin, wormhole
    carried,  ///< the same in a dense network, which has no route table: heads carry their ways
    some,     ///< several ways, ways by input port, atomic reallocation, whole packets; RC and VA of up to a
              ///< cycle; any compiled allocator, crossbar inputs for single VCs, speculation
    all       ///< all that vc_shape has
};

/// What the stages of a router have in common. In lists those that foresee have no features, others some.
template <int S, int N, bool Polled, vc_features Has>
class vc_stage {
  public:
    using block = vc_block<S, N, !Polled>;
    using set = typename block::set;
    using input = typename block::input;
    using number_type = typename vc_traits<S, N>::number;
    using index = std::uint64_t;  ///< as registers are: a narrower one would have to be widened
    using cycle = vc_cycle<S, N, Polled>;

    SARE_INLINE vc_stage(const cycle& c, block& b) : m_c(c), m_b(b) {}

    static constexpr bool wide = S == 0;
    static constexpr bool carried = Has == vc_features::carried;
    static constexpr bool plain = Has == vc_features::none || carried, full = Has == vc_features::all;
    static constexpr bool tracks_packets = Polled && !plain;  ///< its block has vc_feature_state
    static set one(index i) { return single<set>(i); }

    /// The compiler shall not carry fields across a loop: it has no registers left, so it would put them onto
    /// the stack and fetch them from there.
    static SARE_INLINE void reload() { __asm__ volatile("" : : : "memory"); }

    SARE_INLINE const vc_shape& shape() const { return m_c.around.shape; }
    SARE_INLINE const vc_rules& rules() const { return m_c.rules; }
    SARE_INLINE std::uint32_t rc() const { return plain ? 1 : rules().rc; }
    SARE_INLINE std::uint32_t va() const { return plain ? 1 : rules().va; }
    SARE_INLINE bool has_room() const { return tracks_packets && rules().room; }
    SARE_INLINE bool has_atomic() const { return tracks_packets && rules().atomic; }

    // ---- numbers of VCs: see vc_traits
    SARE_INLINE index port_of(index i) const {
        if constexpr (wide) return shape().port_of[i];
        return i >> S;
    }
    SARE_INLINE index number(index port, index vc) const {
        if constexpr (wide) return port * shape().vcs + vc;
        return port << S | vc;
    }
    SARE_INLINE index vc_of(index i) const { return i - number(port_of(i), 0); }
    /// As everything else numbers it: port * VCs + VC.
    SARE_INLINE std::uint32_t plain_number(index i) const {
        return static_cast<std::uint32_t>(port_of(i) * shape().vcs + vc_of(i));
    }
    SARE_INLINE index from_plain(std::uint32_t n) const { return number(n / shape().vcs, n % shape().vcs); }
    /// The members of a set that are VCs of a port, as a mask of its VCs.
    SARE_INLINE std::uint32_t vcs_at(const set& all, index port) const {
        return slice(all, number(port, 0), shape().vcs);
    }

    /// The first of `members`, all of one port, after the VC of `last`: a round-robin pick.
    SARE_INLINE index pick_after(const set& members, index last) const {
        if constexpr (wide) last = number(port_of(lowest(members)), vc_of(last));
        return m_c.after.pick(members, last);
    }

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

    SARE_INLINE set ready_for_switch() const {
        set ready = m_b.active & m_b.present & ~m_b.starved;
        if constexpr (full) ready &= ~m_b.busy;
        return ready;
    }

    /// Head i finds credits enough behind output VC o.
    SARE_INLINE bool has_credits(index i, index o) const {
        if constexpr (tracks_packets)
            if (rules().room) return m_b.credits(o) >= m_b.need[i];
        return is_member(m_b.stocked, o);
    }

    /// Finds out which output VCs the packet at the front may have.
    SARE_INLINE void route(index i, input& c) const {
        const std::uint64_t word = m_b.front(i);
        if constexpr (wide) {
            find_route(m_c, m_b, i, true);
        } else if constexpr (!Polled || carried) {
            const auto route = vc_way<S, N, Polled>(m_c, m_b).of(i, word);
            c.want = route.want;
            m_b.front(i) = route.word;
        } else {
            const flit head = flit::from_word(word);
            const index answer = m_b.routes[!plain ? m_c.entry(i >> S, head) : head.sequence];
            c.want = m_c.wants[answer];
            if constexpr (tracks_packets)
                if (rules().notes_heads) note_head(m_c, m_b, i, head.packet);
        }
    }
    static __attribute__((noinline)) void note_head(const cycle& c, block& b, index i, std::uint32_t packet) {
        b.need[i] = c.rules.room ? static_cast<std::uint16_t>(c.around.packets[packet].flits) : 1;
        if (some(b.in(i).want)) b.to[i] = static_cast<std::uint8_t>(lowest(b.in(i).want) >> S);
    }
    /// Of wide routers: by any table or function. `counts`: the packet has come to the router.
    static __attribute__((noinline)) void find_route(const cycle& c, block& b, index i, bool counts) {
        const vc_stage s(c, b);
        const vc_shape& shape = c.around.shape;
        packet& p = c.around.packets[flit::from_word(b.front(i)).packet];
        if (counts) p.hops = static_cast<std::uint16_t>(p.hops + shape.counts_hops);
        b.need[i] = static_cast<std::uint16_t>(shape.room ? p.flits : 1);
        route_set ways;
        const auto port = static_cast<std::uint32_t>(s.port_of(i));
        b.to[i] = in_vc::no_port;
        c.around.net.find_candidates(b.id, port, static_cast<std::uint32_t>(s.vc_of(i)), p.route, ways);
        set* const masks = shape.ways > 1 ? s.own_masks(i) : nullptr;
        vc_ways<set> its;
        input& in = b.in(i);
        in.want = {};
        for (const bool escapes : {false, true}) {
            if (escapes) its.escape = its.size;
            for (std::uint32_t n = 0; n < ways.size; ++n) {
                const route_candidate& way = ways.candidates[n];
                if (way.escape != escapes) continue;
                if (its.size == 0) b.to[i] = way.port;
                set mask = {};
                const std::uint32_t vcs = std::uint32_t{way.vcs} << p.route.vc_base & ((1U << shape.vcs) - 1);
                add_slice(mask, s.number(way.port, 0), vcs);
                in.want |= mask;
                if (!escapes) its.adaptive |= mask;
                if (masks != nullptr) masks[its.size] = mask;
                ++its.size;
            }
        }
        if (masks != nullptr) c.around.own_ways[std::size_t{b.in_bank} * c.in_vcs + i] = its;
    }
    SARE_INLINE set* own_masks(index i) const {
        return &m_c.around.answers.masks[(std::size_t{m_b.in_bank} * m_c.in_vcs + i) * shape().ways];
    }

    /// True if there is another flit behind.
    SARE_INLINE bool take_front(index i, input& c) const {
        if (--c.count == 0) {
            c.head = 0;
            return false;
        }
        const std::uint32_t place = c.head + 1u == m_c.depth ? 0 : c.head + 1u;
        c.head = static_cast<number_type>(place);
        m_b.front(i) = m_c.buffered(m_b, place, i).as_word();
        return true;
    }

    // ---- stages of any length
    /// Something becomes true `delay` cycles from now.
    SARE_INLINE auto& end_of_stage(std::uint32_t delay) const {
        return m_b.ends[(static_cast<std::uint32_t>(m_c.now) + delay) % block::stages];
    }
    /// A step sees by itself what becomes true in the next cycle.
    SARE_INLINE void wake_after(std::uint32_t delay) const {
        if (delay > 1) m_c.call_again(m_b.in_bank, m_c.around.ring.at(m_c.now + delay));
    }
    /// From cycle t on there is another flit at the front of input VC i.
    SARE_INLINE void note_front(index i, cycle_t t) const {
        if (rules().notes_since) m_b.since[i] = t;
    }
    /// Heads come to the front in `wait` cycles: they bid for a VC when RC is done.
    SARE_INLINE void begin_packets(const set& heads, std::uint32_t wait) const {
        if (!some(heads)) return;
        if (rules().notes_since)
            for (const std::uint64_t i : members(heads)) m_b.since[i] = m_c.now + wait;
        const std::uint32_t delay = wait + (rules().pipelined ? rules().rc : 0);
        set& waits = rules().pipelined ? m_b.va : m_b.waits;
        if (delay == 0) {
            waits |= heads;
            return;
        }
        auto& then = end_of_stage(delay);
        (rules().pipelined ? then.va : then.rc) |= heads;
        wake_after(delay);
    }

    [[noreturn]] static __attribute__((noinline, cold)) void report(const cycle& c, const block& b, index i,
                                                                    const char* what) {
        const std::uint32_t vcs = c.around.shape.vcs;
        const auto n = static_cast<std::uint32_t>(i);
        throw protocol_error("router " + std::to_string(b.id) + " port " + std::to_string(n / vcs) + " vc " +
                             std::to_string(n % vcs) + ": " + what);
    }

    const cycle& m_c;
    block& m_b;
};

}  // namespace sare
