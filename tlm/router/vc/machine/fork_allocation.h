// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/fork_branches.h"
#include "tlm/router/vc/machine/vc_allocation.h"

namespace sare {

/// VA of wide routers in which packets fork: a head bids at every output port of its route at which it has no
/// output VC yet. With forking_rule::synchronous it bids only if each of these ports has a free output VC for
/// it, and takes one of each port or none.
template <int N>
class fork_allocation : public vc_allocation<0, N, true, vc_features::forking> {
    using base = vc_allocation<0, N, true, vc_features::forking>;
    using base::m_b;
    using base::m_c;
    using base::rules;
    using typename base::index;
    using typename base::number_type;
    using typename base::set;
    using stage = vc_stage<0, N, true, vc_features::forking>;

  public:
    using base::base;

    /// Gives output VCs to heads in the input VCs `bidding`, and takes them out of vc_sets::free. Returns the
    /// output VCs given. `asked`: set to true if some head bid, else to false.
    set allocate(const set& bidding, bool& asked) const {
        problem p({*this, bidding, m_b.free, m_b.stocked});
        asked = some(input_first_policy::run(p));
        set given = {};
        for (const index o : members(p.offered))
            if (!rules().forks_at_once || p.missing[p.winner[o]] == 0) {
                take(p.winner[o], o);
                add_member(given, o);
            }
        m_b.free &= ~given;
        return given;
    }

  private:
    /// VA as a problem for input_first_policy (see any_problem): a row for each branch for which a head has
    /// no output VC yet.
    struct problem : base::round_robins {
        using set = typename base::set;
        using base::round_robins::s;
        const stage& router;  ///< member `s` as its base class, for access from outside of its class
        set several = {};     ///< input VCs whose heads take several output VCs at once
        /// Output VCs for which an input VC in `several` asks; the lowest fork_rank() wins there.
        set ranked = {};
        set offered = {};          ///< output VCs that have a winner
        number_type winner[N];     ///< number of the input VC that has won, by output VC in `offered`
        std::uint16_t missing[N];  ///< number of output VCs that the head still needs, by input VC that bids

        explicit problem(const typename base::round_robins& usual) : base::round_robins(usual), router(s) {}

        template <class F>
        void for_each_row(F&& f) {
            set single = {};
            for (const index i : members(this->bidding)) {
                missing[i] = 0;
                bool all = true;
                for_each_branch(i, [&](const set& open, index port) {
                    s.count_event(router_event::va_bid, port);
                    ++missing[i];
                    all = all && some(open);
                });
                const bool at_once = router.rules().forks_at_once;
                if (all || !at_once) add_member(at_once && missing[i] > 1 ? several : single, i);
            }
            for (const set& rows : {several, single})
                for (const index i : members(rows))
                    for_each_branch(i, [&](const set& open, index) {
                        if (some(open)) f(i, open);
                    });
        }
        typename base::match pick(index i, const set& open) {
            const auto its = base::round_robins::pick(i, open);
            if (is_member(several, i)) add_member(ranked, its.column);
            return its;
        }
        /// Calls f(open, port) for each output port that the head in input VC i asks for; `open`: output VCs
        /// of the port that the head may get.
        template <class F>
        void for_each_branch(index i, F&& f) const {
            set rest = router.m_b.in(i).want;
            while (some(rest)) {
                const set mine = s.with_port_of(lowest(rest), rest);
                rest &= ~mine;
                f(s.find_open_of(i, mine & this->free), s.port_of(lowest(mine)));
            }
        }
        bool beats(index o, index challenger, index holder) const {
            if (is_member(ranked, o)) return fork_rank(router, challenger) < fork_rank(router, holder);
            return base::round_robins::beats(o, challenger, holder);
        }
        void grant(index i, index o) {
            winner[o] = static_cast<number_type>(i);
            add_member(offered, o);
            --missing[i];
        }
    };

    /// Gives output VC o to the head in input VC i, which then asks for no other VC of the port of o.
    void take(index i, index o) const {
        this->count_event(router_event::va_grant, this->port_of(o));
        m_b.owner(o) = static_cast<number_type>(i);
        m_b.in(i).out = static_cast<number_type>(o);
        m_b.in(i).want &= ~this->with_port_of(o, m_b.in(i).want);
        fork_branches<N>(m_c, m_b).add(i, o);
    }
};

}  // namespace sare
