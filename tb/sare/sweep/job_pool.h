// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <functional>

namespace sare::cli {

/// Runs jobs in processes of their own, some at a time: SystemC allows one simulation in a process, and a
/// crash affects only its own job. Each process leads a process group, so that stopping it stops also the
/// compilers that it has started.
class job_pool {
  public:
    /// Function called in the child: does job `number`, from 0, and returns its result, or throws. It calls
    /// `progress` with the fraction of the job that is done, 0 to 1.
    using work = std::function<json(std::size_t number, const std::function<void(double)>& progress)>;
    /// Function called in the parent, in the order in which jobs end. `problem`: text of the exception, or of
    /// the child's death; "" if the job is done. With a problem `result` is null.
    using ended = std::function<void(std::size_t number, const json& result, const std::string& problem)>;

    /// `jobs`: number of jobs; `at_once`: largest number of children at a time, at least 1.
    job_pool(std::size_t jobs, std::size_t at_once) : m_jobs(jobs), m_at_once(at_once) {}

    /// Runs until all are done or stop_requested(); then kills the children that are left, which are not
    /// reported. Calls `on_wait`, unless it is empty, with the fraction of all work that is done, at least
    /// three times a second. Throws config::error if no process can be made.
    void run(const work& does, const ended& has_ended, const std::function<void(double)>& on_wait);

    /// Begins no more jobs; those already at work go on to their end.
    void begin_no_more() { m_closed = true; }

  private:
    /// A process at work on a job.
    struct child {
        std::size_t job;
        int process;       ///< its id, also that of its group
        int pipe;          ///< file descriptor from which its text is read
        std::string text;  ///< text read so far: '+' and the result as JSON, or '-' and the problem
    };
    void run_all(const work& does, const ended& has_ended, const std::function<void(double)>& on_wait);
    void end_children();
    void start(std::size_t job, const work& does);
    bool listen(child& c);
    void finish(child& c, const ended& has_ended);

    std::size_t m_jobs, m_at_once;
    std::vector<child> m_children;
    bool m_closed = false;
    double* m_progress = nullptr;  ///< fraction done, by job, in memory shared with the children
};

/// Does `work` in a process of its own, since SystemC allows one simulation, and returns its result. Throws
/// config::error with its text if it throws; ends this process if it was interrupted.
json in_process(const std::function<json()>& work);

}  // namespace sare::cli
