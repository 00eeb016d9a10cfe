// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

namespace sare::cli {

/// Interface that runs the points of a sweep: on this machine (sweep_schedule), or as jobs of a cluster
/// (cluster_backend).
class sweep_backend {
  public:
    virtual ~sweep_backend() = default;
    /// Runs points until all are done (on a cluster with cluster_options::detach: submitted) or a stop is
    /// requested. `on_progress` is called about once a second, or more often.
    virtual void run(const std::function<void()>& on_progress) = 0;
    /// Returns a short text on the present work: "3 running".
    virtual std::string activity() const = 0;
    /// Returns the share of the work of this call that is done, in [0, 1].
    virtual double fraction() const = 0;
};

}  // namespace sare::cli
