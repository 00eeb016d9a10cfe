// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/sets.h"
#include "tlm/router/vc/layout/credit_account.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/view.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

/// Blocks of VC routers: how the state of a router is stored.
namespace sare {

/// Most flits that an input VC of a compact block holds; compact are scanned and listed blocks (vc_block).
constexpr std::uint32_t compact_most_flits = 255;

/// Cycles from the arrival of a head to its earliest SA grant, in routers that use router_bypass: one of RC,
/// one of VA.
constexpr std::uint32_t bypass_cycles = 2;

/// VCs of one port: those of the mask `vcs`, in which bit 0 is the VC with number `first`.
struct vc_group {
    std::uint64_t first;
    vc_mask vcs;
};

/// Types and limits of a block with up to N VC numbers. In compact blocks VC v of port p has the number p <<
/// S | v, so that the numbers p << S | v of VCs v that the port does not have are unused. In wide blocks,
/// whose S is 0, the number is p * VCs + v, as outside of the blocks.
template <int S, int N>
struct vc_traits {
    static constexpr bool wide = S == 0;
    /// Bits of a VC number that tell the VC, in compact blocks; 0 in wide ones.
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;
    /// Most ports of a router. Layouts of up to 256 VC numbers are for routers whose ports fit into a word.
    static constexpr std::uint32_t max_ports = !wide     ? N >> S
                                               : N > 256 ? std::min<std::uint32_t>(N, most_ports)
                                                         : 64;
    /// Set of ports of a wide router, and number of words that it has in an inbox.
    static constexpr std::uint32_t port_words = (max_ports + 63) / 64;
    using port_set = std::conditional_t<(port_words > 1), bits<port_words>, std::uint64_t>;
    /// The members of a set in an inbox, in compact blocks.
    using word = std::conditional_t<(N > 32), std::uint64_t, std::uint32_t>;
    /// Set of VC numbers; of wide routers also of crossbar inputs or outputs.
    using set = std::conditional_t<wide, bits<(N + 63) / 64>, word>;
    /// Output VCs of a candidate of a head.
    using candidate = std::conditional_t<wide, vc_group, word>;
    /// VC number; number of flits or credits of a VC.
    using number = std::conditional_t<wide, std::uint16_t, std::uint8_t>;

    /// State of an input VC and of the packet at its front.
    struct input {
        set want = {};  ///< output VCs that the packet at the front may ask for, by its route
        /// Flits in the buffer, the front flit included; in listed blocks valid only if `present` has the VC.
        number count = 0;
        number head = 0;  ///< place of the front flit; 0 in an empty buffer, so that few places are ever used
        /// Output VC that the packet at the front has; while it has none, the last one.
        number out = 0;
        number sa_vc = 0;  ///< listed blocks, VC 0 of a port only: input VC of the port that SA served last
    };
};

/// State of a scanned or wide block by VC and by port, and where in a plane the router at the other end of a
/// port reads (`wire`). Everything is in arrays with elements of 1, 4 or 8 bytes, to which the processor
/// finds the address without arithmetic.
template <int S, int N, bool InList>
class vc_ports : public vc_traits<S, N> {
    using T = vc_traits<S, N>;

  public:
    /// Returns input VC i, as in() does; listed blocks return more here, an input_vc.
    typename T::input& input_at(std::uint64_t i) { return m_in[i]; }
    /// Returns input VC i.
    typename T::input& in(std::uint64_t i) { return m_in[i]; }
    const typename T::input& in(std::uint64_t i) const { return m_in[i]; }
    /// Returns the number of credits of output VC o.
    typename T::number& credits(std::uint64_t o) { return m_credits[o]; }
    typename T::number credits(std::uint64_t o) const { return m_credits[o]; }
    /// Returns the input VC whose packet has output VC o; while none has it, the one that had it last.
    typename T::number& owner(std::uint64_t o) { return m_owner[o]; }
    typename T::number owner(std::uint64_t o) const { return m_owner[o]; }
    /// Returns the number of flits sent by output VC o, modulo 2^32.
    std::uint32_t& sent(std::uint64_t o) { return m_sent[o]; }
    std::uint32_t sent(std::uint64_t o) const { return m_sent[o]; }
    /// Returns the input VC of an input port that SA served last; sa_column() returns the input VC that SA
    /// served last at an output port.
    typename T::number& sa_vc(std::uint64_t port) { return m_sa_vc[port]; }
    typename T::number& sa_column(std::uint64_t port) { return m_sa_column[port]; }
    /// Returns the word of the flit at the front of input VC i; without meaning if the VC is empty.
    std::uint64_t& front(std::uint64_t i) { return m_front[i]; }
    std::uint64_t front(std::uint64_t i) const { return m_front[i]; }
    /// Returns null, since all credits come by wire; listed blocks have accounts.
    credit_account* account_beyond(std::uint64_t) const { return nullptr; }

    /// Notes the wire by which flits leave at output port `port`.
    void wire_flits(std::uint32_t port, const wire& w) {
        flit_inbox[port] = w.inbox;
        flit_at[port] = w.flit_at;
        flit_place[port] = static_cast<std::uint8_t>(lowest(w.port_bit));
    }
    /// Notes the wire by which credits leave for flits that came in by input port `port`.
    void wire_credits(std::uint32_t port, const wire& w) {
        credit_inbox[port] = w.inbox;
        credit_place[port] = static_cast<std::uint8_t>(lowest(w.port_bit));
    }

    /// Words of a plane, by port: the one in the reader's inbox with the bits of arriving flits; the one that
    /// the flit itself is written to; the one in the reader's inbox with the bits of credits.
    std::uint32_t flit_inbox[T::max_ports], flit_at[T::max_ports], credit_inbox[T::max_ports];
    /// Bits of VC 0 in words flit_inbox and credit_inbox, by port.
    std::uint8_t flit_place[T::max_ports], credit_place[T::max_ports];

  private:
    /// Input VCs that SA served last, by input port and by output port.
    typename T::number m_sa_vc[T::max_ports], m_sa_column[T::max_ports];
    /// Credits, by output VC.
    alignas(64) typename T::number m_credits[N];
    typename T::number m_owner[N];  ///< input VC that has it or had it last, by output VC
    alignas(64) typename T::input m_in[N];
    std::uint32_t m_sent[N];   ///< flits sent modulo 2^32, by output VC
    std::uint64_t m_front[N];  ///< word of the front flit, by input VC
};

/// State of a listed block, port by port, so that its memory can end with the last port that the router has.
/// With 4 VCs a port and 32 VC numbers, one cache line has all that a flit needs of its input port, and the
/// next line all that it needs of its output port. Functions and members without a comment are those of the
/// other layouts.
template <int S, int N>
class vc_ports<S, N, true> : public vc_traits<S, N> {
    using T = vc_traits<S, N>;

  public:
    /// An input VC, with the account of the credits for the output VC that leads to it.
    struct alignas(N > 32 ? 32 : 16) input_vc : T::input {
        credit_account account;  ///< credits for the router that sends into this input VC
    };
    /// An output port and its VCs.
    struct output_port {
        /// Word of a plane, in the reader's inbox, with the bits of arriving flits.
        std::uint32_t flit_inbox = 0;
        /// Words from flit_inbox to the one that the flit itself is written to; 0: farther than 255, which
        /// only irregular ports have.
        std::uint8_t flit_word = 0;
        std::uint8_t flit_place = 0;  ///< bit of VC 0 in word flit_inbox
        std::uint8_t sa_column = 0;   ///< input VC that SA served last at this output port
        /// By VC: credits; input VC whose packet has the output VC, or had it last.
        std::uint8_t credits[1 << S] = {}, owner[1 << S] = {};
        std::uint32_t sent[1 << S] = {};  ///< flits sent, modulo 2^32, by VC
    };
    /// A port: its input VCs, then its output side, each in cache lines of its own.
    struct alignas(64) port {
        input_vc in[1 << S];
        output_port out;
        /// Words of the front flits in the input VCs of the opposite port, by VC: most of these flits leave
        /// by this port.
        std::uint64_t opposite_front[1 << S] = {};
    };
    /// Number of ports that memory is needed for in a router with `ports` ports: the next even number, since
    /// ports 2 k and 2 k + 1 keep front flits for each other. They are opposite ones where routers have
    /// coordinates.
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
    /// Returns the account with the credits of output VC o; null if there is none, so that they all come by
    /// wire.
    credit_account* account_beyond(std::uint64_t o) const {
        input_vc* p = beyond[o >> S];
        return p == nullptr ? nullptr : &p[vc(o)].account;
    }

    void wire_flits(std::uint32_t p, const wire& w) {
        output_port& out = at_port(p).out;
        out.flit_inbox = w.inbox;
        const std::uint32_t at = w.flit_at - w.inbox;
        out.flit_word = static_cast<std::uint8_t>(at <= 255 ? at : 0);  // farther: the port is irregular
        out.flit_place = static_cast<std::uint8_t>(lowest(w.port_bit));
    }
    void wire_credits(std::uint32_t p, const wire& w) {
        credit_inbox[p] = w.inbox;
        credit_place[p] = static_cast<std::uint8_t>(lowest(w.port_bit));
    }

    /// Word of a plane, in the sender's inbox, with the bits of credits that go by wire; by input port.
    std::uint32_t credit_inbox[T::max_ports];
    std::uint8_t credit_place[T::max_ports];  ///< bit of VC 0 in word credit_inbox, by input port
    /// Input VCs at the other end, by output port; null if account_beyond() is.
    input_vc* beyond[T::max_ports];

  private:
    static constexpr std::uint64_t one_port = 1 << S;
    static std::uint64_t vc(std::uint64_t i) { return i & T::vc_mask; }
    port& of(std::uint64_t i) { return m_ports[i >> S]; }
    const port& of(std::uint64_t i) const { return m_ports[i >> S]; }

    port m_ports[T::max_ports];
};

/// Bits that a flit and a credit set in the readers' words, as masks, by VC. They could be computed from
/// flit_place and credit_place: the table saves instructions, and takes cache lines. It is in scanned blocks,
/// and in use if the route table is keyed.
template <int S, int N, bool InList>
struct alignas(64) vc_wire_bits {
    std::uint64_t flit_bit[N], credit_bit[N];
};
template <int S, int N>
struct vc_wire_bits<S, N, true> {};
template <int N>
struct vc_wire_bits<0, N, false> {};

/// State of scanned and wide blocks for features beyond vc_features::none. It is at the end of a block, so
/// that memory can leave it out where no router of the bank needs it.
template <int S, int N, bool InList>
struct alignas(64) vc_feature_state {
    using set = typename vc_traits<S, N>::set;
    using number = typename vc_traits<S, N>::number;
    /// Size of `ends`: a power of two above all delays.
    static constexpr std::uint32_t stages = 32;

    /// Input VCs for which a stage ends at the begin of a cycle.
    struct stage_end {
        /// Heads that from then on bid in VA; packets that have an output VC; VCs that SA may serve again;
        /// heads that wait for RC.
        set va = {}, active = {}, idle = {}, rc = {};
    };
    /// What each arbiter of a switch allocator served last: vc, by crossbar input, a VC; column, by crossbar
    /// output, a crossbar input; row, by crossbar input, a crossbar output (allocator output_first only).
    struct switch_turns {
        std::uint16_t vc[N], column[N], row[N];
    };

    stage_end ends[stages];  ///< ends of stages, by cycle modulo `stages`
    /// Input VCs that SA served less than sa_delay cycles ago, before a tail.
    set busy;
    set waits;  ///< heads that wait for RC, where stages are not pipelined
    /// For stages that are not pipelined: first cycles in which RC, VA and SA take new work; cycle in which
    /// the last batch of flits began to cross the switch.
    cycle_t rc_free, va_free, sa_free, st_start;
    switch_turns turns[2];  ///< turns for plain requests; for speculative ones
    /// What each arbiter of VA served last: by input VC, a VC of an output port; by output VC, an input VC as
    /// port * VCs + VC.
    std::uint16_t va_row[N], va_column[N];
    /// Credits that an output VC must have for the packet at the front: its flits, or 1; by input VC.
    std::uint16_t need[N];
    std::uint16_t tails[N];  ///< tails in the buffer, kept with store-and-forward only; by input VC
    /// Output port that the packet at the front asks for, or has (wide: in_vc::no_port without a route); by
    /// input VC.
    number to[N];
    /// Cycle in which the front flit came to the front, by input VC; kept if vc_rules::notes_since is set.
    cycle_t since[N];
    /// First cycle in which the link can take another flit than those in the output queue, by output port.
    cycle_t next_slot[vc_traits<S, N>::max_ports];
};
template <int S, int N>
struct vc_feature_state<S, N, true> {};

/// Sets of VCs that a cycle of a router begins with. With up to 32 VC numbers they fill one cache line.
template <int S, int N>
struct vc_sets {
    using set = typename vc_traits<S, N>::set;

    /// Input VCs whose only flit router_bypass has sent ahead of time, and the output VCs by which these
    /// flits leave.
    struct passage {
        set in = {}, out = {};
    };

    std::uint32_t inbox;     ///< word of a plane with which the inbox of the router begins
    std::uint32_t flits_at;  ///< word of a plane for the flit that comes in by port 0; unused in wide blocks
    /// Heads that bid for an output VC when the router runs next; heads that begin to bid a cycle later.
    set va, va_next;
    /// Input VCs whose packet has an output VC; input VCs with a flit at the front, or with a whole packet
    /// there (store-and-forward).
    set active, present;
    set starved;  ///< active input VCs whose output VC has too few credits for the packet to go on
    set stocked;  ///< output VCs with at least one credit
    set free;     ///< output VCs that may be given to a packet
    /// Passages that leave 1 and 2 cycles after cycle `seen`. Their input VCs are in neither `active` nor
    /// `va`, and their output VCs not in `free`.
    passage soon, later;
    set behind;          ///< input VCs of a passage into which a second flit has come
    std::uint32_t seen;  ///< cycle that `soon` and `later` count from, modulo 2^32
    /// 1 + index in vc_shape::odd of the wires of port 0 of this router; 0: it has none there, as all ports
    /// are regular.
    std::uint32_t odd;

    /// Sets `seen` to cycle `now`, and ends the passages that leave before it. Returns the passage that
    /// leaves in cycle `now`, which the caller must end by leave(); empty if there is none.
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
    /// Returns the input VCs that have a flit as cycle `now` begins: those of passages that left before it
    /// are empty.
    set staying(std::uint32_t now) const {
        const std::uint32_t cycles = now - seen;
        return present & ~((cycles == 1 ? set{} : soon.in) | (cycles <= 2 ? set{} : later.in));
    }
    /// Ends a passage: its input VCs are empty, and its output VCs free.
    void leave(const passage& gone) {
        present &= ~gone.in;
        free |= gone.out;
    }
};

/// State of a router that most flits do not touch.
template <int S, int N>
struct vc_rest {
    using set = typename vc_traits<S, N>::set;

    /// Buffers of the router: place k of input VC i is at [k * vc_shape::row + i], so that place k of all
    /// routers of the bank lies together, and low load touches little memory. The place of the front flit is
    /// unused, since front() has this flit.
    flit* buffer;
    const std::uint8_t* routes;  ///< entries of this router in a keyed route table; null without one
    set wired;                   ///< output VCs of ports with a link
    /// Output VCs that no packet has, but whose credits are not all back: they are not free yet. Empty unless
    /// reallocation is atomic.
    set draining;
    std::uint32_t id;       ///< number of the router in the network
    std::uint32_t in_bank;  ///< number of the router in its bank, from 0
    /// Words that arbiters of the registry remember, of the router: see vc_shape::words_of.
    std::uint32_t* remembered;
    /// Flits that a VC's buffer at the other end holds, by output port.
    typename vc_traits<S, N>::number depth_beyond[vc_traits<S, N>::max_ports];
};

/// What a block knows of shared buffers behind its output ports: nothing in compact ones.
template <int S, int N>
struct vc_pools {};
/// What wide routers know of shared buffers behind their output ports. Compact routers have none.
template <int N>
struct vc_pools<0, N> {
    /// Places that the VCs of a port share at the other end, by output port; 0: none.
    std::uint16_t pool_beyond[vc_traits<0, N>::max_ports] =
        {};                      ///< places that the VCs of a port share; 0: none
    std::uint16_t held[N] = {};  ///< places taken at the other end of a port with a pool, by output VC
};

/// State of a VC router, in one of three layouts: *scanned*, whose inboxes stand in the table of a plane,
/// which is looked through in every cycle; *listed* (`InList` is true), for large networks, where the number
/// of cache lines touched decides the speed, with a list of the routers that are awake; *wide* (`Shift` is
/// 0), of up to 1,024 ports and 4,096 VC numbers, with every feature. All run the same stages, and tests hold
/// them against each other. `Shift` is log2 of the VC numbers that a port takes, `Most` the most VC numbers.
/// The inbox of a scanned or listed block has a bit for each input VC with a flit, that of a wide one a bit
/// for each port.
template <int Shift, int Most, bool InList>
struct alignas(64) vc_block : vc_sets<Shift, Most>,
                              vc_rest<Shift, Most>,
                              vc_ports<Shift, Most, InList>,
                              vc_wire_bits<Shift, Most, InList>,
                              vc_feature_state<Shift, Most, InList>,
                              vc_pools<Shift, Most> {
    static constexpr int S = Shift, N = Most;
    static constexpr bool in_list = InList;
    static constexpr std::uint32_t vc_mask = vc_traits<S, N>::vc_mask;
    static constexpr std::uint32_t max_ports = vc_traits<S, N>::max_ports;
    /// Number of words at the begin of an inbox that hold sets. Compact blocks with up to 32 VC numbers have
    /// one, with arrivals in the upper half and credits in the lower half; with more they have two, arrivals,
    /// then credits. Wide blocks have port_words for the ports with a flit, then words for credits.
    static constexpr std::uint32_t port_words = vc_traits<Shift, Most>::port_words;
    static constexpr std::uint32_t inbox_sets = Shift == 0 ? port_words + (N + 63) / 64 : N > 32 ? 2 : 1;
    /// First bit of the arrivals in the first word of the inbox of a compact block.
    static constexpr std::uint32_t arrivals_at = N > 32 ? 0 : 32;
    using set = typename vc_traits<S, N>::set;
    using word = typename vc_traits<S, N>::word;
    using number_type = typename vc_traits<S, N>::number;
    using port_set = typename vc_traits<S, N>::port_set;
    using input = typename vc_traits<S, N>::input;
    using sets = vc_sets<S, N>;
    using ports_of_all = vc_ports<S, N, InList>;
    using bits_of_wires = vc_wire_bits<S, N, InList>;
    using feature_state = vc_feature_state<S, N, InList>;

    /// Notes that the output VCs `credits` have credits, and that packets which have one of them are no
    /// longer starved. `unowned`: output VCs that no packet has, so that their owner is not looked up.
    void feed(set credits, set unowned) {
        for (const std::uint64_t o : members(credits & ~this->stocked & ~unowned))
            remove_member(this->starved, this->owner(o));
        this->stocked |= credits;
    }
    /// Applies the passages and the credits in accounts that are due by cycle `now`, so that the block refers
    /// to no earlier cycle, which after 2^32 cycles would seem to come again.
    void forget_times(std::uint32_t now) {
        this->leave(this->leaving(now));
        for (std::uint32_t o = 0; o < N; ++o)
            if (auto* account = this->account_beyond(o)) this->credits(o) += account->take_back(now);
    }

    /// @name Views, as of the end of cycle `now`
    /// @{
    /// Returns the sets with the passages ended that leave in cycle `now` or earlier.
    sets as_of(std::uint32_t now) const {
        sets s = *this;
        s.leave(s.leaving(now));
        return s;
    }
    /// Number of credits of output VC o that are in its account and not back by cycle `now`: those that no
    /// wire carries. 0 without an account.
    std::uint32_t credits_coming(std::uint32_t o, std::uint32_t now) const {
        const credit_account* account = this->account_beyond(o);
        const std::uint32_t coming = account == nullptr ? 0 : account->coming_after(now);
        return static_cast<std::uint32_t>(__builtin_popcount(coming));
    }
    /// Number of credits of output VC o that can be spent in cycle `now`: known ones and those in its account
    /// that are back.
    std::uint32_t credits_at(std::uint32_t o, std::uint32_t now) const {
        const credit_account* account = this->account_beyond(o);
        return this->credits(o) + (account == nullptr ? 0 : account->back_by(now));
    }
    /// True if output VC o has counted, and spent the credit of, a flit that has not left yet. `s`: as_of()
    /// the cycle looked at, here and below.
    static bool early(const sets& s, std::uint32_t o) { return is_member(s.soon.out | s.later.out, o); }
    /// Number of flits that output VC o has sent, modulo 2^32.
    std::uint32_t sent_by(const sets& s, std::uint32_t o) const {
        return this->sent(o) - (early(s, o) ? 1 : 0);
    }
    /// Number of flits that the router has sent by all output VCs, modulo 2^32.
    std::uint32_t flits_sent(const sets& s) const {
        std::uint32_t sum = 0;
        for (const std::uint64_t o : members(this->wired)) sum += this->sent(o);
        for (set rest = s.soon.out | s.later.out; some(rest); remove_member(rest, lowest(rest))) --sum;
        return sum;
    }
    /// Number of flits in the buffer of input VC i, the front flit included.
    std::uint32_t count_at(const sets& s, std::uint32_t i) const {
        return !InList || is_member(s.present, i) ? this->in(i).count : 0;
    }
    /// True if a packet has output VC o. False for the VC of a flit sent ahead whose VA is still to come, and
    /// for ports without a link.
    bool owned(const sets& s, std::uint32_t o) const {
        // VA of `later` is still to come.
        return !is_member(s.free | s.later.out | ~this->wired | this->draining, o);
    }
    /// Number of credits of output VC o, as if a flit that was sent ahead of time and has not left had not
    /// taken its credit yet.
    std::uint32_t credits_seen(const sets& s, std::uint32_t o) const {
        const credit_account* account = this->account_beyond(o);
        return this->credits(o) + (early(s, o) ? 1 : 0) + (account == nullptr ? 0 : account->back_by(s.seen));
    }
    /// @}
};

}  // namespace sare
