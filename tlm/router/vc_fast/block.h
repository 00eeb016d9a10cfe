// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/view.h"

#include <cstdint>
#include <type_traits>

/// The blocks of fast routers, and what is special in how they know their credits and ways.
namespace sare {

/// Credits of an output VC of a fast router in a large network, on their way back to it. They wake no router:
/// the router looks here when it has spent all it knew of.
class credit_account {
  public:
    static constexpr std::uint32_t longest = 15;  ///< cycles from the giving of a credit to when it is back

    bool is_open() const { return m_state == state::open; }
    /// Credits are sent by wire from now on, until reopen(): what waits for them sleeps.
    void close() {
        if (m_state == state::open) m_state = state::closed;
    }
    void reopen() {
        if (m_state == state::closed) m_state = state::open;
    }
    void close_for_ever() { m_state = state::shut; }
    /// None are on their way.
    void clear() {
        m_count = 0;
        reopen();
    }

    /// One more; it is back in cycle `back`, in which no other one is. (Cycles modulo 2^32.)
    void give(std::uint32_t back) {
        const std::uint32_t later = back - m_last;
        m_recent = static_cast<std::uint16_t>(m_count != 0 && later <= longest ? m_recent << later | 1 : 1);
        m_last = back;
        ++m_count;
    }
    /// Those that are not back by cycle `now`: bit k, one is back in cycle now + 1 + k.
    std::uint32_t coming_after(std::uint32_t now) const {
        const auto later = static_cast<std::int32_t>(m_last - now);
        std::uint32_t coming = 0;
        if (m_count == 0) return 0;
        for (std::int32_t k = 0; k < later; ++k) coming |= (m_recent >> k & 1u) << (later - 1 - k);
        return coming;
    }
    std::uint32_t back_by(std::uint32_t now) const {
        return m_count - static_cast<std::uint32_t>(__builtin_popcount(coming_after(now)));
    }
    std::uint8_t take_back(std::uint32_t now) {
        const std::uint32_t back = back_by(now);
        m_count = static_cast<std::uint8_t>(m_count - back);
        return static_cast<std::uint8_t>(back);
    }
    /// Those that are still on their way: see coming_after().
    std::uint32_t take_coming(std::uint32_t now) {
        const std::uint32_t coming = coming_after(now);
        m_count = 0;
        return coming;
    }

  private:
    enum class state : std::uint8_t { open, closed, shut };

    std::uint32_t m_last = 0;    ///< when the last one is back
    std::uint16_t m_recent = 0;  ///< bit k: one is back in cycle m_last - k
    std::uint8_t m_count = 0;
    state m_state = state::open;
};

constexpr std::uint32_t fast_most_flits = 255;  ///< in a buffer

/// Cycles from the coming of a head to its SA at the earliest, in fast routers that foresee.
constexpr std::uint32_t fast_write_ahead = 2;

/// What follows from the size.
template <int S, int N>
struct fast_traits {
    static constexpr std::uint32_t vc_mask = (1 << S) - 1;
    static constexpr std::uint32_t max_ports = N >> S;
    using set = std::conditional_t<(N > 32), std::uint64_t, std::uint32_t>;

    struct input {
        set want = 0;            ///< output VCs that may be asked for
        std::uint8_t count = 0;  ///< if it is present
        std::uint8_t head = 0;   ///< place of the first flit; 0 in an empty buffer: few places are ever used
        std::uint8_t out = 0;    ///< output VC that it has, or had last
        std::uint8_t sa_vc = 0;  ///< of VC 0, in lists: the VC of the port that SA served last
    };
};

/// A head's way in its 16 bits, where no table says it: what the routing function answered at an earlier
/// router, and how many routers that come now would hear the same. All of it in a flit's word, as it lies in
/// a plane: VCs, port, routers.
template <int S, int N>
class packed_route {
    using set = typename fast_traits<S, N>::set;
    static constexpr std::uint32_t log2(std::uint32_t n) { return n < 2 ? 0 : 1 + log2(n / 2); }
    static constexpr std::uint32_t vcs_at = 32, port_at = vcs_at + (1 << S),
                                   routers_at = port_at + log2(fast_traits<S, N>::max_ports), end = 48;
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

/// The VCs and ports of a fast block; wires as in wire, places of VC 0. Two layouts. Here, for few routers:
/// arrays, in which the processor finds elements of 1, 4 or 8 bytes without arithmetic.
template <int S, int N, bool InList>
class fast_ports : public fast_traits<S, N> {
    using T = fast_traits<S, N>;

  public:
    typename T::input& input_at(std::uint64_t i) { return m_in[i]; }
    typename T::input& in(std::uint64_t i) { return m_in[i]; }
    const typename T::input& in(std::uint64_t i) const { return m_in[i]; }
    std::uint8_t& credits(std::uint64_t o) { return m_credits[o]; }
    std::uint8_t credits(std::uint64_t o) const { return m_credits[o]; }
    std::uint8_t& owner(std::uint64_t o) { return m_owner[o]; }
    std::uint8_t owner(std::uint64_t o) const { return m_owner[o]; }
    std::uint32_t& sent(std::uint64_t o) { return m_sent[o]; }
    std::uint32_t sent(std::uint64_t o) const { return m_sent[o]; }
    std::uint8_t& sa_vc(std::uint64_t port) { return m_sa_vc[port]; }
    std::uint8_t& sa_column(std::uint64_t port) { return m_sa_column[port]; }
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
    std::uint8_t m_sa_vc[T::max_ports], m_sa_column[T::max_ports];
    alignas(64) std::uint8_t m_credits[N];
    std::uint8_t m_owner[N];
    alignas(64) typename T::input m_in[N];
    std::uint32_t m_sent[N];
    std::uint64_t m_front[N];
};

/// For many routers. Memory ends with the last port that a router has. Of up to four VCs, in one line of the
/// cache is what a flit needs of the port it comes by, in the next one what it needs of the port it leaves
/// by.
template <int S, int N>
class fast_ports<S, N, true> : public fast_traits<S, N> {
    using T = fast_traits<S, N>;

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
        const std::uint32_t word = w.flit_at - w.inbox;
        out.flit_word = static_cast<std::uint8_t>(word <= 255 ? word : 0);  // else an odd_port
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

/// The end of a block of few routers. Dense networks have none of it: their memory ends before, so that more
/// routers lie in the caches.
template <int S, int N, bool InList>
struct alignas(64) fast_tables {
    /// What the places of wires say, by VC: instructions less, and lines of the cache more.
    std::uint64_t flit_bit[N], credit_bit[N];

    /// Round-robin arbiters of a crossbar, by input x and output: which was served last.
    struct switch_turns {
        std::uint8_t vc[N], column[N >> S], row[N];
    };

    /// @name Of full routers: see fast_shape
    /// @{
    switch_turns turns[2];  ///< of plain and of speculative requests
    std::uint8_t need[N];   ///< credits that the packet at the front must find
    std::uint8_t tails[N];  ///< in an input VC
    /// @}
};
template <int S, int N>
struct fast_tables<S, N, true> {};

/// What a cycle of a fast router begins with: one line of the cache, with up to 32 VCs.
template <int S, int N>
struct fast_sets {
    using set = typename fast_traits<S, N>::set;

    /// Input VCs whose single flit is known to leave, and the output VCs it leaves by.
    struct passage {
        set in = 0, out = 0;
    };

    std::uint32_t inbox;     ///< word in a plane
    std::uint32_t flits_at;  ///< word in a plane: flit that comes in by port 0
    set va, va_next;         ///< heads that bid for an output VC in the next cycle, and from the one after it
    set active, present;
    set starved;  ///< active, but their output VC has no credit
    set stocked;  ///< output VCs with credits
    set free;     ///< output VCs that no packet has
    /// Leave 1 and 2 cycles after `seen`: neither active nor in va. See fast_passage.
    passage soon, later;
    set behind;          ///< of them: a second flit has come
    std::uint32_t seen;  ///< the cycle that `soon` and `later` count from, modulo 2^32
    std::uint32_t odd;   ///< 0, or 1 + where the wires of its ports are: see odd_port

    /// Goes on to cycle `now`: what was to leave before it has left. Gives what leaves in it.
    passage leaving(std::uint32_t now) {
        const std::uint32_t cycles = now - seen;
        seen = now;
        if ((soon.in | later.in) == 0 || cycles == 0) return {};
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
        return present & ~((cycles == 1 ? 0 : soon.in) | (cycles <= 2 ? 0 : later.in));
    }
    void leave(const passage& gone) {
        present &= ~gone.in;
        free |= gone.out;
    }
};

/// What else there is, off the usual path.
template <int S, int N>
struct fast_rest {
    using set = typename fast_traits<S, N>::set;

    /// Flit k of input VC i at [k * fast_shape::row + i]: what is used at low load lies together, of all
    /// routers. The place of the front flit is unused.
    flit* buffer;
    const std::uint8_t* routes;
    set wired;     ///< output VCs that lead somewhere
    set draining;  ///< output VCs that no packet has, but whose flits are not all gone from where they lead
    std::uint32_t id;  ///< the network's number of it
    std::uint8_t depth_beyond[fast_traits<S, N>::max_ports];
};

/// The ports of a router in which some are unlike the others: its flits and credits take these wires, one by
/// one.
struct odd_port {
    wire flits, credits;
    wire_extras flits_extras, credits_extras;
};

/// The block of a *fast* router, one with the features that most runs have and no others (see fast/choice.h):
/// one word a set, 1 << S VCs a port (those beyond V stay unused), up to N in all. It is the same machine as
/// vc_block in less than half the instructions; tests hold the two against each other.
///
/// Its inbox has a bit per input VC with a flit, not one a port.
template <int Shift, int Most, bool InList>
struct alignas(64) fast_block : fast_sets<Shift, Most>,
                                fast_rest<Shift, Most>,
                                fast_ports<Shift, Most, InList>,
                                fast_tables<Shift, Most, InList> {
    static constexpr int S = Shift, N = Most;
    static constexpr bool in_list = InList;
    static constexpr std::uint32_t vc_mask = fast_traits<S, N>::vc_mask;
    static constexpr std::uint32_t max_ports = fast_traits<S, N>::max_ports;
    /// Words of an inbox. Up to 32 VCs: arrivals in the upper half of one, credits in the lower.
    static constexpr std::uint32_t inbox_sets = N > 32 ? 2 : 1;
    static constexpr std::uint32_t arrivals_at = N > 32 ? 0 : 32;
    using set = typename fast_traits<S, N>::set;
    using input = typename fast_traits<S, N>::input;
    using sets = fast_sets<S, N>;
    using ports_of_all = fast_ports<S, N, InList>;
    using tables = fast_tables<S, N, InList>;

    /// There are credits for these output VCs: what has them may go on.
    /// `unowned`: output VCs that no packet has.
    void feed(set credits, set unowned) {
        for (set fed = credits & ~this->stocked & ~unowned; fed != 0; fed &= fed - 1)
            this->starved &= ~(set{1} << this->owner(lowest(fed)));
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
    static std::uint32_t early(const sets& s, std::uint32_t o) {
        return (s.soon.out | s.later.out) >> o & 1;  // counted, but has not left
    }
    std::uint32_t sent_by(const sets& s, std::uint32_t o) const { return this->sent(o) - early(s, o); }
    std::uint32_t flits_sent(const sets& s) const {
        std::uint32_t sum = 0;
        for (set rest = this->wired; rest != 0; rest &= rest - 1) sum += this->sent(lowest(rest));
        return sum - static_cast<std::uint32_t>(__builtin_popcountll(s.soon.out | s.later.out));
    }
    std::uint8_t count_at(const sets& s, std::uint32_t i) const {
        return !InList || (s.present >> i & 1) != 0 ? this->in(i).count : 0;
    }
    in_vc in_at(const sets& s, std::uint32_t i) const {
        const input& from = this->in(i);
        in_vc c;
        c.packet = flit::from_word(this->front(i)).packet;
        c.head = from.head;
        c.count = count_at(s, i);
        c.out = from.out;
        c.out_vc = static_cast<std::uint8_t>(from.out & vc_mask);
        if (from.want == 0) return c;
        c.out_port = static_cast<std::uint8_t>(lowest(from.want) >> S);
        c.vcs = static_cast<std::uint16_t>(from.want >> (c.out_port << S));
        return c;
    }
    out_vc out_at(const sets& s, std::uint32_t o) const {
        const bool owned =
            ((s.free | s.later.out | ~this->wired | this->draining) >> o & 1) == 0;  // later: VA is to come
        const credit_account* account = this->account_beyond(o);
        const std::uint32_t back = account == nullptr ? 0 : account->back_by(s.seen);
        return {sent_by(s, o), static_cast<std::uint16_t>(this->credits(o) + early(s, o) + back),
                owned ? std::uint16_t{this->owner(o)} : out_vc::no_owner};
    }
    /// @}
};

}  // namespace sare
