// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// Interface of a workload in which the sender of a message may have to react when the network loses the
/// message (a retransmission, say). Where several processes run the network, only the process of the
/// message's destination hears of a loss. A run in several processes is therefore refused if it has such a
/// workload, and failures or bit errors.
class loss_awaiting_workload {
  public:
    virtual ~loss_awaiting_workload() = default;
    /// True if some sender of this workload reacts to losses.
    virtual bool awaits_losses() const = 0;
};

/// True if `w` is a loss_awaiting_workload whose awaits_losses() is true; false for any other workload.
inline bool awaits_losses(const workload& w) {
    const auto* const its = dynamic_cast<const loss_awaiting_workload*>(&w);
    return its != nullptr && its->awaits_losses();
}

}  // namespace sare
