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

/// Most flits that an input VC of a compact block holds; scanned and listed blocks are *compact* (vc_block).
constexpr std::uint32_t compact_most_flits = 255;

/// Cycles from the arrival of a head to its earliest SA grant, in routers that use router_bypass: one cycle
/// of RC and one of VA.
constexpr std::uint32_t bypass_cycles = 2;

/// VCs of one port: bit b of the mask `vcs` stands for the VC with number first + b (vc_traits).
struct vc_group {
    std::uint64_t first;
    vc_mask vcs;
};

/// Types and limits of a block with up to N VC numbers. The *VC number* of VC v of port p, input or output,
/// is p << S | v in compact blocks, where numbers of VCs that a port does not have are unused. In wide
/// blocks, whose S is 0, it is p * VCs + v, as outside of the blocks.
template <int S, int N>
struct vc_traits {
    static constexpr bool wide = S == 0;
    /// Mask of the bits of a VC number that are the VC, in compact blocks; 0 in wide blocks.
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;
    /// Most ports of a router. Layouts of up to 256 VC numbers are for routers whose ports fit into a word.
    static constexpr std::uint32_t max_ports = !wide     ? N >> S
                                               : N > 256 ? std::min<std::uint32_t>(N, most_ports)
                                                         : 64;
    /// Number of words of a set of ports in the inbox of a wide router; type of such a set.
    static constexpr std::uint32_t port_words = (max_ports + 63) / 64;
    using port_set = std::conditional_t<(port_words > 1), bits<port_words>, std::uint64_t>;
    /// Type of a set of VC numbers in an inbox, in compact blocks.
    using word = std::conditional_t<(N > 32), std::uint64_t, std::uint32_t>;
    /// Type of a set of VC numbers; in wide routers also of crossbar inputs or outputs.
    using set = std::conditional_t<wide, bits<(N + 63) / 64>, word>;
    /// Type of the output VCs of a candidate of a head.
    using candidate = std::conditional_t<wide, vc_group, word>;
    /// Type of a VC number, and of a number of flits or credits of a VC.
    using number = std::conditional_t<wide, std::uint16_t, std::uint8_t>;

    /// State of an input VC and of the packet at its front.
    struct input {
        set want = {};  ///< output VCs that the packet at the front may ask for, as its route says
        /// Number of flits in the buffer, the front flit included; in listed blocks valid only if
        /// vc_sets::present has the VC.
        number count = 0;
        /// Index of the front flit in the ring of places; 0 in an empty buffer, so that few places are ever
        /// used.
        number head = 0;
        /// Number of the output VC that the packet at the front has; while it has none, of the last one that
        /// a packet in this input VC had.
        number out = 0;
        /// Listed blocks, VC 0 of a port only: number of the input VC of the port that SA served last.
        number sa_vc = 0;
    };
};

/// State of a scanned or wide block by VC and by port, and the words of a plane (link_ring.h) in which the
/// router at the other end of a port reads. Everything is in arrays with elements of 1, 4 or 8 bytes, to
/// which the processor finds the address without arithmetic.
template <int S, int N, bool InList>
class vc_ports : public vc_traits<S, N> {
    using T = vc_traits<S, N>;

  public:
    /// Returns input VC i (VC number), as in() does; in listed blocks it returns an input_vc, with an
    /// account.
    typename T::input& input_at(std::uint64_t i) { return m_in[i]; }
    /// Returns the state of input VC i (VC number).
    typename T::input& in(std::uint64_t i) { return m_in[i]; }
    const typename T::input& in(std::uint64_t i) const { return m_in[i]; }
    /// Returns the number of credits of output VC o.
    typename T::number& credits(std::uint64_t o) { return m_credits[o]; }
    typename T::number credits(std::uint64_t o) const { return m_credits[o]; }
    /// Returns the number of the input VC whose packet has output VC o; while no packet has it, of the input
    /// VC that had it last.
    typename T::number& owner(std::uint64_t o) { return m_owner[o]; }
    typename T::number owner(std::uint64_t o) const { return m_owner[o]; }
    /// Returns the number of flits sent by output VC o, modulo 2^32.
    std::uint32_t& sent(std::uint64_t o) { return m_sent[o]; }
    std::uint32_t sent(std::uint64_t o) const { return m_sent[o]; }
    /// Returns the number of the input VC that SA served last at input port `port`; sa_column() returns the
    /// one that SA served last at output port `port`.
    typename T::number& sa_vc(std::uint64_t port) { return m_sa_vc[port]; }
    typename T::number& sa_column(std::uint64_t port) { return m_sa_column[port]; }
    /// Returns the flit at the front of input VC i, as a word (flit::from_word()); without meaning if the VC
    /// is empty.
    std::uint64_t& front(std::uint64_t i) { return m_front[i]; }
    std::uint64_t front(std::uint64_t i) const { return m_front[i]; }
    /// Returns null: all credits come by wire. Listed blocks have accounts (credit_account).
    credit_account* account_beyond(std::uint64_t) const { return nullptr; }

    /// Notes the wire by which flits leave by output port `port`.
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

    /// Words of a plane, by port: word of the reader's inbox with the bits of arriving flits; word to which
    /// the flit is written; word of the sender's inbox with the bits of credits.
    std::uint32_t flit_inbox[T::max_ports], flit_at[T::max_ports], credit_inbox[T::max_ports];
    /// Index of the bit for VC 0 in word flit_inbox, and in word credit_inbox, by port.
    std::uint8_t flit_place[T::max_ports], credit_place[T::max_ports];

  private:
    /// Numbers of the input VCs that SA served last, by input port; by output port.
    typename T::number m_sa_vc[T::max_ports], m_sa_column[T::max_ports];
    /// Number of credits, by output VC.
    alignas(64) typename T::number m_credits[N];
    /// Number of the input VC that has the output VC or had it last, by output VC.
    typename T::number m_owner[N];
    alignas(64) typename T::input m_in[N];
    std::uint32_t m_sent[N];   ///< flits sent modulo 2^32, by output VC
    std::uint64_t m_front[N];  ///< word of the front flit, by input VC
};

/// State of a listed block, port by port, so that its memory can end with the last port that the router has.
/// With 4 VCs a port and 32 VC numbers, one cache line has all that a flit needs of its input port, and the
/// next line all that it needs of its output port. Functions and members without a comment do what those of
/// the other layouts do.
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
        /// Word of a plane: word of the reader's inbox with the bits of arriving flits.
        std::uint32_t flit_inbox = 0;
        /// Number of words from word flit_inbox to the word to which the flit is written; 0: more than 255,
        /// which only irregular ports have.
        std::uint8_t flit_word = 0;
        std::uint8_t flit_place = 0;  ///< index of the bit for VC 0 in word flit_inbox
        std::uint8_t sa_column = 0;   ///< number of the input VC that SA served last at this output port
        /// Number of credits, by VC; number of the input VC whose packet has the output VC or had it last, by
        /// VC.
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
    /// Returns the number of ports for which a router with `ports` ports needs memory: the next even number,
    /// since ports 2 k and 2 k + 1 keep front flits for each other. Such ports are opposite where routers
    /// have coordinates.
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
    /// Returns the account with the credits of output VC o; null if there is none, and all credits come by
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

    /// Word of a plane: word of the sender's inbox with the bits of credits that go by wire; by input port.
    std::uint32_t credit_inbox[T::max_ports];
    /// Index of the bit for VC 0 in word credit_inbox, by input port.
    std::uint8_t credit_place[T::max_ports];
    /// First input VC of the port at the other end, by output port; null if account_beyond() is null.
    input_vc* beyond[T::max_ports];

  private:
    static constexpr std::uint64_t one_port = 1 << S;
    static std::uint64_t vc(std::uint64_t i) { return i & T::vc_mask; }
    port& of(std::uint64_t i) { return m_ports[i >> S]; }
    const port& of(std::uint64_t i) const { return m_ports[i >> S]; }

    port m_ports[T::max_ports];
};

/// Masks of the bits that a flit, by output VC, and a credit, by input VC, set in words flit_inbox and
/// credit_inbox. They follow from flit_place and credit_place; the table saves instructions, and takes cache
/// lines. Scanned blocks have it, and use it if the route table is keyed.
template <int S, int N, bool InList>
struct alignas(64) vc_wire_bits {
    std::uint64_t flit_bit[N], credit_bit[N];
};
template <int S, int N>
struct vc_wire_bits<S, N, true> {};
template <int N>
struct vc_wire_bits<0, N, false> {};

/// State of scanned and wide blocks for features beyond vc_features::none. It is at the end of a block, so
/// that the block can end before it where no router of the bank needs it.
template <int S, int N, bool InList>
struct alignas(64) vc_feature_state {
    using set = typename vc_traits<S, N>::set;
    using number = typename vc_traits<S, N>::number;
    /// Number of elements of `ends`: a power of two above all delays of stages.
    static constexpr std::uint32_t stages = 32;

    /// Input VCs for which a stage of the pipeline ends at the begin of one cycle.
    struct stage_end {
        /// Input VCs whose heads bid in VA from then on; whose packets have an output VC; that SA may serve
        /// again; whose heads wait for RC.
        set va = {}, active = {}, idle = {}, rc = {};
    };
    /// Requesters that the arbiters of a switch allocator served last. vc: a VC of the port, by crossbar
    /// input; column: a crossbar input, by crossbar output; row: a crossbar output, by crossbar input
    /// (allocator output_first only).
    struct switch_turns {
        std::uint16_t vc[N], column[N], row[N];
    };

    stage_end ends[stages];  ///< ends of stages, by cycle % stages
    /// Input VCs that SA served less than sa_delay cycles ago, and that did not send a tail then.
    set busy;
    set waits;  ///< input VCs whose heads wait for RC, where stages are not pipelined
    /// First cycle in which RC, VA and SA take new work, where stages are not pipelined; cycle in which the
    /// last batch of flits began to cross the switch.
    cycle_t rc_free, va_free, sa_free, st_start;
    switch_turns turns[2];  ///< [0]: turns for plain requests; [1]: for speculative requests
    /// Requesters that the arbiters of VA served last: va_row: a VC of an output port, by input VC;
    /// va_column: an input VC, by output VC. Input and output VCs are numbered port * VCs + VC.
    std::uint16_t va_row[N], va_column[N];
    /// Credits that an output VC must have for the packet at the front, by input VC: its number of flits with
    /// vc_rules::room, else 1.
    std::uint16_t need[N];
    std::uint16_t tails[N];  ///< number of tails in the buffer, by input VC; kept with store-and-forward only
    /// Output port that the packet at the front asks for or has, by input VC; in wide blocks in_vc::no_port
    /// if it has no route.
    number to[N];
    /// Cycle in which the front flit came to the front, by input VC; kept if vc_rules::notes_since is set.
    cycle_t since[N];
    /// First cycle in which the link can take a further flit, behind those in the output queue; by output
    /// port.
    cycle_t next_slot[vc_traits<S, N>::max_ports];
};
template <int S, int N>
struct vc_feature_state<S, N, true> {};

/// Sets of VCs that every cycle of a router reads. With up to 32 VC numbers they fill one cache line.
template <int S, int N>
struct vc_sets {
    using set = typename vc_traits<S, N>::set;

    /// Input VCs whose only flit router_bypass has sent ahead of time, and the output VCs by which these
    /// flits leave.
    struct passage {
        set in = {}, out = {};
    };

    std::uint32_t inbox;  ///< first word, in a plane, of the inbox of the router
    /// Word of a plane for the flit that comes in by port 0, those of ports 1, 2, ... follow; unused in wide
    /// blocks.
    std::uint32_t flits_at;
    /// Input VCs whose heads bid for an output VC when the router runs next; whose heads begin to bid a cycle
    /// later.
    set va, va_next;
    /// Input VCs whose packet has an output VC; input VCs with a flit at the front (store-and-forward: with a
    /// whole packet at the front).
    set active, present;
    set starved;  ///< active input VCs whose output VC has too few credits for the packet to go on
    set stocked;  ///< output VCs with at least one credit
    set free;     ///< output VCs that VA may give to a packet
    /// Passages that leave 1 cycle, and 2 cycles, after cycle `seen`. Their input VCs are in neither `active`
    /// nor `va`, and their output VCs are not in `free`.
    passage soon, later;
    set behind;          ///< input VCs of a passage into which a second flit has come
    std::uint32_t seen;  ///< cycle that `soon` and `later` count from, modulo 2^32
    /// 1 + index in vc_shape::odd of the wires of port 0 of this router; 0: all ports are regular and have no
    /// element there.
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
    /// Returns the input VCs that have a flit at the begin of cycle `now`: `present` without the input VCs of
    /// passages that have left by then.
    set staying(std::uint32_t now) const {
        const std::uint32_t cycles = now - seen;
        return present & ~((cycles == 1 ? set{} : soon.in) | (cycles <= 2 ? set{} : later.in));
    }
    /// Ends the passage `gone`: makes its input VCs empty, and its output VCs free.
    void leave(const passage& gone) {
        present &= ~gone.in;
        free |= gone.out;
    }
};

/// State of a router that is not read for most flits.
template <int S, int N>
struct vc_rest {
    using set = typename vc_traits<S, N>::set;

    /// Buffers of the router: place n of input VC i is at [n * vc_shape::row + i], so that places n of all
    /// routers of the bank lie together, and low load touches little memory. The place of the front flit is
    /// unused, since front() has this flit.
    flit* buffer;
    /// Entries of this router in the keyed route table; null without such a table.
    const std::uint8_t* routes;
    set wired;  ///< output VCs of ports with a link
    /// Output VCs that no packet has and whose credits are not all back, so that they are not free yet. Empty
    /// unless reallocation is atomic.
    set draining;
    std::uint32_t id;       ///< number of the router in the network
    std::uint32_t in_bank;  ///< number of the router in its bank, from 0
    /// Memory of the router's arbiters that are not round robin, in the order of vc_shape::words_of; the bank
    /// owns it.
    std::uint32_t* remembered;
    /// Most flits that the buffer of a VC at the other end holds, by output port.
    typename vc_traits<S, N>::number depth_beyond[vc_traits<S, N>::max_ports];
};

/// State of shared buffers behind output ports: nothing in compact blocks, which have none.
template <int S, int N>
struct vc_pools {};
/// State of shared buffers behind the output ports of wide routers.
template <int N>
struct vc_pools<0, N> {
    /// Number of places that the VCs share in the buffer at the other end, by output port; 0: none.
    std::uint16_t pool_beyond[vc_traits<0, N>::max_ports] = {};
    /// Places that an output VC has taken at the other end of a port with a pool.
    std::uint16_t held[N] = {};
};

/// State of a VC router, its *block*, in one of three layouts (vc_layout). *Scanned*: the inbox is in the
/// table of a plane (link_ring.h), which is looked through in every cycle. *Listed* (`InList` is true): for
/// large networks, where the number of cache lines touched decides the speed, with a list of the routers that
/// are awake. *Wide* (`Shift` is 0): up to 1,024 ports and 4,096 VC numbers, with every feature. `Shift` is
/// log2 of the VC numbers that a port takes, `Most` the most VC numbers. The inbox of a scanned or listed
/// block has a bit for each input VC with a flit, that of a wide one a bit for each port.
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
    /// one word, with arrivals in the upper half and credits in the lower half; with more VC numbers they
    /// have two, arrivals, then credits. Wide blocks have port_words words for the ports with a flit, then
    /// words for credits.
    static constexpr std::uint32_t port_words = vc_traits<Shift, Most>::port_words;
    static constexpr std::uint32_t inbox_sets = Shift == 0 ? port_words + (N + 63) / 64 : N > 32 ? 2 : 1;
    /// Index of the first bit of the arrivals in the first word of the inbox of a compact block.
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

    /// Notes that the output VCs `credits` have credits, and that packets which have one of these VCs are no
    /// longer starved. `unowned`: output VCs that no packet has, or whose packets are to stay as they are.
    void feed(set credits, set unowned) {
        for (const std::uint64_t o : members(credits & ~this->stocked & ~unowned))
            remove_member(this->starved, this->owner(o));
        this->stocked |= credits;
    }
    /// Ends the passages, and takes the credits in accounts, that are due by cycle `now` (modulo 2^32). The
    /// block then refers to no earlier cycle, which after 2^32 cycles would seem to come again.
    void forget_times(std::uint32_t now) {
        this->leave(this->leaving(now));
        for (std::uint32_t o = 0; o < N; ++o)
            if (auto* account = this->account_beyond(o)) this->credits(o) += account->take_back(now);
    }

    /// @name Views, as of the end of cycle `now`
    /// @{
    /// Returns a copy of the sets in which the passages that leave in cycle `now` or earlier are ended.
    sets as_of(std::uint32_t now) const {
        sets s = *this;
        s.leave(s.leaving(now));
        return s;
    }
    /// Returns the number of credits of output VC o that are in its account and not back by cycle `now`, so
    /// that no wire carries them; 0 without an account.
    std::uint32_t credits_coming(std::uint32_t o, std::uint32_t now) const {
        const credit_account* account = this->account_beyond(o);
        const std::uint32_t coming = account == nullptr ? 0 : account->coming_after(now);
        return static_cast<std::uint32_t>(__builtin_popcount(coming));
    }
    /// Returns the number of credits of output VC o that can be spent in cycle `now`: known credits, and
    /// those in its account that are back.
    std::uint32_t credits_at(std::uint32_t o, std::uint32_t now) const {
        const credit_account* account = this->account_beyond(o);
        return this->credits(o) + (account == nullptr ? 0 : account->back_by(now));
    }
    /// True if output VC o has sent a flit ahead (router_bypass) that has not left yet; the flit is counted,
    /// and its credit spent. `s`, here and below: the result of as_of() for the cycle in question.
    static bool early(const sets& s, std::uint32_t o) { return is_member(s.soon.out | s.later.out, o); }
    /// Returns the number of flits that output VC o has sent, modulo 2^32.
    std::uint32_t sent_by(const sets& s, std::uint32_t o) const {
        return this->sent(o) - (early(s, o) ? 1 : 0);
    }
    /// Returns the number of flits that the router has sent by all output VCs, modulo 2^32.
    std::uint32_t flits_sent(const sets& s) const {
        std::uint32_t sum = 0;
        for (const std::uint64_t o : members(this->wired)) sum += this->sent(o);
        for (set rest = s.soon.out | s.later.out; some(rest); remove_member(rest, lowest(rest))) --sum;
        return sum;
    }
    /// Returns the number of flits in the buffer of input VC i, the front flit included.
    std::uint32_t count_at(const sets& s, std::uint32_t i) const {
        return !InList || is_member(s.present, i) ? this->in(i).count : 0;
    }
    /// True if a packet has output VC o. False for the VC of a flit sent ahead whose VA is still to come, and
    /// for ports without a link.
    bool owned(const sets& s, std::uint32_t o) const {
        // VA of `later` is still to come.
        return !is_member(s.free | s.later.out | ~this->wired | this->draining, o);
    }
    /// Returns the number of credits of output VC o, counting the credit of a flit that was sent ahead and
    /// has not left yet as not spent.
    std::uint32_t credits_seen(const sets& s, std::uint32_t o) const {
        const credit_account* account = this->account_beyond(o);
        return this->credits(o) + (early(s, o) ? 1 : 0) + (account == nullptr ? 0 : account->back_by(s.seen));
    }
    /// @}
};

}  // namespace sare
