// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/bit_errors.h"
#include "tlm/fabric/hazards/failure_state.h"

#include <memory>

namespace sare {

/// Failures and bit errors of a network. network_state owns it; its pointer is null in a network with
/// neither.
struct hazards {
    std::unique_ptr<failure_state> failures;  ///< null: nothing fails
    std::unique_ptr<bit_errors> errors;       ///< null: links have no bit errors

    /// Checks that the network allows these hazards; call when all is wired. Throws config::error if
    /// routers have different clocks or power gates; with failures also for foreign blocks, and for kinds of
    /// routers that cannot go on after a failure (router_bank::survives_failures()).
    void check(const network_state& net) const;
    /// Carries out what is due before cycle `t`: failures, drops, a new routing function.
    void fail(cycle_t t) const {
        if (failures && failures->is_due(t)) failures->run(t);
    }
    /// Draws bit errors for the flits that come to the ends of their links in cycle `t`, and marks the
    /// packets that are hit as bad (bit_errors::run()).
    void hit(cycle_t t) const {
        if (errors) errors->run(t);
    }
    /// Returns the first cycle after `t` for which fail() has something to do; workload::never: none.
    cycle_t next(cycle_t t) const { return failures ? failures->next(t) : workload::never; }
    /// True while NICs may begin no packet, since the network is emptied after a failure; see
    /// failure_state::empties().
    bool empties() const { return failures && failures->empties(); }
};

/// Returns network_state::hazards; the first call makes this object, with neither failures nor bit errors.
hazards& hazards_of(network_state& net);

}  // namespace sare
