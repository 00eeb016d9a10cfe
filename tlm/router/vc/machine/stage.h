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

/// Features that the stages of a router are compiled with: the fewer, the faster. VA, SA, RC: VC and switch
/// allocation, route computation.
enum class vc_features : std::uint8_t {
    none,  ///< one candidate a head; RC and VA of one cycle; input_first with round robin; wormhole
    /// The features of `none`, without a route table: heads carry their routes (packed_route). For dense
    /// networks.
    carried,
    /// The features of `none`, and several candidates, routes by input port, atomic reallocation, whole
    /// packets, RC and VA of no cycle, any compiled allocator, input speed-up, speculation.
    some,
    all,     ///< everything that router_params can ask for, except forking
    forking  ///< packets that fork, in wide routers, with the parameters that vc_model allows for them
};

/// Base of the stages of the pipeline: the block of a router, the cycle, numbers of VCs, routes, and the ends
/// of stages. S and N: Shift and Most of vc_block. `Polled` is false for listed routers, true for scanned and
/// wide ones. Listed routers with up to 32 VC numbers are compiled with vc_features::none, larger ones with
/// ::some. In all stages `i` is the number of an input VC, `o` of an output VC.
template <int S, int N, bool Polled, vc_features Has>
class vc_stage {
  public:
    using block = vc_block<S, N, !Polled>;
    using set = typename block::set;
    using input = typename block::input;
    using number_type = typename vc_traits<S, N>::number;
    using candidate = typename vc_traits<S, N>::candidate;
    /// Type of a VC number or port: as wide as a register, since a narrower type would have to be widened.
    using index = std::uint64_t;
    using cycle = vc_cycle<S, N, Polled>;

    /// Keeps references to the cycle `c` and to `b`, the block of the router that runs.
    SARE_INLINE vc_stage(const cycle& c, block& b) : m_c(c), m_b(b) {}

    static constexpr bool wide = S == 0;
    static constexpr bool carried = Has == vc_features::carried;
    static constexpr bool forks = Has == vc_features::forking;
    /// plain: true without the features of vc_features::some; full: true with those of vc_features::all.
    static constexpr bool plain = Has == vc_features::none || carried,
                          full = Has == vc_features::all || forks;
    /// True if the block has a vc_feature_state, and the stages keep it.
    static constexpr bool tracks_packets = Polled && !plain;
    /// Returns the set with member i alone.
    static set one(index i) { return single<set>(i); }

    /// Keeps the compiler from carrying fields of the block across a loop. With no registers left, it would
    /// put the fields onto the stack and fetch them from there.
    static SARE_INLINE void compiler_barrier() { __asm__ volatile("" : : : "memory"); }

    /// Returns the shape of the routers of the bank; rules() returns its rules, from the copy in the cycle.
    SARE_INLINE const vc_shape& shape() const { return m_c.around.shape; }
    SARE_INLINE const vc_rules& rules() const { return m_c.rules; }
    /// Returns the cycles of RC, and va() the cycles of VA: constants for the compiler in `plain` steps.
    SARE_INLINE std::uint32_t rc() const { return plain ? 1 : rules().rc; }
    SARE_INLINE std::uint32_t va() const { return plain ? 1 : rules().va; }
    /// Returns vc_rules::room, and has_atomic() vc_rules::atomic: constants, false, where tracks_packets is
    /// false.
    SARE_INLINE bool has_room() const { return tracks_packets && rules().room; }
    SARE_INLINE bool has_atomic() const { return tracks_packets && rules().atomic; }

    // ---- numbers of VCs: see vc_traits
    /// Returns the port of VC number i; number() returns the VC number of VC `vc` of a port; vc_of() returns
    /// the VC of VC number i.
    SARE_INLINE index port_of(index i) const {
        if constexpr (wide) return shape().port_of[i];
        return i >> S;
    }
    SARE_INLINE index number(index port, index vc) const {
        if constexpr (wide) return port * shape().vcs + vc;
        return port << S | vc;
    }
    SARE_INLINE index vc_of(index i) const { return i - number(port_of(i), 0); }
    /// Returns port * VCs + VC, the number used outside of the blocks, for VC number i.
    SARE_INLINE std::uint32_t plain_number(index i) const {
        return static_cast<std::uint32_t>(port_of(i) * shape().vcs + vc_of(i));
    }
    /// Returns the VC number within the block for `n`, which is port * VCs + VC.
    SARE_INLINE index from_plain(std::uint32_t n) const { return number(n / shape().vcs, n % shape().vcs); }
    /// Returns the VCs of port `port` that are in the set `all`, as a mask: bit v for VC v.
    SARE_INLINE vc_mask vcs_at(const set& all, index port) const {
        return slice(all, number(port, 0), shape().vcs);
    }

    /// Returns the members of `all` that are VCs of the same port as VC number i.
    SARE_INLINE set with_port_of(index i, const set& all) const {
        if constexpr (wide) {
            set mine = {};
            const index port = port_of(i);
            add_slice(mine, number(port, 0), vcs_at(all, port));
            return mine;
        } else {
            constexpr set port_mask = (set{1} << (1 << S)) - 1;  // VCs of port 0
            return all & (port_mask << (i & ~index{block::vc_mask}));
        }
    }

    /// Makes a round-robin pick: returns the lowest of `members` (VC numbers of one port, not empty) whose VC
    /// is higher than the VC of VC number `last`, or the lowest member if there is none. `last` may be of any
    /// port.
    SARE_INLINE index pick_after(const set& members, index last) const {
        if constexpr (wide) {
            const index first = number(port_of(lowest(members)), 0);
            return first +
                   round_robin(slice(members, first, shape().vcs), static_cast<std::uint32_t>(vc_of(last)));
        } else {
            return m_c.after.pick(members, last);
        }
    }

    /// Returns `byte`, widened to a register once. Without it the compiler would compute with bytes, and
    /// widen the result again.
    static SARE_INLINE index whole(index byte) {
        __asm__("" : "+r"(byte));
        return byte;
    }

    /// Returns `place`. In listed routers it makes the compiler compute the address once, not at each use.
    template <class T>
    static SARE_INLINE T& at_once(T& place) {
        if (Polled) return place;
        T* p = &place;
        __asm__("" : "+r"(p));
        return *p;
    }

    /// Returns the input VCs that may bid in SA in this cycle: input VCs with a flit, an output VC and enough
    /// credits, whose last flit SA is done with.
    SARE_INLINE set ready_for_switch() const {
        set ready = m_b.active & m_b.present & ~m_b.starved;
        if constexpr (full) ready &= ~m_b.busy;
        return ready;
    }

    /// True if output VC o has the credits that the head in input VC i needs: one for each flit of its packet
    /// with vc_rules::room, else one.
    SARE_INLINE bool has_credits(index i, index o) const {
        if constexpr (tracks_packets)
            if (rules().room) return m_b.credits(o) >= m_b.need[i] && (!wide || is_member(m_b.stocked, o));
        return is_member(m_b.stocked, o);
    }

    /// Does RC: finds the route of the packet at the front of input VC i, whose state is `c`, and sets
    /// input::want, the output VCs that the packet may ask for.
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
    /// Notes the credits that the packet at the front of input VC i needs, and the lowest output port that it
    /// may ask for. `packet`: slot of the packet.
    static __attribute__((noinline)) void note_head(const cycle& c, block& b, index i, std::uint32_t packet) {
        b.need[i] = c.rules.room ? static_cast<std::uint16_t>(c.around.packets[packet].flits) : 1;
        if (some(b.in(i).want)) b.to[i] = static_cast<number_type>(lowest(b.in(i).want) >> S);
    }
    /// Does RC of wide routers for the packet at the front of input VC i, by any route table or routing
    /// function. `counts`: true to count a hop of the packet; false if this router has routed it before.
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
        candidate* const masks = shape.ways > 1 ? s.own_masks(i) : nullptr;
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
                if (masks != nullptr) masks[its.size] = {s.number(way.port, 0), vcs};
                ++its.size;
            }
        }
        if (masks != nullptr) c.around.own_candidates[std::size_t{b.in_bank} * c.in_vcs + i] = its;
    }
    /// Returns the array of vc_shape::ways elements with the output VCs of each candidate of the head in
    /// input VC i. For wide routers whose heads can have several candidates only.
    SARE_INLINE candidate* own_masks(index i) const {
        return &m_c.around.answers.masks[(std::size_t{m_b.in_bank} * m_c.in_vcs + i) * shape().ways];
    }

    /// Takes the flit at the front of input VC i, whose state is `c`, out of the buffer. Returns true if
    /// another flit comes to the front.
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
    /// Takes `places` places, for output VC o, of the shared buffer at the other end of its port; a negative
    /// number gives places back. Computes the credits of all VCs of the port anew, and takes VCs without
    /// credits out of vc_sets::stocked. Returns the VCs of the port with credits, which the caller must put
    /// into it.
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

    /// Returns the pauses of VCs beyond output port `port` of a wide router; null if no VC pauses there.
    static pause_gate* gate_of(const cycle& c, const block& b, index port) {
        auto& gates = c.around.gates;
        if (gates.empty()) return nullptr;
        pause_gate& its = gates[std::size_t{b.in_bank} * c.around.shape.ports + port];
        return its.exists() ? &its : nullptr;
    }

    // ---- stages of any length
    /// Returns the ends of stages that are applied at the begin of the cycle `delay` cycles from now; `delay`
    /// must be below vc_feature_state::stages.
    SARE_INLINE auto& end_of_stage(std::uint32_t delay) const {
        return m_b.ends[(static_cast<std::uint32_t>(m_c.now) + delay) % block::stages];
    }
    /// Applies the ends of stages that are due at the begin of this cycle, and clears them.
    SARE_INLINE void end_stages() const {
        auto& done = end_of_stage(0);
        m_b.va |= done.va;
        m_b.active |= done.active;
        m_b.waits |= done.rc;
        m_b.busy &= ~done.idle;
        done = {};
    }
    /// Wakes the router `delay` cycles from now if `delay` is more than 1; the step itself looks, at its end,
    /// at what is due in the next cycle.
    SARE_INLINE void wake_after(std::uint32_t delay) const {
        if (delay > 1) m_c.call_again(m_b.in_bank, m_c.around.ring.at(m_c.now + delay));
    }
    /// Notes that another flit is at the front of input VC i from cycle t on, if vc_rules::notes_since is
    /// set.
    SARE_INLINE void note_front(index i, cycle_t t) const {
        if (rules().notes_since) m_b.since[i] = t;
    }
    /// Begins RC of the heads in the input VCs `heads`, which are at the front `wait` cycles from now (0 or
    /// 1). The heads bid in VA when RC is done. Where stages are not pipelined, they wait for RC to be free
    /// first.
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

    /// Counts event `e` at output port `port` if some statistic asks for events of routers.
    SARE_INLINE void count_event(router_event e, index port) const {
        if (__builtin_expect(m_c.around.events != nullptr, 0))
            m_c.around.events->count(e, m_b.id, static_cast<std::uint32_t>(port));
    }

    /// Throws protocol_error with a text that names the router, the port and VC of VC number i, and `what`;
    /// for wide routers.
    [[noreturn]] static __attribute__((noinline, cold)) void report(const cycle& c, const block& b, index i,
                                                                    const char* what) {
        const std::uint32_t vcs = c.around.shape.vcs;
        const auto n = static_cast<std::uint32_t>(i);
        throw protocol_error("router " + std::to_string(b.id) + " port " + std::to_string(n / vcs) + " vc " +
                             std::to_string(n % vcs) + ": " + what);
    }

    const cycle& m_c;  ///< the cycle
    block& m_b;        ///< block of the router that runs
};

}  // namespace sare
