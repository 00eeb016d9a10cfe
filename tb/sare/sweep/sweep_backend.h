// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

namespace sare::cli {

/// Runs the points of a sweep: on this machine (sweep_schedule), or as jobs of a cluster (cluster_backend).
class sweep_backend {
  public:
    virtual ~sweep_backend() = default;
    /// Runs until all is done (on a cluster with cluster_options::detach: submitted) or a stop is requested.
    /// `on_progress` is called about once a second, or more often.
    virtual void run(const std::function<void()>& on_progress) = 0;
    /// Returns what goes on at present, in a few words: "3 running".
    virtual std::string activity() const = 0;
    virtual double fraction() const = 0;  ///< share of the work of this call, in [0, 1]
};

}  // namespace sare::cli
