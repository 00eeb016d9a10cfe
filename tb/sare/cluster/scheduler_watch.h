// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/scheduler.h"

#include <optional>
#include <set>

namespace sare::cli {

/// Asks a scheduler about arrays of jobs, again and again. Warns once when the scheduler stops answering, and
/// once about each job that is held; cancels jobs that could not be started, which would wait for ever.
/// Throws no scheduler_error.
class scheduler_watch {
  public:
    /// `scheduler` must outlive this object.
    explicit scheduler_watch(batch_scheduler& scheduler) : m_scheduler(scheduler) {}

    /// Returns the reports of all arrays named, by name; an array that the scheduler does not list has a
    /// report without jobs. Returns nothing if the scheduler does not answer.
    std::optional<std::map<std::string, array_report>> look(const std::vector<std::string>& arrays);
    /// Returns true if the scheduler answered the last look(), and before the first one.
    bool answers() const { return m_answers; }
    /// Cancels jobs, by their ids. An error is ignored: a job that cannot be cancelled runs in vain.
    void cancel(const std::vector<std::string>& ids);

  private:
    void warn_of_held(const std::map<std::string, array_report>& arrays);
    void cancel_stillborn(const std::map<std::string, array_report>& arrays);

    batch_scheduler& m_scheduler;
    std::set<std::string> m_held;  ///< ids of the jobs that were held last time
    bool m_answers = true;         ///< result of answers()
};

}  // namespace sare::cli
