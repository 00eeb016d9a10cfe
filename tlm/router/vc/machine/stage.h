// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/link_side.h"
#include "tlm/router/vc/machine/route.h"
#include "tlm/router_api/base/free_places.h"
#include "tlm/router_api/protocol_error.h"

/// Stages of a VC router, written once for every layout of a block (see vc_block) and for every level of
/// vc_features. A loop gathers the members that it adds to a set in a local set, which stays in a register: a
/// store through a pointer would force it to memory and back.
namespace sare {

/// Features that the stages are compiled with: the fewer, the faster.
enum class vc_features : std::uint8_t {
    none,     ///< one candidate a head, RC and VA of a cycle each, input first, round robin, wormhole
    carried,  ///< as `none`, for dense networks without a route table: heads carry their routes
    /// Also several candidates, routes by input port, atomic reallocation, whole packets, RC and VA of no
    /// cycle, any compiled allocator, input speed-up, speculation.
    some,
    all  ///< all that router_params can ask for
};

/// Base of the stages: the block of a router, the cycle, numbers of VCs, routes, and the ends of stages.
/// `Polled` is false for listed routers. Listed routers of up to 32 VC numbers, which all use router_bypass,
/// are compiled with no features, larger ones with some.
template <int S, int N, bool Polled, vc_features Has>
class vc_stage {
  public:
    using block = vc_block<S, N, !Polled>;
    using set = typename block::set;
    using input = typename block::input;
    using number_type = typename vc_traits<S, N>::number;
    using index = std::uint64_t;  ///< as wide as a register, since a narrower type would have to be widened
    using cycle = vc_cycle<S, N, Polled>;

    SARE_INLINE vc_stage(const cycle& c, block& b) : m_c(c), m_b(b) {}

    static constexpr bool wide = S == 0;
    static constexpr bool carried = Has == vc_features::carried;
    static constexpr bool plain = Has == vc_features::none || carried, full = Has == vc_features::all;
    static constexpr bool tracks_packets = Polled && !plain;  ///< true if the block has vc_feature_state
    /// Returns the set with the member i alone.
    static set one(index i) { return single<set>(i); }

    /// Keeps the compiler from carrying fields of the block across a loop. With no registers left, it would
    /// put the fields onto the stack and fetch them from there.
    static SARE_INLINE void compiler_barrier() { __asm__ volatile("" : : : "memory"); }

    SARE_INLINE const vc_shape& shape() const { return m_c.around.shape; }
    SARE_INLINE const vc_rules& rules() const { return m_c.rules; }
    /// Return the delays of RC and VA, which are known to the compiler where there are no features.
    SARE_INLINE std::uint32_t rc() const { return plain ? 1 : rules().rc; }
    SARE_INLINE std::uint32_t va() const { return plain ? 1 : rules().va; }
    /// Return the rules `room` and `atomic`, which are known to be false where there are no features.
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
    /// Returns the number that the rest of Sare has for VC i: port * VCs + VC.
    SARE_INLINE std::uint32_t plain_number(index i) const {
        return static_cast<std::uint32_t>(port_of(i) * shape().vcs + vc_of(i));
    }
    /// Returns the number of a VC within the block, from plain_number().
    SARE_INLINE index from_plain(std::uint32_t n) const { return number(n / shape().vcs, n % shape().vcs); }
    /// Returns the members of a set that are VCs of a port, as a mask of the VCs of that port.
    SARE_INLINE vc_mask vcs_at(const set& all, index port) const {
        return slice(all, number(port, 0), shape().vcs);
    }

    /// Returns the first of `members`, all of one port, whose VC comes after that of `last`: a round-robin
    /// pick.
    SARE_INLINE index pick_after(const set& members, index last) const {
        if constexpr (wide) last = number(port_of(lowest(members)), vc_of(last));
        return m_c.after.pick(members, last);
    }

    /// Returns `byte`, widened once: keeps the compiler from computing with bytes, whose result it would
    /// widen again.
    static SARE_INLINE index whole(index byte) {
        __asm__("" : "+r"(byte));
        return byte;
    }

    /// Returns `place`. In listed routers the compiler computes its address here once, and not at each use.
    template <class T>
    static SARE_INLINE T& at_once(T& place) {
        if (Polled) return place;
        T* p = &place;
        __asm__("" : "+r"(p));
        return *p;
    }

    /// Returns the input VCs that may bid in SA now.
    SARE_INLINE set ready_for_switch() const {
        set ready = m_b.active & m_b.present & ~m_b.starved;
        if constexpr (full) ready &= ~m_b.busy;
        return ready;
    }

    /// True if output VC o has the credits that the head of input VC i needs.
    SARE_INLINE bool has_credits(index i, index o) const {
        if constexpr (tracks_packets)
            if (rules().room) return m_b.credits(o) >= m_b.need[i];
        return is_member(m_b.stocked, o);
    }

    /// RC: computes the route of the packet at the front of input VC i, and sets the output VCs that it may
    /// ask for.
    SARE_INLINE void route(index i, input& c) const {
        const std::uint64_t word = m_b.front(i);
        if constexpr (wide) {
            find_route(m_c, m_b, i, true);
        } else if constexpr (!Polled || carried) {
            const auto route = head_route<S, N, Polled>(m_c, m_b).of(i, word);
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
    /// Notes the credits that the packet at the front of input VC i needs, and the output port that it asks
    /// for.
    static __attribute__((noinline)) void note_head(const cycle& c, block& b, index i, std::uint32_t packet) {
        b.need[i] = c.rules.room ? static_cast<std::uint16_t>(c.around.packets[packet].flits) : 1;
        if (some(b.in(i).want)) b.to[i] = static_cast<std::uint8_t>(lowest(b.in(i).want) >> S);
    }
    /// RC of wide routers, by any route table or routing function. `counts`: true unless the packet had a
    /// route at this router before, so that its hop is counted.
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
        vc_candidates<set> its;
        input& in = b.in(i);
        in.want = {};
        for (const bool escapes : {false, true}) {
            if (escapes) its.escape = its.size;
            for (std::uint32_t n = 0; n < ways.size; ++n) {
                const route_candidate& way = ways.candidates[n];
                if (way.escape != escapes) continue;
                if (its.size == 0) b.to[i] = way.port;
                set mask = {};
                const vc_mask vcs = way.vcs << p.route.vc_base & first_vcs(shape.vcs);
                add_slice(mask, s.number(way.port, 0), vcs);
                in.want |= mask;
                if (!escapes) its.adaptive |= mask;
                if (masks != nullptr) masks[its.size] = mask;
                ++its.size;
            }
        }
        if (masks != nullptr) c.around.own_candidates[std::size_t{b.in_bank} * c.in_vcs + i] = its;
    }
    /// Returns the sets of output VCs of the candidates of the head of input VC i, in wide routers.
    SARE_INLINE set* own_masks(index i) const {
        return &m_c.around.answers.masks[(std::size_t{m_b.in_bank} * m_c.in_vcs + i) * shape().ways];
    }

    /// Takes the flit at the front of input VC i out of its buffer. Returns true if another flit comes to the
    /// front.
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

    // ---- shared buffers behind outputs, of wide routers
    /// Output VC o takes `places` places behind a port with a pool, or gives them back if negative. Then the
    /// VCs of the port that have no place are not stocked. Returns the VCs of the port with a place.
    static set hold(const cycle& c, block& b, index o, std::int32_t places) {
        const vc_stage s(c, b);
        const index port = s.port_of(o), first = s.number(port, 0);
        b.held[o] = static_cast<std::uint16_t>(b.held[o] + places);
        find_free_places(b.depth_beyond[port], b.pool_beyond[port], s.shape().vcs, &b.held[first],
                         &b.credits(first));
        set open = {};
        for (index v = first; v < first + s.shape().vcs; ++v)
            if (b.credits(v) != 0)
                add_member(open, v);
            else
                remove_member(b.stocked, v);
        return open;
    }

    // ---- stages of any length
    /// Returns the sets that are applied `delay` cycles from now.
    SARE_INLINE auto& end_of_stage(std::uint32_t delay) const {
        return m_b.ends[(static_cast<std::uint32_t>(m_c.now) + delay) % block::stages];
    }
    /// Wakes the router `delay` cycles from now; the end of a step looks at the next cycle by itself.
    SARE_INLINE void wake_after(std::uint32_t delay) const {
        if (delay > 1) m_c.call_again(m_b.in_bank, m_c.around.ring.at(m_c.now + delay));
    }
    /// Notes that another flit is at the front of input VC i from cycle t on.
    SARE_INLINE void note_front(index i, cycle_t t) const {
        if (rules().notes_since) m_b.since[i] = t;
    }
    /// Begins RC of heads that come to the front in `wait` cycles (0 or 1). They bid for a VC when RC is
    /// done.
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

    /// Throws protocol_error, for VC i of a wide router.
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
