// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// A workload whose parts in several processes must know a sum of all at once: what is under way in the whole
/// network, say.
class agreeing_workload {
  public:
    virtual ~agreeing_workload() = default;
    /// There may be such a cycle.
    virtual bool agrees() const = 0;
    /// All name the same cycle: agree() comes at the end of it, or of the next one with work; never: of none.
    virtual cycle_t next_agreement() const = 0;
    /// After it next_agreement() is later. `most`: messages that end at a node in a cycle, at most.
    virtual void agree(world& all, std::uint32_t most) = 0;
};

inline bool agrees(const workload& w) {
    const auto* const its = dynamic_cast<const agreeing_workload*>(&w);
    return its != nullptr && its->agrees();
}
inline cycle_t next_agreement_of(const workload& w) {
    const auto* const its = dynamic_cast<const agreeing_workload*>(&w);
    return its == nullptr ? workload::never : its->next_agreement();
}

}  // namespace sare
