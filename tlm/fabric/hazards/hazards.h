// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/bit_errors.h"
#include "tlm/fabric/hazards/failure_state.h"

#include <memory>

namespace sare {

/// Failures and bit errors of a network; null in one that has neither.
struct hazards {
    std::unique_ptr<failure_state> failures;
    std::unique_ptr<bit_errors> errors;

    /// When all is wired: throws config::error where the network cannot go on.
    void check(const network_state& net) const;
    /// What fails before cycle `t`.
    void fail(cycle_t t) const {
        if (failures && failures->is_due(t)) failures->run(t);
    }
    /// Hits flits that are read in cycle `t`.
    void hit(cycle_t t) const {
        if (errors) errors->run(t);
    }
    cycle_t next(cycle_t t) const { return failures ? failures->next(t) : workload::never; }
    /// NICs begin no packet.
    bool empties() const { return failures && failures->empties(); }
};

/// The hazards of a network; made if there are none yet.
hazards& hazards_of(network_state& net);

}  // namespace sare
