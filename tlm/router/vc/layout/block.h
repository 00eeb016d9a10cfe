// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/sets.h"
#include "tlm/router/vc/layout/credit_account.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/view.h"

#include <cstdint>
#include <type_traits>

/// Blocks of VC routers: how the state of a router is stored.
namespace sare {

/// Most flits that a VC buffer of a compact block holds, which is a scanned or listed one.
constexpr std::uint32_t compact_most_flits = 255;

/// Cycles from the arrival of a head to its earliest SA grant, in routers that use router_bypass.
constexpr std::uint32_t bypass_cycles = 2;

/// Types and limits of a block with N VC numbers. In compact blocks VC v of port p has the number p << S | v,
/// so that numbers from the port's number of VCs on are unused. In wide blocks, whose S is 0, the number is p
/// * VCs + v, as everywhere else.
template <int S, int N>
struct vc_traits {
    static constexpr bool wide = S == 0;
    /// Bits of a VC number that tell the VC; in compact blocks only.
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;
    static constexpr std::uint32_t max_ports = wide ? 64 : N >> S;
    using word = std::conditional_t<(N > 32), std::uint64_t, std::uint32_t>;
    using set = std::conditional_t<wide, bits<(N + 63) / 64>, word>;
    using number = std::conditional_t<wide, std::uint16_t, std::uint8_t>;  ///< VC number, or number of flits

    /// State of an input VC and of the packet at its front.
    struct input {
        set want = {};     ///< output VCs that the packet may ask for
        number count = 0;  ///< flits in the buffer; in listed blocks only if `present` has the VC
        number head = 0;  ///< place of the first flit; 0 in an empty buffer, so that few places are ever used
        number out = 0;   ///< output VC that the packet has, or that the VC had last
        number sa_vc = 0;  ///< in listed blocks, in VC 0 of a port: input VC of the port that SA served last
    };
};

/// Route that a head carries where no route table tells it: the output port and VCs that the routing function
/// answered at an earlier router, and the number of routers, from the one that reads it on, for which that
/// answer holds. The route takes bits 32 to 47 of the flit's word: VCs, port, routers.
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
    /// Most routers for which an answer can hold.
    static constexpr std::uint32_t longest = (1u << (end - routers_at)) - 1;
    /// Returns the head `word` with this route in the place of the one that it carried.
    static std::uint64_t pack(std::uint64_t word, std::uint64_t port, std::uint64_t vcs,
                              std::uint64_t routers) {
        return (word & ~field(vcs_at, end)) | vcs << vcs_at | port << port_at | routers << routers_at;
    }
    /// True if the head carries a route for the router that reads it.
    static bool is_known(std::uint64_t word) { return (word & field(routers_at, end)) != 0; }
    static std::uint32_t routers(std::uint64_t word) {
        return static_cast<std::uint32_t>((word & field(routers_at, end)) >> routers_at);
    }
    static std::uint64_t port(std::uint64_t word) { return (word & field(port_at, routers_at)) >> port_at; }
    /// Returns the output VCs that the route allows.
    static set want(std::uint64_t word) {
        return static_cast<set>(static_cast<set>((word & field(vcs_at, port_at)) >> vcs_at)
                                << (port(word) << S));
    }
    /// Returns the head for the router after this one.
    static std::uint64_t advanced(std::uint64_t word) { return word - one_router; }
};

/// State of a scanned or wide block by VC and by port, and where in a plane each port writes (see wire; bits
/// are those of VC 0). Everything is in arrays, in which the processor finds elements of 1, 4 or 8 bytes
/// without arithmetic.
template <int S, int N, bool InList>
class vc_ports : public vc_traits<S, N> {
    using T = vc_traits<S, N>;

  public:
    /// Returns an input VC. The same as in(); listed blocks have an input_vc here.
    typename T::input& input_at(std::uint64_t i) { return m_in[i]; }
    typename T::input& in(std::uint64_t i) { return m_in[i]; }
    const typename T::input& in(std::uint64_t i) const { return m_in[i]; }
    typename T::number& credits(std::uint64_t o) { return m_credits[o]; }
    typename T::number credits(std::uint64_t o) const { return m_credits[o]; }
    typename T::number& owner(std::uint64_t o) { return m_owner[o]; }
    typename T::number owner(std::uint64_t o) const { return m_owner[o]; }
    std::uint32_t& sent(std::uint64_t o) { return m_sent[o]; }
    std::uint32_t sent(std::uint64_t o) const { return m_sent[o]; }
    /// Returns the input VC that SA served last among those of an input port, and sa_column() the one that it
    /// served last at an output port.
    typename T::number& sa_vc(std::uint64_t port) { return m_sa_vc[port]; }
    typename T::number& sa_column(std::uint64_t port) { return m_sa_column[port]; }
    /// Returns the word of the flit at the front of input VC i.
    std::uint64_t& front(std::uint64_t i) { return m_front[i]; }
    std::uint64_t front(std::uint64_t i) const { return m_front[i]; }
    /// Returns null: all credits come by wire.
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

    /// Words of a plane, by port: with the reader's sets of flits, for the flit, with the reader's sets of
    /// credits.
    std::uint32_t flit_inbox[T::max_ports], flit_at[T::max_ports], credit_inbox[T::max_ports];
    /// Bits of VC 0 in the words of these sets, by port.
    std::uint8_t flit_place[T::max_ports], credit_place[T::max_ports];

  private:
    typename T::number m_sa_vc[T::max_ports], m_sa_column[T::max_ports];
    alignas(64) typename T::number m_credits[N];
    typename T::number m_owner[N];
    alignas(64) typename T::input m_in[N];
    std::uint32_t m_sent[N];
    std::uint64_t m_front[N];
};

/// State of a listed block, port by port, so that memory ends with the last port that the router has. With 4
/// VCs a port and 32 in all, one line of the cache has all that a flit needs of its input port, and the next
/// line all that it needs of its output port.
template <int S, int N>
class vc_ports<S, N, true> : public vc_traits<S, N> {
    using T = vc_traits<S, N>;

  public:
    /// An input VC, with the account for its sender.
    struct alignas(N > 32 ? 32 : 16) input_vc : T::input {
        credit_account account;  ///< credits for the sender of this input VC, on their way back
    };
    /// An output port and its VCs.
    struct output_port {
        std::uint32_t flit_inbox = 0;  ///< word of a plane with the reader's sets
        std::uint8_t flit_word = 0;    ///< words from flit_inbox to the flit's own word
        std::uint8_t flit_place = 0;   ///< bit of VC 0 in word flit_inbox
        std::uint8_t sa_column = 0;    ///< input VC that SA served last at this port
        std::uint8_t credits[1 << S] = {}, owner[1 << S] = {};  ///< by VC: credits, input VC that has it
        std::uint32_t sent[1 << S] = {};                        ///< flits sent, modulo 2^32, by VC
    };
    /// A port: the input VCs, then the output side, each in lines of the cache of its own.
    struct alignas(64) port {
        input_vc in[1 << S];
        output_port out;
        /// Words of the front flits of the input VCs of the opposite port: most of these flits leave by this
        /// port.
        std::uint64_t opposite_front[1 << S] = {};
    };
    /// Number of ports that memory is needed for: ports come in pairs, since ports 2 k and 2 k + 1 are
    /// opposite ones where routers have coordinates.
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
    /// Returns the account of output VC o's credits; null if they come by wire only.
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

    std::uint32_t credit_inbox[T::max_ports];  ///< word of a plane for credits that go by wire, by input port
    std::uint8_t credit_place[T::max_ports];   ///< bit of VC 0 in that word, by input port
    input_vc* beyond[T::max_ports];  ///< input VCs that an output port leads to; null if account_beyond() is

  private:
    static constexpr std::uint64_t one_port = 1 << S;
    static std::uint64_t vc(std::uint64_t i) { return i & T::vc_mask; }
    port& of(std::uint64_t i) { return m_ports[i >> S]; }
    const port& of(std::uint64_t i) const { return m_ports[i >> S]; }

    port m_ports[T::max_ports];
};

/// Bits of the readers' words that a flit and a credit set, by VC. They follow from the places of the wires:
/// the table saves instructions, and takes lines of the cache. Scanned blocks with a keyed route table have
/// it.
template <int S, int N, bool InList>
struct alignas(64) vc_wire_bits {
    std::uint64_t flit_bit[N], credit_bit[N];
};
template <int S, int N>
struct vc_wire_bits<S, N, true> {};
template <int N>
struct vc_wire_bits<0, N, false> {};

/// State for features beyond vc_features::none. It is the end of a block, which memory leaves out where no
/// router needs it.
template <int S, int N, bool InList>
struct alignas(64) vc_feature_state {
    using set = typename vc_traits<S, N>::set;
    using number = typename vc_traits<S, N>::number;
    static constexpr std::uint32_t stages = 32;  ///< a power of two, more than any delay

    /// Input VCs whose stage ends in a cycle: heads that may then bid in VA, packets that become active, VCs
    /// that are no longer busy, heads that may then begin RC.
    struct stage_end {
        set va = {}, active = {}, idle = {}, rc = {};
    };
    /// What each arbiter of a switch allocator served last: a VC, by crossbar input; a crossbar input, by
    /// crossbar output; a crossbar output, by crossbar input (allocator output_first).
    struct switch_turns {
        std::uint16_t vc[N], column[N], row[N];
    };

    stage_end ends[stages];  ///< by cycle modulo `stages`
    set busy;                ///< input VCs that SA served less than sa_delay cycles ago
    set waits;               ///< heads that wait for RC, where it is not pipelined
    /// For stages that are not pipelined: first cycle in which RC, VA and SA take new work; cycle in which
    /// the last batch of ST began.
    cycle_t rc_free, va_free, sa_free, st_start;
    switch_turns turns[2];  ///< for plain and for speculative requests
    /// Requester that each VA arbiter served last, by input VC and by output VC.
    std::uint16_t va_row[N], va_column[N];
    std::uint16_t need[N];   ///< credits that the packet at the front must find, by input VC
    std::uint16_t tails[N];  ///< whole packets in the buffer, by input VC
    std::uint8_t to[N];      ///< output port that the packet at the front asks for, by input VC
    cycle_t since[N];        ///< cycle in which the front flit came to the front, by input VC
    /// Cycle from which the output queue is empty, by output port.
    cycle_t next_slot[vc_traits<S, N>::max_ports];
};
template <int S, int N>
struct vc_feature_state<S, N, true> {};

/// Sets of VCs that a cycle of a router begins with: one line of the cache, with up to 32 VC numbers.
template <int S, int N>
struct vc_sets {
    using set = typename vc_traits<S, N>::set;

    /// Input VCs whose only flit router_bypass has sent ahead of time, and the output VCs by which those
    /// flits leave.
    struct passage {
        set in = {}, out = {};
    };

    std::uint32_t inbox;     ///< first word of the inbox in a plane
    std::uint32_t flits_at;  ///< word of a plane for the flit that comes in by port 0
    set va, va_next;         ///< heads that bid for an output VC in the next cycle, and in the one after that
    /// Input VCs whose packet has an output VC, and input VCs with a flit at the front (store-and-forward:
    /// with a whole packet).
    set active, present;
    set starved;  ///< active input VCs whose output VC has too few credits
    set stocked;  ///< output VCs with credits
    set free;     ///< output VCs that no packet has
    /// Passages that leave 1 and 2 cycles after `seen`. Their input VCs are neither in `active` nor in `va`.
    passage soon, later;
    set behind;          ///< input VCs of a passage in which a second flit has come
    std::uint32_t seen;  ///< cycle that `soon` and `later` count from, modulo 2^32
    std::uint32_t odd;   ///< 1 + number of port 0's wires in vc_shape::odd; 0: all ports are regular

    /// Moves on to cycle `now`, with passages that left before it ended. Returns the passage that leaves in
    /// cycle `now`, which the caller ends by leave().
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
    /// Returns the input VCs that have a flit as cycle `now` begins.
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

    /// Memory of the buffers: flit k of input VC i is at [k * vc_shape::row + i], so that the places used at
    /// low load lie together, of all routers of the bank. The place of the front flit is unused, since
    /// front() has that flit.
    flit* buffer;
    const std::uint8_t* routes;  ///< entries of this router in a keyed route table
    set wired;                   ///< output VCs of ports that lead somewhere
    /// With reallocation atomic: output VCs that no packet has, but whose credits are not all back.
    set draining;
    std::uint32_t id;           ///< number of the router in the network
    std::uint32_t in_bank;      ///< number of the router in its bank
    std::uint32_t* remembered;  ///< words of arbiters that remember more than whom they served last
    /// Flits that a VC buffer at the other end holds, by output port.
    typename vc_traits<S, N>::number depth_beyond[vc_traits<S, N>::max_ports];
};

/// What wide routers know of shared buffers behind their outputs.
template <int S, int N>
struct vc_pools {};
template <int N>
struct vc_pools<0, N> {
    std::uint16_t pool_beyond[vc_traits<0, N>::max_ports] =
        {};                      ///< places that the VCs of a port share; 0: none
    std::uint16_t held[N] = {};  ///< places that an output VC has taken behind such a port
};

/// State of a VC router, in one of three layouts: *scanned*, whose inboxes are in the table of a plane that
/// is looked through in every cycle; *listed* (`InList`), for large networks, where the number of cache lines
/// that are touched decides the speed; *wide* (Shift is 0), of any size. All three run the same stages, and
/// tests hold them against each other.
///
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
    /// Number of the words at the begin of an inbox that hold sets. With up to 32 VC numbers one word has
    /// arrivals in its upper half and credits in its lower half, with more there are two words. Wide blocks
    /// have a word for the ports with a flit, then words for credits.
    static constexpr std::uint32_t inbox_sets = Shift == 0 ? 1 + (N + 63) / 64 : N > 32 ? 2 : 1;
    /// First bit of the arrivals in the first word of an inbox.
    static constexpr std::uint32_t arrivals_at = N > 32 ? 0 : 32;
    using set = typename vc_traits<S, N>::set;
    using word = typename vc_traits<S, N>::word;
    using number_type = typename vc_traits<S, N>::number;
    using input = typename vc_traits<S, N>::input;
    using sets = vc_sets<S, N>;
    using ports_of_all = vc_ports<S, N, InList>;
    using bits_of_wires = vc_wire_bits<S, N, InList>;
    using feature_state = vc_feature_state<S, N, InList>;

    /// Notes that the output VCs `credits` have credits, and that packets which have these VCs are no longer
    /// starved. `unowned`: output VCs that no packet has.
    void feed(set credits, set unowned) {
        for (const std::uint64_t o : members(credits & ~this->stocked & ~unowned))
            remove_member(this->starved, this->owner(o));
        this->stocked |= credits;
    }
    /// Applies everything that is due by cycle `now`, so that nothing in the block depends on earlier cycles.
    void forget_times(std::uint32_t now) {
        this->leave(this->leaving(now));
        for (std::uint32_t o = 0; o < N; ++o)
            if (auto* account = this->account_beyond(o)) this->credits(o) += account->take_back(now);
    }

    /// @name Views, as of the end of cycle `now`
    /// @{
    /// Returns the sets with all passages applied that have left by cycle `now`.
    sets as_of(std::uint32_t now) const {
        sets s = *this;
        s.leave(s.leaving(now));
        return s;
    }
    /// Number of credits of output VC o that are on their way back, and that no wire carries.
    std::uint32_t credits_coming(std::uint32_t o, std::uint32_t now) const {
        const credit_account* account = this->account_beyond(o);
        const std::uint32_t coming = account == nullptr ? 0 : account->coming_after(now);
        return static_cast<std::uint32_t>(__builtin_popcount(coming));
    }
    /// Number of credits of output VC o that are back by cycle `now`, those in its account included.
    std::uint32_t credits_at(std::uint32_t o, std::uint32_t now) const {
        const credit_account* account = this->account_beyond(o);
        return this->credits(o) + (account == nullptr ? 0 : account->back_by(now));
    }
    /// True if output VC o has counted a flit as sent that has not left yet.
    static bool early(const sets& s, std::uint32_t o) { return is_member(s.soon.out | s.later.out, o); }
    /// Number of flits that output VC o has sent, modulo 2^32; `s` is as_of() the cycle looked at.
    std::uint32_t sent_by(const sets& s, std::uint32_t o) const {
        return this->sent(o) - (early(s, o) ? 1 : 0);
    }
    /// Number of flits that the router has sent, modulo 2^32.
    std::uint32_t flits_sent(const sets& s) const {
        std::uint32_t sum = 0;
        for (const std::uint64_t o : members(this->wired)) sum += this->sent(o);
        for (set rest = s.soon.out | s.later.out; some(rest); remove_member(rest, lowest(rest))) --sum;
        return sum;
    }
    /// Number of flits in the buffer of input VC i.
    std::uint32_t count_at(const sets& s, std::uint32_t i) const {
        return !InList || is_member(s.present, i) ? this->in(i).count : 0;
    }
    /// True if a packet has output VC o.
    bool owned(const sets& s, std::uint32_t o) const {
        // VA of `later` is still to come.
        return !is_member(s.free | s.later.out | ~this->wired | this->draining, o);
    }
    /// Number of credits of output VC o, with the one that a flit sent ahead of time has taken.
    std::uint32_t credits_seen(const sets& s, std::uint32_t o) const {
        const credit_account* account = this->account_beyond(o);
        return this->credits(o) + (early(s, o) ? 1 : 0) + (account == nullptr ? 0 : account->back_by(s.seen));
    }
    /// @}
};

}  // namespace sare
