// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// A workload in which a node that has sent a message does something when that is lost. Of several processes
/// the one of its destination alone is told.
class loss_awaiting_workload {
  public:
    virtual ~loss_awaiting_workload() = default;
    virtual bool awaits_losses() const = 0;
};

inline bool awaits_losses(const workload& w) {
    const auto* const its = dynamic_cast<const loss_awaiting_workload*>(&w);
    return its != nullptr && its->awaits_losses();
}

}  // namespace sare
