// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/fetch_ahead.h"
#include "tlm/router/vc/machine/link_side.h"

#include <algorithm>
#include <cstring>

namespace sare {

/// Fetches data that the steps of a list of routers will use into the processor's cache, some routers ahead
/// of their turn: the sets and the inbox of a block first, then the ports at which flits come in and wait.
/// Where the routers exceed the caches (vc_cycle_base::fetches_all), it also fetches buffers, accounts of
/// credits, the ports by which flits leave and the inboxes that these lead to, and gives heads that carry no
/// route a route ahead of their turn. Elsewhere it takes longer to find out what is needed than to wait for
/// it. Nothing is fetched unless vc_cycle_base::prefetches is set. S and N: as in vc_block.
template <int S, int N>
class vc_prefetch {
    using block = vc_block<S, N, true>;
    /// Number of routers by which each kind of fetch is ahead: block and inbox; ports; output ports; routes
    /// of heads; inboxes and accounts at the other ends of links.
    static constexpr int far = static_cast<int>(prefetch_distance);
    static constexpr int ports = far * 3 / 4, outputs = far / 2, ways = far * 3 / 8, beyond = far / 4;

  public:
    /// Fetches for the first of the `count` routers in the list `routers` (numbers in the bank). Keeps a
    /// reference to `cycle`.
    SARE_INLINE vc_prefetch(const vc_cycle<S, N, false>& cycle, const std::uint32_t* routers,
                            std::size_t count)
        : m_c(cycle) {
        if (!cycle.prefetches) return;
        const int all = static_cast<int>(std::min<std::size_t>(count, far));
        for (int n = 0; n < all; ++n) fetch_block(routers[n]);
        if (!m_c.fetches_all) {
            for (int n = 0; n < std::min(all, ports); ++n) fetch_busy_ports(routers[n]);
            return;
        }
        for (int n = 0; n < std::min(all, ports); ++n) fetch_ports(routers[n]);
        m_asking <<= ports - std::min(all, ports);
        for (int n = 0; n < std::min(all, outputs); ++n) fetch_outputs(routers[n], asks(ports - 1 - n));
        for (int n = 0; n < std::min(all, ways); ++n)
            if (asks(ports - 1 - n)) find_ways(routers[n]);
        for (int n = 0; n < std::min(all, beyond); ++n) fetch_beyond(routers[n]);
    }
    /// Fetches for routers behind the router whose turn it is, routers[0]; prefetch_distance more elements
    /// must be readable behind it. Call it once for each router, and only if vc_cycle_base::prefetches is
    /// set.
    SARE_INLINE void advance(const std::uint32_t* routers) {
        fetch_block(routers[far]);
        if (!m_c.fetches_all) return fetch_busy_ports(routers[ports]);
        fetch_ports(routers[ports]);
        fetch_outputs(routers[outputs], asks(ports - outputs));
        if (asks(ports - ways)) find_ways(routers[ways]);
        fetch_beyond(routers[beyond]);
    }

  private:
    /// Fetches the sets and the inbox of router r of the bank.
    SARE_INLINE void fetch_block(std::uint32_t r) const {
        fetch_ahead(&m_c.block_of(r));
        fetch_ahead(m_c.inbox_of(r));
    }
    /// Returns the set of input VCs for which a flit is in the inbox of router r; credits() returns the set
    /// of output VCs for which a credit is.
    SARE_INLINE std::uint64_t arrived(std::uint32_t r) const {
        return *m_c.inbox_of(r) >> block::arrivals_at;
    }
    /// Returns the flit that has come for input VC i of router b.
    SARE_INLINE flit flit_at(const block& b, std::uint64_t i) const {
        return flit::from_word(m_c.here[b.flits_at + (i >> S)]);
    }
    SARE_INLINE std::uint64_t credits(std::uint32_t r) const {
        return static_cast<typename block::set>(m_c.inbox_of(r)[block::inbox_sets - 1]);
    }
    /// Returns the address of the account of credits for VC `vc` of output port `out` if the port leads to a
    /// router of the bank; if not, an address that may be fetched but not read. It is computed from the wire
    /// for flits, since vc_ports::beyond is in a cache line that most flits do not need.
    SARE_INLINE const credit_account* account_behind(const typename block::output_port& out,
                                                     std::uint64_t vc) const {
        const std::size_t k = std::size_t{out.flit_inbox - m_c.first_inbox} >> m_c.places.shift;
        const std::uint64_t port = (out.flit_place - block::arrivals_at) >> S & (block::max_ports - 1);
        return &m_c.block_of(k).at_port(port).in[vc].account;
    }
    /// Returns the set of input VCs of router r that will bid in SA: VCs with a flit in the buffer or the
    /// inbox, an output VC and credits.
    SARE_INLINE std::uint64_t ready(std::uint32_t r, const block& b) const {
        return b.active & (b.present | arrived(r)) & ~b.starved;
    }
    /// True if flit f is a head that carries a route for the router that reads it.
    SARE_INLINE bool knows_way(const flit& f) const {
        return !m_c.keyed && f.is_head() && packed_route<S, N>::is_known(f.as_word());
    }
    /// Returns the output port, of router b, of the route that head `f` carries.
    SARE_INLINE const auto& output_of(const block& b, const flit& f) const {
        return b.at_port(packed_route<S, N>::port(f.as_word())).out;
    }
    /// Returns `vcs` without its members of the lowest port that has a member.
    static SARE_INLINE std::uint64_t other_ports(std::uint64_t vcs) {
        constexpr std::uint64_t port_mask = (std::uint64_t{1} << (1 << S)) - 1;
        return vcs & ~(port_mask << (lowest(vcs) & ~std::uint64_t{block::vc_mask}));
    }

    /// True if a head without a route comes to the router for which fetch_ports() was called `behind` calls
    /// before its last call.
    SARE_INLINE bool asks(int behind) const { return (m_asking >> behind & 1) != 0; }

    /// Fetches the ports of router r at which flits come in or wait.
    SARE_INLINE void fetch_busy_ports(std::uint32_t r) const {
        block& b = m_c.block_of(r);
        for (std::uint64_t rest = arrived(r) | b.active | b.va; rest != 0; rest = other_ports(rest)) {
            fetch_ahead(&b.at_port(lowest(rest) >> S));
            fetch_ahead(&b.front(lowest(rest)));
        }
    }

    /// Fetches the ports that fetch_busy_ports() fetches, the output ports that credits come to, and data for
    /// finding the routes of heads that come in.
    SARE_INLINE void fetch_ports(std::uint32_t r) {
        m_asking <<= 1;
        block& b = m_c.block_of(r);
        const std::uint64_t flits = arrived(r), stay = ready(r, b) | b.va;
        for (std::uint64_t rest = flits | stay; rest != 0; rest = other_ports(rest))
            fetch_ahead(&b.at_port(lowest(rest) >> S));
        for (std::uint64_t rest = stay; rest != 0; rest = other_ports(rest))
            fetch_ahead(&b.front(lowest(rest)));
        for (std::uint64_t rest = credits(r); rest != 0; rest &= rest - 1) {
            fetch_ahead(&b.output_at(lowest(rest)));
            fetch_ahead(&b.beyond[lowest(rest) >> S]);
        }
        for (std::uint64_t rest = m_c.keyed ? 0 : flits; rest != 0; rest &= rest - 1) {
            const flit f = flit_at(b, lowest(rest));
            if (knows_way(f))
                fetch_ahead(&output_of(b, f));
            else if (f.is_head()) {
                m_asking |= 1;
                fetch_ahead(&m_c.packets[f.packet]);
                fetch_ahead(&b.id);
                fetch_ahead(b.credit_inbox);  // the head may have come from a node
            }
        }
    }

    /// Fetches the output ports and the places of buffers that flits of router r go to. `asking`: the answer
    /// of asks() for this router; if true, the routing function is told which packets it will be asked about.
    SARE_INLINE void fetch_outputs(std::uint32_t r, bool asking) const {
        block& b = m_c.block_of(r);
        for (std::uint64_t rest = asking ? arrived(r) : 0; rest != 0; rest &= rest - 1)
            if (const flit f = flit_at(b, lowest(rest)); f.is_head() && !knows_way(f))
                m_c.routing->expect(m_c.packets[f.packet].route);
        for (std::uint64_t rest = arrived(r) & b.staying(m_c.now); rest != 0; rest &= rest - 1) {
            const std::uint64_t i = lowest(rest);
            fetch_ahead(&m_c.buffered(r, m_c.place_at(b.in(i), b.in(i).count), i));
        }
        for (std::uint64_t rest = b.va; rest != 0; rest &= rest - 1)
            if (const std::uint64_t want = b.in(lowest(rest)).want; want != 0)
                fetch_ahead(&b.output_at(lowest(want)));
        for (std::uint64_t rest = ready(r, b); rest != 0; rest &= rest - 1) {
            const std::uint64_t i = lowest(rest);
            const auto& from = b.in(i);
            fetch_ahead(&b.output_at(from.out));
            if (from.count > 1) fetch_ahead(&m_c.buffered(r, m_c.place_at(from, 1), i));
        }
        for (std::uint64_t rest = credits(r); rest != 0; rest &= rest - 1)
            if (const credit_account* account = b.account_beyond(lowest(rest))) fetch_ahead(account);
    }
    /// Returns a mask with bit 8 v + 7 set for each VC v of the port that has one credit left, so that its
    /// next flit takes the last known credit.
    static SARE_INLINE std::uint64_t running_out(const typename block::output_port& out) {
        constexpr std::uint64_t ones = 0x0101010101010101 >> (64 - (8 << S));
        std::uint64_t credits = 0;
        std::memcpy(&credits, out.credits, sizeof out.credits);
        const std::uint64_t zero = credits ^ ones;  // bytes of VCs with one credit
        return (zero - ones) & ~zero & ones << 7;
    }

    /// Asks for the routes of heads that come to the front in router r and carry no route, and puts these
    /// routes into the heads, so that the step need not ask.
    SARE_INLINE void find_ways(std::uint32_t r) const {
        block& b = m_c.block_of(r);
        for (std::uint64_t rest = arrived(r) & ~b.staying(m_c.now); rest != 0; rest &= rest - 1) {
            const std::uint64_t i = lowest(rest);
            const flit f = flit_at(b, i);
            if (!f.is_head() || knows_way(f)) continue;
            std::uint64_t& word = m_c.here[b.flits_at + (i >> S)];
            head_route<S, N>(m_c, b).find(i, word);
            fetch_ahead(&output_of(b, flit::from_word(word)));
        }
    }

    /// Fetches the inboxes that flits of router r go to, and the accounts of output VCs with one credit left.
    SARE_INLINE void fetch_beyond(std::uint32_t r) const {
        block& b = m_c.block_of(r);
        for (std::uint64_t rest = ready(r, b); rest != 0; rest &= rest - 1) {
            const std::uint64_t o = b.in(lowest(rest)).out;
            const auto& out = b.output_at(o);
            fetch_ahead(m_c.flits + out.flit_inbox);
            if (b.credits(o) != 1) continue;
            fetch_ahead(account_behind(out, o & block::vc_mask));
            fetch_ahead(&b.beyond[o >> S]);
        }
        for (std::uint64_t rest = m_c.keyed ? 0 : arrived(r); rest != 0; rest &= rest - 1) {
            const flit f = flit_at(b, lowest(rest));
            if (knows_way(f)) {
                const auto& out = output_of(b, f);
                fetch_ahead(m_c.later_flits + out.flit_inbox);
                const std::uint64_t last = running_out(out);
                if (last == 0) continue;
                fetch_ahead(account_behind(out, lowest(last) / 8));
                fetch_ahead(&b.beyond[packed_route<S, N>::port(f.as_word())]);
            } else if (f.is_head())
                m_c.routing->expect(m_c.packets[f.packet].route);
        }
    }

    const vc_cycle<S, N, false>& m_c;
    std::uint64_t m_asking = 0;  ///< answers of asks(), by call of fetch_ports(); bit 0 is the last call
};

/// Fetches data that the steps of *dense* routers (scanned, with routes in the heads) will use into the
/// processor's cache, some routers ahead of their turn. The whole block is fetched, as most routers are busy.
/// Where the routers exceed the caches (vc_cycle_base::fetches_all), it also fetches the flits that come in,
/// the places where flits go and wait, and the packets of heads without a route. Nothing is fetched unless
/// vc_cycle_base::prefetches is set. S and N: as in vc_block.
template <int S, int N>
class vc_dense_prefetch {
    using block = vc_block<S, N, false>;
    using set = typename block::set;
    /// Number of routers by which each kind of fetch is ahead: blocks; flits that come in; places where flits
    /// go and wait; packets of heads without a route. A fetch comes before the fetches that read what it
    /// brings.
    static constexpr std::uint64_t blocks = 12, flits = 9, links = 6, ways = 3;

  public:
    /// Keeps a reference to `cycle`. Fetches nothing.
    SARE_INLINE explicit vc_dense_prefetch(const vc_cycle<S, N, true>& cycle)
        : m_c(cycle), m_last(cycle.around.shape.routers - 1) {}

    /// Fetches for routers behind router k of the bank, whose turn it is. Call it once for each router that
    /// runs, in order of their numbers; it does nothing unless vc_cycle_base::prefetches is set.
    SARE_INLINE void advance(std::uint64_t k) {
        if (!m_c.prefetches) return;
        fetch_block(k + blocks);  // past the last block it fetches nothing of use, and does no harm
        if (!m_c.fetches_all) return;
        fetch_ahead(flits_of(later(k, flits)));
        fetch_links(later(k, links));
        if ((m_asking & 1 << (links - ways)) != 0) expect_ways(later(k, ways));
        m_asking <<= 1;
    }

  private:
    /// Returns the number of the router that is `routers` routers behind router k, or of the last router of
    /// the bank.
    SARE_INLINE std::uint64_t later(std::uint64_t k, std::uint64_t routers) const {
        return std::min(k + routers, m_last);
    }
    /// Returns the set of input VCs for which a flit is in the inbox of router k.
    SARE_INLINE set arrived(std::uint64_t k) const {
        return static_cast<set>(*m_c.inbox_of(m_c.block_of(k)) >> block::arrivals_at);
    }
    /// Returns the array of the words of the flits that come to router k, by port.
    SARE_INLINE std::uint64_t* flits_of(std::uint64_t k) const { return m_c.here + m_c.block_of(k).flits_at; }
    /// True if the flit `word` is a head that carries no route.
    static SARE_INLINE bool asks(std::uint64_t word) {
        return flit::from_word(word).is_head() && !packed_route<S, N>::is_known(word);
    }

    /// Fetches the parts of the block of router k that a step uses.
    SARE_INLINE void fetch_block(std::uint64_t k) const {
        constexpr std::uint32_t line = 64;
        block& b = m_c.block_of(k);
        auto* const first = reinterpret_cast<const std::uint8_t*>(&b);
        auto* const vcs = reinterpret_cast<const std::uint8_t*>(&b.in(0));
        for (auto* at = first; at < vcs; at += line) fetch_ahead(at);
        for (std::uint64_t i = 0; i < m_c.in_vcs; i += line / sizeof(std::uint64_t)) {
            fetch_ahead(&b.in(i));
            fetch_ahead(&b.front(i));
        }
        for (std::uint64_t i = 0; i < m_c.in_vcs; i += line / sizeof(std::uint32_t)) fetch_ahead(&b.sent(i));
    }

    /// Fetches the places that flits of router k go to, and the packets of heads that come without a route.
    SARE_INLINE void fetch_links(std::uint64_t k) {
        block& b = m_c.block_of(k);
        for (set rest = b.active & b.present & ~b.starved; rest != 0; rest &= rest - 1) {
            const std::uint64_t i = lowest(rest);
            const auto& from = b.in(i);
            fetch_ahead(m_c.flits + b.flit_at[from.out >> S]);
            if (from.count > 1) fetch_ahead(&m_c.buffered(b, m_c.place_at(from, 1), i));
        }
        const set arrivals = arrived(k);
        for (set rest = arrivals & b.present; rest != 0; rest &= rest - 1) {
            const std::uint64_t i = lowest(rest);
            fetch_ahead(&m_c.buffered(b, m_c.place_at(b.in(i), b.in(i).count), i));
        }
        const std::uint64_t* const words = flits_of(k);
        for (set rest = arrivals & ~b.present; rest != 0; rest &= rest - 1) {
            const std::uint64_t word = words[lowest(rest) >> S];
            if (!asks(word)) continue;
            fetch_ahead(&m_c.around.packets[flit::from_word(word).packet]);
            m_asking |= 1;
        }
    }

    /// Tells the routing function which packets it will be asked about at router k.
    SARE_INLINE void expect_ways(std::uint64_t k) const {
        const std::uint64_t* const words = flits_of(k);
        for (set rest = arrived(k); rest != 0; rest &= rest - 1)
            if (const std::uint64_t word = words[lowest(rest) >> S]; asks(word))
                m_c.around.routing->expect(m_c.around.packets[flit::from_word(word).packet].route);
    }

    const vc_cycle<S, N, true>& m_c;
    const std::uint64_t m_last;  ///< number of the last router of the bank
    /// Bit n: to the router that fetch_links() was called for n advance() calls ago, a head without a route
    /// comes.
    std::uint32_t m_asking = 0;
};

}  // namespace sare
