// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

namespace sare::cli {

/// Where the points of a sweep run: on this machine (sweep_schedule), or as jobs of a cluster
/// (cluster_backend).
class sweep_backend {
  public:
    virtual ~sweep_backend() = default;
    /// Runs what waits until all is done or a stop is requested; `on_progress` is called about once a second
    /// at least.
    virtual void run(const std::function<void()>& on_progress) = 0;
    /// What goes on, in a few words: "3 running".
    virtual std::string activity() const = 0;
    virtual double fraction() const = 0;  ///< of the work of this call
};

}  // namespace sare::cli
