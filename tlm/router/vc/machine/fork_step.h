// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/fork_switch.h"
#include "tlm/router/vc/machine/step.h"

namespace sare {

/// One cycle of a wide router in which packets fork: the same stages as in other routers, but VA and SA serve
/// each branch of a packet by itself.
template <int N>
class vc_step<0, N, true, vc_features::forking> : vc_stage<0, N, true, vc_features::forking> {
    using stage = vc_stage<0, N, true, vc_features::forking>;
    using stage::m_b;
    using stage::m_c;
    using stage::rules;
    using typename stage::set;

  public:
    using stage::stage;

    /// Runs the cycle: takes flits and credits out of `inbox`, then does VA and SA. Returns true if the
    /// router must run in the next cycle, even if nothing comes.
    bool run(std::uint64_t* inbox) {
        this->end_stages();
        this->begin_packets(vc_arrivals<0, N, true, vc_features::forking>(m_c, m_b).read(inbox), 0);
        bool again = some(m_b.va) && allocate_vcs();
        const fork_switch<N> crossbar(m_c, m_b);
        const auto gone = crossbar.allocate();
        m_b.free |= gone.freed;
        this->begin_packets(gone.released, 1);
        again = again || (some(gone.freed) && some(m_b.va));
        const auto& next = this->end_of_stage(1);
        return again || some(next.va | next.active | next.idle) || crossbar.any_ready();
    }

  private:
    /// Does VA of all heads that bid. Returns true if some head must bid again in the next cycle.
    bool allocate_vcs() const {
        bool asked = false;
        const set given = fork_allocation<N>(m_c, m_b).allocate(m_b.va, asked);
        if (!some(given)) return asked;
        for (const std::uint64_t o : members(given))
            if (!some(m_b.in(m_b.owner(o)).want)) remove_member(m_b.va, m_b.owner(o));
        (rules().va == 0 ? m_b.active : this->end_of_stage(rules().va).active) |= given;
        this->wake_after(rules().va);
        return some(m_b.va);
    }
};

}  // namespace sare
