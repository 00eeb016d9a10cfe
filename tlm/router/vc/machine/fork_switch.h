// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/departure.h"
#include "tlm/router/vc/machine/fork_allocation.h"

namespace sare {

/// SA and ST (switch allocation and traversal) of routers in which packets fork, in the wide layout. `N`:
/// most VC numbers of a router's ports together (Most of vc_block). The members of vc_sets::active and `busy`
/// are output VCs here, one for each branch. A crossbar input carries one flit a cycle, to any number of
/// outputs. Branches of a packet may be at different flits of the packet; a flit gives its place in the
/// buffer back when the last branch has taken it.
template <int N>
class fork_switch : public vc_departures<0, N, true, vc_features::forking> {
    using base = vc_departures<0, N, true, vc_features::forking>;
    using base::m_b;
    using base::m_c;
    using base::port_of;
    using base::rules;
    using base::shape;
    using typename base::block;
    using typename base::index;
    using typename base::input;
    using typename base::left_behind;
    using typename base::number_type;
    using typename base::set;
    using stage = vc_stage<0, N, true, vc_features::forking>;

  public:
    SARE_INLINE fork_switch(const typename base::cycle& c, block& b) : base(c, b), m_branches(c, b) {}

    /// Allocates the crossbar, and sends a flit to each output VC that is won; with forks_at_once none for an
    /// input VC that has missed one of its outputs. Returns what is left to do for the flits that have left.
    left_behind allocate() const {
        problem p(*this);
        input_first_policy::run(p);
        left_behind gone;
        set served = {};
        for (std::uint32_t n = 0; n < p.count; ++n) {
            const index o = p.won[n], i = m_b.owner(o);
            if (rules().forks_at_once && p.missing[i] != 0) continue;
            send(i, o, gone);
            add_member(served, i);
        }
        for (const index i : members(served)) give_place_back(i, gone);
        return gone;
    }
    /// True if some input VC may bid for the crossbar once its links are free.
    bool any_ready() const {
        for (const index i : members(m_b.present))
            if (is_ready(i, &fork_switch::may_go)) return true;
        return false;
    }

  private:
    /// SA as a problem for input_first_policy (see any_problem): each input port picks an input VC; its
    /// branches that wait for the same flit bid for their output ports.
    struct problem {
        static constexpr int most = static_cast<int>(block::max_ports);
        static constexpr bool in_order = true;
        using columns = typename block::port_set;
        using number = number_type;
        struct match {
            index who, column;
        };
        const fork_switch& s;
        number_type won[most] = {};  ///< output VCs that have won, in the order of their grants
        std::uint32_t count = 0;     ///< number of output VCs in `won`
        set several = {};            ///< input VCs with several branches that leave at once
        /// Output ports for which an input VC in `several` asks; the lowest fork_rank() wins there.
        columns ranked = {};
        /// Number of outputs that the input VC asks for and has not won, by input VC.
        std::uint16_t missing[N];

        explicit problem(const fork_switch& of) : s(of) {}
        template <class F>
        void for_each_row(F&& f) {
            set rest = s.m_b.present, single = {};
            while (some(rest)) {
                const set port = s.with_port_of(lowest(rest), rest);
                rest &= ~port;
                set ready = {};
                for (const index i : members(port))
                    if (s.is_ready(i, &fork_switch::can_send)) add_member(ready, i);
                if (!some(ready)) continue;
                const index i = s.pick_after(ready, s.m_b.sa_vc(s.port_of(lowest(ready))));
                const index picked = some(ready & ~s.one(lowest(ready))) ? i : lowest(ready);
                missing[picked] = 0;
                for_each_request(picked, [&](index) { ++missing[picked]; });
                add_member(s.rules().forks_at_once && missing[picked] > 1 ? several : single, picked);
            }
            for (const set& rows : {several, single})
                for (const index i : members(rows)) for_each_request(i, [&](index o) { f(i, o); });
        }
        /// Calls f(o) for the output VCs o by which the next flit of input VC i can leave.
        template <class F>
        void for_each_request(index i, F&& f) const {
            const std::uint32_t next = s.next_flit(i);
            s.m_branches.for_each(i, [&](index o) {
                if (s.m_branches[o].taken == next && s.can_send(i, o)) f(o);
            });
        }
        match pick(index i, index o) {
            s.count_event(router_event::sa_bid, s.port_of(o));
            if (is_member(several, i)) add_member(ranked, s.port_of(o));
            return {i, s.port_of(o)};
        }
        bool beats(index y, index challenger, index holder) const {
            if (is_member(ranked, y)) return fork_rank<stage>(s, challenger) < fork_rank<stage>(s, holder);
            const index last = s.port_of(s.m_b.sa_column(y));
            return s.port_of(holder) <= last && s.port_of(challenger) > last;
        }
        void grant(index i, index y) {
            s.m_branches.for_each(i, [&](index o) {
                if (s.port_of(o) == y) won[count++] = static_cast<number_type>(o);
            });
            --missing[i];
        }
    };

    /// True if the branch with output VC o, of the packet in input VC i, has a flit to send and the credits
    /// for it.
    bool may_go(index i, index o) const {
        const vc_branch& b = m_branches[o];
        if (!is_member(m_b.active, o) || is_member(m_b.busy, o) || m_b.in(i).count <= b.taken) return false;
        return b.taken == 0 && flit::from_word(m_b.front(i)).is_head() ? this->has_credits(i, o)
                                                                       : is_member(m_b.stocked, o);
    }
    /// True if may_go(i, o) is true and the link of o can take a flit in this cycle.
    bool can_send(index i, index o) const {
        return may_go(i, o) && !(shape().slow_links && m_b.next_slot[port_of(o)] > m_c.now);
    }
    /// True if `test` is true for some branch of the packet in input VC i or, if branches leave at once, for
    /// all branches that the packet needs. The input VC must have a flit at the front.
    bool is_ready(index i, bool (fork_switch::*test)(index, index) const) const {
        const auto ready = [=](index o) { return (this->*test)(i, o); };
        if (rules().forks_at_once)
            return !some(m_b.in(i).want) && !m_branches.empty(i) && m_branches.all(i, ready);
        return !m_branches.all(i, [&](index o) { return !ready(o); });
    }
    /// Returns the number, counted from 0 at the front, of the first flit that some branch of input VC i can
    /// send; the depth of the buffer if there is none.
    std::uint32_t next_flit(index i) const {
        std::uint32_t next = m_c.depth;
        m_branches.for_each(i, [&](index o) {
            if (m_branches[o].taken < next && can_send(i, o)) next = m_branches[o].taken;
        });
        return next;
    }

    /// Sends the next flit of the branch with output VC o, of the packet in input VC i, and adds the effects
    /// to `gone`.
    void send(index i, index o, left_behind& gone) const {
        vc_branch& b = m_branches[o];
        flit f = flit_at(i, b.taken);
        if (f.is_head()) b.packet = begin_branch(i, o, f.packet);
        f.packet = b.packet;
        f.vc = static_cast<std::uint8_t>(this->vc_of(o));
        this->count_event(router_event::sa_grant, port_of(o));
        m_b.sa_column(port_of(o)) = static_cast<number_type>(i);
        m_b.sa_vc(port_of(i)) = static_cast<number_type>(i);
        ++m_b.sent(o);
        odd_ports<0, N, false>::put_flit(static_cast<const stage&>(*this), wires(o), o, f.as_word());
        if (falls_to_zero(m_b.credits(o))) remove_member(m_b.stocked, o);
        this->end_flit(o, f.is_tail());
        ++b.taken;
        if (!f.is_tail()) return;
        remove_member(m_b.active, o);
        add_member(this->has_atomic() ? m_b.draining : gone.freed, o);
        end_branch(i, o);
    }
    /// Returns the wires of the port of VC number i.
    const odd_port& wires(index i) const { return shape().odd[m_b.odd - 1 + port_of(i)]; }
    /// Returns flit n, counted from 0 at the front, of input VC i.
    flit flit_at(index i, std::uint32_t n) const {
        if (n == 0) return flit::from_word(m_b.front(i));
        return m_c.buffered(m_b, m_c.place_at(m_b.in(i), n), i);
    }

    /// Returns the slot of the packet as which the branch with output VC o goes on: a copy of packet `id` or,
    /// for the branch whose head is the last to leave, `id` itself. A branch that leads to a node gets this
    /// node as its destination.
    std::uint32_t begin_branch(index i, index o, std::uint32_t id) const {
        router_context& net = m_c.around.net;
        const port_peer to =
            net.map()->peer(router_id(m_b.id), port_id(static_cast<std::uint32_t>(port_of(o))));
        route_header way = net.packets()[id].route;
        if (to.what == port_peer::kind::node) way.destination = to.id;
        const bool last = !some(m_b.in(i).want) && m_branches.all(i, [this, o](index other) {
            return other == o || m_branches[other].taken != 0;
        });
        if (!last)
            return net
                .copy(router_id(m_b.id), port_id(static_cast<std::uint32_t>(port_of(i))), packet_id(id), way)
                .value;
        net.packets()[id].route = way;
        return id;
    }
    /// Ends the branch with output VC o, whose tail has left. If the flits in the buffer have the number of
    /// its packet, which can now be consumed, they get the number of another branch's packet.
    void end_branch(index i, index o) const {
        m_branches.remove(i, o);
        const vc_branch& b = m_branches[o];
        if (m_branches.empty(i) || flit_at(i, 0).packet != b.packet) return;
        const std::uint32_t other = m_branches[m_branches.last_added(i)].packet;
        for (std::uint32_t n = 0; n < b.taken; ++n) {
            flit f = flit_at(i, n);
            f.packet = other;
            if (n == 0)
                m_b.front(i) = f.as_word();
            else
                m_c.buffered(m_b, m_c.place_at(m_b.in(i), n), i) = f;
        }
    }
    /// Takes the front flit out of input VC i and sends its credit back, if all branches of the packet have
    /// sent the flit.
    void give_place_back(index i, left_behind& gone) const {
        const auto has_left = [this](index o) { return m_branches[o].taken != 0; };
        if (some(m_b.in(i).want) || !m_branches.all(i, has_left)) return;
        m_branches.for_each(i, [this](index o) { --m_branches[o].taken; });
        odd_ports<0, N, false>::put_credit(static_cast<const stage&>(*this), wires(i), i);
        this->advance(i, m_b.in(i), flit_at(i, 0).is_tail(), gone);
    }
    const fork_branches<N> m_branches;
};

}  // namespace sare
