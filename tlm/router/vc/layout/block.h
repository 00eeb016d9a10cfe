// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/sets.h"
#include "tlm/router/vc/layout/credit_account.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/view.h"

#include <cstdint>
#include <type_traits>

/// The blocks of VC routers: how their state is stored.
namespace sare {

constexpr std::uint32_t compact_most_flits = 255;  ///< in a buffer

/// Cycles from the arrival of a head to its SA at the earliest, in routers that foresee.
constexpr std::uint32_t bypass_cycles = 2;

/// What follows from the size. VC v of port p has the number p << S | v, up to N in all; in wide blocks,
/// whose S is 0, it is p * V + v, as outside.
template <int S, int N>
struct vc_traits {
    static constexpr bool wide = S == 0;
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;  ///< not of wide ones
    static constexpr std::uint32_t max_ports = wide ? 64 : N >> S;
    using word = std::conditional_t<(N > 32), std::uint64_t, std::uint32_t>;
    using set = std::conditional_t<wide, bits<(N + 63) / 64>, word>;
    using number = std::conditional_t<wide, std::uint16_t, std::uint8_t>;  ///< of a VC, of flits

    struct input {
        set want = {};     ///< output VCs that may be asked for
        number count = 0;  ///< if it is present
        number head = 0;   ///< place of the first flit; 0 in an empty buffer: few places are ever used
        number out = 0;    ///< output VC that it has, or had last
        number sa_vc = 0;  ///< of VC 0, in lists: the VC of the port that SA served last
    };
};

/// A head's way in its 16 bits, where no table says it: what the routing function answered at an earlier
/// router, and how many routers that come now would hear the same. All of it in a flit's word, as it lies in
/// a plane: VCs, port, routers.
template <int S, int N>
class packed_route {
    using set = typename vc_traits<S, N>::set;
    static constexpr std::uint32_t log2(std::uint32_t n) { return n < 2 ? 0 : 1 + log2(n / 2); }
    static constexpr std::uint32_t vcs_at = 32, port_at = vcs_at + (1 << S),
                                   routers_at = port_at + log2(vc_traits<S, N>::max_ports), end = 48;
    static constexpr std::uint64_t one_router = std::uint64_t{1} << routers_at;
    static constexpr std::uint64_t field(std::uint32_t from, std::uint32_t to) {
        return (std::uint64_t{1} << to) - (std::uint64_t{1} << from);
    }

  public:
    static constexpr std::uint32_t longest = (1u << (end - routers_at)) - 1;
    static std::uint64_t pack(std::uint64_t word, std::uint64_t port, std::uint64_t vcs,
                              std::uint64_t routers) {
        return (word & ~field(vcs_at, end)) | vcs << vcs_at | port << port_at | routers << routers_at;
    }
    static bool is_known(std::uint64_t word) { return (word & field(routers_at, end)) != 0; }
    static std::uint32_t routers(std::uint64_t word) {
        return static_cast<std::uint32_t>((word & field(routers_at, end)) >> routers_at);
    }
    static std::uint64_t port(std::uint64_t word) { return (word & field(port_at, routers_at)) >> port_at; }
    /// Output VCs.
    static set want(std::uint64_t word) {
        return static_cast<set>(static_cast<set>((word & field(vcs_at, port_at)) >> vcs_at)
                                << (port(word) << S));
    }
    /// For the router after this one.
    static std::uint64_t advanced(std::uint64_t word) { return word - one_router; }
};

/// The VCs and ports of a block; wires as in wire, places of VC 0. Two layouts. Here, for few routers:
/// arrays, in which the processor finds elements of 1, 4 or 8 bytes without arithmetic.
template <int S, int N, bool InList>
class vc_ports : public vc_traits<S, N> {
    using T = vc_traits<S, N>;

  public:
    typename T::input& input_at(std::uint64_t i) { return m_in[i]; }
    typename T::input& in(std::uint64_t i) { return m_in[i]; }
    const typename T::input& in(std::uint64_t i) const { return m_in[i]; }
    typename T::number& credits(std::uint64_t o) { return m_credits[o]; }
    typename T::number credits(std::uint64_t o) const { return m_credits[o]; }
    typename T::number& owner(std::uint64_t o) { return m_owner[o]; }
    typename T::number owner(std::uint64_t o) const { return m_owner[o]; }
    std::uint32_t& sent(std::uint64_t o) { return m_sent[o]; }
    std::uint32_t sent(std::uint64_t o) const { return m_sent[o]; }
    typename T::number& sa_vc(std::uint64_t port) { return m_sa_vc[port]; }
    typename T::number& sa_column(std::uint64_t port) { return m_sa_column[port]; }
    std::uint64_t& front(std::uint64_t i) { return m_front[i]; }
    std::uint64_t front(std::uint64_t i) const { return m_front[i]; }
    credit_account* account_beyond(std::uint64_t) const { return nullptr; }

    void wire_flits(std::uint32_t port, const wire& w) {
        flit_inbox[port] = w.inbox;
        flit_at[port] = w.flit_at;
        flit_place[port] = static_cast<std::uint8_t>(lowest(w.port_bit));
    }
    void wire_credits(std::uint32_t port, const wire& w) {
        credit_inbox[port] = w.inbox;
        credit_place[port] = static_cast<std::uint8_t>(lowest(w.port_bit));
    }

    std::uint32_t flit_inbox[T::max_ports], flit_at[T::max_ports], credit_inbox[T::max_ports];
    std::uint8_t flit_place[T::max_ports], credit_place[T::max_ports];

  private:
    typename T::number m_sa_vc[T::max_ports], m_sa_column[T::max_ports];
    alignas(64) typename T::number m_credits[N];
    typename T::number m_owner[N];
    alignas(64) typename T::input m_in[N];
    std::uint32_t m_sent[N];
    std::uint64_t m_front[N];
};

/// For many routers. Memory ends with the last port that a router has. Of up to four VCs, in one line of the
/// cache is what a flit needs of the port it comes by, in the next one what it needs of the port it leaves
/// by.
template <int S, int N>
class vc_ports<S, N, true> : public vc_traits<S, N> {
    using T = vc_traits<S, N>;

  public:
    struct alignas(N > 32 ? 32 : 16) input_vc : T::input {
        credit_account account;  ///< for what sends to it
    };
    struct output_port {
        std::uint32_t flit_inbox = 0;  ///< word in a plane
        std::uint8_t flit_word = 0;    ///< from there to the flit
        std::uint8_t flit_place = 0;   ///< of VC 0
        std::uint8_t sa_column = 0;
        std::uint8_t credits[1 << S] = {}, owner[1 << S] = {};
        std::uint32_t sent[1 << S] = {};
    };
    struct alignas(64) port {
        input_vc in[1 << S];
        output_port out;
        /// The first flits of the input VCs of the opposite port: most of them leave by this one.
        std::uint64_t opposite_front[1 << S] = {};
    };
    /// In pairs: port 2 k and 2 k + 1 are opposite ones where routers have coordinates.
    static constexpr std::uint32_t places_for(std::uint32_t ports) { return (ports + 1) / 2 * 2; }

    port& at_port(std::uint64_t p) { return m_ports[p]; }
    const port& at_port(std::uint64_t p) const { return m_ports[p]; }
    input_vc& input_at(std::uint64_t i) { return of(i).in[vc(i)]; }
    const output_port& output_at(std::uint64_t o) const { return of(o).out; }

    typename T::input& in(std::uint64_t i) { return of(i).in[vc(i)]; }
    const typename T::input& in(std::uint64_t i) const { return of(i).in[vc(i)]; }
    std::uint8_t& credits(std::uint64_t o) { return of(o).out.credits[vc(o)]; }
    std::uint8_t credits(std::uint64_t o) const { return of(o).out.credits[vc(o)]; }
    std::uint8_t& owner(std::uint64_t o) { return of(o).out.owner[vc(o)]; }
    std::uint8_t owner(std::uint64_t o) const { return of(o).out.owner[vc(o)]; }
    std::uint32_t& sent(std::uint64_t o) { return of(o).out.sent[vc(o)]; }
    std::uint32_t sent(std::uint64_t o) const { return of(o).out.sent[vc(o)]; }
    std::uint8_t& sa_vc(std::uint64_t p) { return at_port(p).in[0].sa_vc; }
    std::uint8_t& sa_column(std::uint64_t p) { return at_port(p).out.sa_column; }
    std::uint64_t& front(std::uint64_t i) { return of(i ^ one_port).opposite_front[vc(i)]; }
    std::uint64_t front(std::uint64_t i) const { return of(i ^ one_port).opposite_front[vc(i)]; }
    /// Where the credits of an output VC come; null: only by wire.
    credit_account* account_beyond(std::uint64_t o) const {
        input_vc* p = beyond[o >> S];
        return p == nullptr ? nullptr : &p[vc(o)].account;
    }

    void wire_flits(std::uint32_t p, const wire& w) {
        output_port& out = at_port(p).out;
        out.flit_inbox = w.inbox;
        const std::uint32_t at = w.flit_at - w.inbox;
        out.flit_word = static_cast<std::uint8_t>(at <= 255 ? at : 0);  // else an odd_port
        out.flit_place = static_cast<std::uint8_t>(lowest(w.port_bit));
    }
    void wire_credits(std::uint32_t p, const wire& w) {
        credit_inbox[p] = w.inbox;
        credit_place[p] = static_cast<std::uint8_t>(lowest(w.port_bit));
    }

    std::uint32_t credit_inbox[T::max_ports];  ///< of credits that go by wire
    std::uint8_t credit_place[T::max_ports];
    input_vc* beyond[T::max_ports];  ///< for its credits, see account_beyond()

  private:
    static constexpr std::uint64_t one_port = 1 << S;
    static std::uint64_t vc(std::uint64_t i) { return i & T::vc_mask; }
    port& of(std::uint64_t i) { return m_ports[i >> S]; }
    const port& of(std::uint64_t i) const { return m_ports[i >> S]; }

    port m_ports[T::max_ports];
};

/// What the places of wires say, by VC: instructions less, and lines of the cache more.
template <int S, int N, bool InList>
struct alignas(64) vc_wire_bits {
    std::uint64_t flit_bit[N], credit_bit[N];
};
template <int S, int N>
struct vc_wire_bits<S, N, true> {};
template <int N>
struct vc_wire_bits<0, N, false> {};

/// What only some settings need: the end of a block, which others do without.
template <int S, int N, bool InList>
struct alignas(64) vc_feature_state {
    using set = typename vc_traits<S, N>::set;
    using number = typename vc_traits<S, N>::number;
    static constexpr std::uint32_t stages = 32;  ///< longest delay + 1, a power of two

    /// What becomes true when a stage ends.
    struct stage_end {
        set va = {}, active = {}, idle = {}, rc = {};
    };
    /// Arbiters of a switch allocator: which was served last.
    struct switch_turns {
        std::uint16_t vc[N], column[N], row[N];
    };

    stage_end ends[stages];
    set busy;                                     ///< granted less than sa_delay cycles ago
    set waits;                                    ///< heads that wait for RC, where it is not pipelined
    cycle_t rc_free, va_free, sa_free, st_start;  ///< of stages that are not pipelined
    switch_turns turns[2];                        ///< of plain and of speculative requests
    std::uint16_t va_row[N], va_column[N];
    std::uint16_t need[N];                          ///< credits that the packet at the front must find
    std::uint16_t tails[N];                         ///< whole packets in an input VC
    std::uint8_t to[N];                             ///< the output port that is asked for
    cycle_t since[N];                               ///< since when the front flit of an input VC is there
    cycle_t next_slot[vc_traits<S, N>::max_ports];  ///< when an output queue is empty
};
template <int S, int N>
struct vc_feature_state<S, N, true> {};

/// What a cycle of a router begins with: one line of the cache, with up to 32 VCs.
template <int S, int N>
struct vc_sets {
    using set = typename vc_traits<S, N>::set;

    /// Input VCs whose single flit is known to leave, and the output VCs it leaves by.
    struct passage {
        set in = {}, out = {};
    };

    std::uint32_t inbox;     ///< word in a plane
    std::uint32_t flits_at;  ///< word in a plane: flit that comes in by port 0
    set va, va_next;         ///< heads that bid for an output VC in the next cycle, and from the one after it
    set active, present;
    set starved;  ///< active, but their output VC has no credit
    set stocked;  ///< output VCs with credits
    set free;     ///< output VCs that no packet has
    /// Leave 1 and 2 cycles after `seen`: neither active nor in va. See router_bypass.
    passage soon, later;
    set behind;          ///< of them: a second flit has come
    std::uint32_t seen;  ///< the cycle that `soon` and `later` count from, modulo 2^32
    std::uint32_t odd;   ///< 0, or 1 + where the wires of its ports are: see odd_port

    /// Goes on to cycle `now`: what was to leave before it has left. Gives what leaves in it.
    passage leaving(std::uint32_t now) {
        const std::uint32_t cycles = now - seen;
        seen = now;
        if (!some(soon.in | later.in) || cycles == 0) return {};
        passage gone = {}, due = {};
        if (cycles == 1) {
            due = soon;
            soon = later;
        } else {
            gone = soon;
            if (cycles == 2)
                due = later;
            else
                gone = {gone.in | later.in, gone.out | later.out};
            soon = {};
        }
        later = {};
        leave(gone);
        return due;
    }
    /// Input VCs that are not empty as cycle `now` begins.
    set staying(std::uint32_t now) const {
        const std::uint32_t cycles = now - seen;
        return present & ~((cycles == 1 ? set{} : soon.in) | (cycles <= 2 ? set{} : later.in));
    }
    void leave(const passage& gone) {
        present &= ~gone.in;
        free |= gone.out;
    }
};

/// What else there is, off the usual path.
template <int S, int N>
struct vc_rest {
    using set = typename vc_traits<S, N>::set;

    /// Flit k of input VC i at [k * vc_shape::row + i]: what is used at low load lies together, of all
    /// routers. The place of the front flit is unused.
    flit* buffer;
    const std::uint8_t* routes;
    set wired;     ///< output VCs that lead somewhere
    set draining;  ///< output VCs that no packet has, but whose flits are not all gone from where they lead
    std::uint32_t id;           ///< the network's number of it
    std::uint32_t in_bank;      ///< its number there
    std::uint32_t* remembered;  ///< of arbiters that remember more than whom they served last
    typename vc_traits<S, N>::number depth_beyond[vc_traits<S, N>::max_ports];
};

/// The state of a VC router, in one of three layouts: *scanned*, for small networks; *listed* (`InList`), for
/// large ones, where the lines of the cache that are touched decide the speed; *wide* (Shift is 0), of any
/// size. All run the same stages, and tests hold them against each other.
///
/// The inbox of the first two has a bit per input VC with a flit, that of wide ones a bit per port.
template <int Shift, int Most, bool InList>
struct alignas(64) vc_block : vc_sets<Shift, Most>,
                              vc_rest<Shift, Most>,
                              vc_ports<Shift, Most, InList>,
                              vc_wire_bits<Shift, Most, InList>,
                              vc_feature_state<Shift, Most, InList> {
    static constexpr int S = Shift, N = Most;
    static constexpr bool in_list = InList;
    static constexpr std::uint32_t vc_mask = vc_traits<S, N>::vc_mask;
    static constexpr std::uint32_t max_ports = vc_traits<S, N>::max_ports;
    /// Words of an inbox with sets. Up to 32 VCs: arrivals in the upper half of one, credits in the lower. Of
    /// wide blocks: a bit for each port with a flit; credits.
    static constexpr std::uint32_t inbox_sets = Shift == 0 ? 1 + (N + 63) / 64 : N > 32 ? 2 : 1;
    static constexpr std::uint32_t arrivals_at = N > 32 ? 0 : 32;
    using set = typename vc_traits<S, N>::set;
    using word = typename vc_traits<S, N>::word;
    using number_type = typename vc_traits<S, N>::number;
    using input = typename vc_traits<S, N>::input;
    using sets = vc_sets<S, N>;
    using ports_of_all = vc_ports<S, N, InList>;
    using bits_of_wires = vc_wire_bits<S, N, InList>;
    using feature_state = vc_feature_state<S, N, InList>;

    /// There are credits for these output VCs: what has them may go on.
    /// `unowned`: output VCs that no packet has.
    void feed(set credits, set unowned) {
        for (const std::uint64_t o : members(credits & ~this->stocked & ~unowned))
            remove_member(this->starved, this->owner(o));
        this->stocked |= credits;
    }
    /// What is known of cycles up to `now` no longer depends on their numbers.
    void forget_times(std::uint32_t now) {
        this->leave(this->leaving(now));
        for (std::uint32_t o = 0; o < N; ++o)
            if (auto* account = this->account_beyond(o)) this->credits(o) += account->take_back(now);
    }

    /// @name Looking at it, as after cycle `now`
    /// @{
    sets as_of(std::uint32_t now) const {
        sets s = *this;
        s.leave(s.leaving(now));
        return s;
    }
    /// Credits that have been given to an output VC, are not back yet, and that no wire carries.
    std::uint32_t credits_coming(std::uint32_t o, std::uint32_t now) const {
        const credit_account* account = this->account_beyond(o);
        const std::uint32_t coming = account == nullptr ? 0 : account->coming_after(now);
        return static_cast<std::uint32_t>(__builtin_popcount(coming));
    }
    /// Those that are back, whether they are known here or not.
    std::uint32_t credits_at(std::uint32_t o, std::uint32_t now) const {
        const credit_account* account = this->account_beyond(o);
        return this->credits(o) + (account == nullptr ? 0 : account->back_by(now));
    }
    /// Counted, but has not left.
    static bool early(const sets& s, std::uint32_t o) { return is_member(s.soon.out | s.later.out, o); }
    std::uint32_t sent_by(const sets& s, std::uint32_t o) const {
        return this->sent(o) - (early(s, o) ? 1 : 0);
    }
    std::uint32_t flits_sent(const sets& s) const {
        std::uint32_t sum = 0;
        for (const std::uint64_t o : members(this->wired)) sum += this->sent(o);
        for (set rest = s.soon.out | s.later.out; some(rest); remove_member(rest, lowest(rest))) --sum;
        return sum;
    }
    std::uint32_t count_at(const sets& s, std::uint32_t i) const {
        return !InList || is_member(s.present, i) ? this->in(i).count : 0;
    }
    bool owned(const sets& s, std::uint32_t o) const {
        return !is_member(s.free | s.later.out | ~this->wired | this->draining, o);  // later: VA is to come
    }
    std::uint32_t credits_seen(const sets& s, std::uint32_t o) const {
        const credit_account* account = this->account_beyond(o);
        return this->credits(o) + (early(s, o) ? 1 : 0) + (account == nullptr ? 0 : account->back_by(s.seen));
    }
    /// @}
};

}  // namespace sare
