// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// A workload whose parts in several processes must, in some cycles, add up a number over all processes: the
/// messages under way in the whole network, for instance.
class synchronized_workload {
  public:
    virtual ~synchronized_workload() = default;
    /// True if agree() may have to be called in this run.
    virtual bool agrees() const = 0;
    /// Cycle after which agree() must be called: at the end of that cycle, or of the next one with work.
    /// workload::never: no call is needed. All processes must return the same cycle.
    virtual cycle_t next_agreement() const = 0;
    /// Adds up over all processes, each of which calls it in the same cycle; next_agreement() is a later
    /// cycle afterwards. `most`: upper bound of the messages that can be delivered at one node in one cycle.
    virtual void agree(world& all, std::uint32_t most) = 0;
};

/// True if `w` is a synchronized_workload whose agrees() is true.
inline bool agrees(const workload& w) {
    const auto* const its = dynamic_cast<const synchronized_workload*>(&w);
    return its != nullptr && its->agrees();
}
/// Returns next_agreement() of `w`; workload::never if it is no synchronized_workload.
inline cycle_t next_agreement_of(const workload& w) {
    const auto* const its = dynamic_cast<const synchronized_workload*>(&w);
    return its == nullptr ? workload::never : its->next_agreement();
}

}  // namespace sare
