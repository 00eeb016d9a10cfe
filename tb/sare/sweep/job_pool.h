// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <functional>

namespace sare::cli {

/// Work in processes of its own, some at a time: SystemC holds one simulation a process, and a crash takes
/// nothing else along. Each is a process group: what is stopped takes along the compilers that it has
/// started.
class job_pool {
  public:
    /// In the child: does job `number` and gives its result; `progress` takes a fraction.
    using work = std::function<json(std::size_t number, const std::function<void(double)>& progress)>;
    /// In the parent, in the order in which jobs end. A child that died has `problem` instead of a result.
    using ended = std::function<void(std::size_t number, const json& result, const std::string& problem)>;

    job_pool(std::size_t jobs, std::size_t at_once) : m_jobs(jobs), m_at_once(at_once) {}

    /// Until all are done or stop_requested(). `on_wait` is called a few times a second with the fraction
    /// done.
    void run(const work& does, const ended& has_ended, const std::function<void(double)>& on_wait);

    /// Begins no more jobs; those at work end.
    void begin_no_more() { m_closed = true; }

  private:
    struct child {
        std::size_t job;
        int process, pipe;
        std::string text;
    };
    void start(std::size_t job, const work& does);
    bool listen(child& c);
    void finish(child& c, const ended& has_ended);

    std::size_t m_jobs, m_at_once;
    std::vector<child> m_children;
    bool m_closed = false;
    double* m_progress = nullptr;  ///< shared with the children, an element a job
};

}  // namespace sare::cli
