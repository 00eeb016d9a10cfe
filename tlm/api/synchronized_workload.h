// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// Interface of a workload whose parts in several processes must, in some cycles, add up a number over all
/// processes, such as the messages under way in the whole network.
class synchronized_workload {
  public:
    virtual ~synchronized_workload() = default;
    /// True if agree() may have to be called in this run; false: it is never called.
    virtual bool agrees() const = 0;
    /// Returns the cycle at whose end agree() must be called; if that cycle is skipped as idle, at the end of
    /// the next one that is run. workload::never: no call is needed. All processes must return the same
    /// cycle.
    virtual cycle_t next_agreement() const = 0;
    /// Adds up the number over all processes, each of which calls this in the same cycle. Afterwards
    /// next_agreement() is a later cycle. `most`: upper bound of the messages that can be delivered at one
    /// node in one cycle.
    virtual void agree(world& all, std::uint32_t most) = 0;
};

/// True if `w` is a synchronized_workload whose agrees() is true; false for any other workload.
inline bool agrees(const workload& w) {
    const auto* const its = dynamic_cast<const synchronized_workload*>(&w);
    return its != nullptr && its->agrees();
}
/// Returns w.next_agreement(); workload::never if `w` is no synchronized_workload.
inline cycle_t next_agreement_of(const workload& w) {
    const auto* const its = dynamic_cast<const synchronized_workload*>(&w);
    return its == nullptr ? workload::never : its->next_agreement();
}

}  // namespace sare
