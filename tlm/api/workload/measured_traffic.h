// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload/message.h"

#include <utility>
#include <vector>

namespace sare {

/// Verdict on the sources at the end of a run in a steady state.
struct judged_sources {
    using list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< pairs (node, message class)
    list growing;         ///< sources whose backlog grows without bound
    list doubtful;        ///< sources whose backlog may grow: the run was too short to tell
    bool settled = true;  ///< false: the run was too short to tell whether the network is steady
};

/// Functions by which a measurement asks a workload for its counts, and tells it of the measured window.
class measured_traffic {
  public:
    /// Returns the messages and flits generated from the start up to and including cycle `now`. `now` never
    /// goes back from call to call.
    virtual generated_counts generated(cycle_t now) = 0;
    /// Returns the messages and flits of a node and message class that the last call of generated() has
    /// counted and that have not been given to traffic_port::send() yet.
    virtual generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Called before cycle `now`, the first one of the measured window.
    virtual void measured_from(cycle_t now) { (void)now; }
    /// Called after the last cycle of the measured window; `now` is the cycle that follows it.
    virtual void measured_to(cycle_t now) { (void)now; }
    /// Called with the verdict on the sources at the end of a run in a steady state, before results().
    virtual void judged(const judged_sources& all) { (void)all; }

  protected:
    ~measured_traffic() = default;
};

}  // namespace sare
