// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/scheduler.h"
#include "tb/sare/cluster/scheduler_watch.h"
#include "tb/sare/cluster/submission.h"
#include "tb/sare/sweep/sweep_backend.h"
#include "tb/sare/sweep/sweep_failures.h"
#include "tb/sare/sweep/sweep_points.h"

#include <optional>

namespace sare::cli {

/// Options of a sweep on a cluster.
struct cluster_options {
    std::string scheduler;  ///< name of the batch system, of scheduler_names()
    job_options jobs;       ///< options of the jobs
    /// Largest number of points of a job; 0: the number that makes at most 200 jobs.
    std::size_t points_per_job = 0;
    double poll = 10;     ///< largest number of seconds between two questions to the scheduler
    bool detach = false;  ///< true: submits and returns, without waiting for the jobs
};

/// Runs the points of a sweep as jobs of a cluster. The jobs write results into the sweep's directory; this
/// backend looks there, asks the scheduler for the jobs, and submits points again that were lost with their
/// job. Its state is only in the directory and with the scheduler, so that it may be killed at any time.
class cluster_backend : public sweep_backend {
  public:
    /// `source`: experiment and axes, for the jobs; `points` must outlive this object; `tell` is called with
    /// a line of text for each event.
    cluster_backend(sweep_source source, sweep_points& points, std::unique_ptr<batch_scheduler> scheduler,
                    cluster_options options, std::function<void(const std::string&)> tell);

    void run(const std::function<void()>& on_progress) override;
    std::string activity() const override;
    double fraction() const override { return m_points.fraction(0); }

  private:
    /// A job of an array.
    struct job {
        std::vector<std::size_t> points;  ///< numbers of its points
        job_report report;                ///< last report of the scheduler
        std::size_t done_before = 0;  ///< number of points with a result when the job was submitted or found
        /// Number of questions in a row to which the scheduler has not listed it.
        int unseen = 0;
        bool over = false, cancelled = false;  ///< true: settle() was called; this backend has cancelled it

        void see(const job_report* found);
    };
    /// An array of jobs that was submitted, by this or an earlier process.
    struct array {
        submission what;        ///< its files
        std::vector<job> jobs;  ///< its jobs, by number
        bool was_seen = false;  ///< true: the scheduler has listed a job of it
    };

    void adopt();
    void look();
    bool ask();
    void take_results();
    void settle_jobs(bool answered);
    bool any_unsure() const;
    void settle(array& a, std::size_t number);
    void cancel_past();
    void close_arrays();
    std::vector<std::vector<std::size_t>> chunks() const;
    void submit_waiting();
    bool submit(std::vector<std::vector<std::size_t>> jobs);
    void cancel_all();
    void finish();
    std::size_t jobs_open() const;
    std::vector<std::string> names() const;
    std::size_t done(const std::vector<std::size_t>& points) const;

    sweep_source m_source;
    sweep_points& m_points;
    cluster_options m_options;
    std::function<void(const std::string&)> m_tell;
    std::unique_ptr<batch_scheduler> m_scheduler;
    scheduler_watch m_watch;
    std::vector<array> m_arrays;
    std::vector<int> m_attempts;  ///< number of failed attempts of each point, by its number
    double m_submit_again = 0;  ///< time, in seconds since the start, until which nothing is submitted again
                                ///< after a refusal
    std::string m_refused;      ///< text of the last refusal
    int m_refusals = 0;         ///< number of refusals in a row
    bool m_submitted = false;   ///< true: this call has submitted something
    sweep_failures m_failures;
    std::size_t m_changes = 0;  ///< number of results taken in since sweep.csv was written
};

}  // namespace sare::cli
