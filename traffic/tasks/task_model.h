// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/pool.h"
#include "traffic/tasks/needs.h"
#include "traffic/tasks/scheduler.h"
#include "traffic/tasks/worker.h"

#include <array>
#include <functional>
#include <queue>

namespace sare::traffic {

/// Parameters of the workload `task_model`; names are those of its publication.
struct task_model_parameters {
    /// Law of the trees of jobs: a name or a section of tree_registry.
    config::value tree = config::value::scalar("deterministic");
    /// Bytes of messages: s_s, mean of messages that give a subtask to another node; s_r, mean of messages
    /// with the result of a subtask; eps, each message to or from the scheduler.
    std::uint64_t s_s = 20000, s_r = 40000, eps = 40;
    /// Mean seconds of computation of each task: t_i to initialise it, t_a to aggregate the results of its
    /// subtasks.
    double t_i = 10e-6, t_a = 10e-6;
    /// Laws (make_gaps()) whose shapes s_s, s_r, t_i and t_a of each task have, with these as means; "fixed":
    /// always the mean.
    config::value s_s_law = config::value::scalar("fixed"), s_r_law = s_s_law, t_i_law = s_s_law,
                  t_a_law = s_s_law;
    double beta = 100;         ///< mean number of jobs that arrive per second; times between arrivals are
                               ///< exponential
    std::uint64_t jobs = 100;  ///< number of jobs of a run, at least 1
    /// Bandwidth of a node in bits per second, used only to calculate two results, rho_c and the utilisation
    /// of the network; 0: one full flit per cycle.
    double bandwidth = 0;
};

/// The workload `task_model`: jobs arrive at a scheduler and spread over workers as trees of tasks.
class task_model final : public workload, private task_site {
  public:
    /// `at`: place of the section of the workload. Throws config::error there if the network has fewer than 2
    /// nodes, and at a law of trees or needs that is wrong.
    task_model(const task_model_parameters& p, const config::location& at, const workload_context& c);

    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    bool finished() const override;
    void use(const host_services& host) override { m_warn = host.warn; }
    void measured_to(cycle_t) override { warn_of_overlap(); }
    bool runs_to_completion() const override { return true; }
    double progress() const override;
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    standstill stuck() const override;

  private:
    /// A job that has arrived at the scheduler.
    struct job_record {
        std::shared_ptr<const job_tree> tree;  ///< its tree; null once the job is complete
        /// Needs of each vertex; empty if all vertices have the means, or the job is complete.
        std::vector<task_needs> needs;
        double work_s = 0;  ///< seconds of computation of all its tasks together
        /// Largest possible speed-up: work_s divided by the seconds of computation on the longest path of its
        /// tree; 0 if that path takes no time. Where needs are not drawn: vertices divided by depth.
        double bound = 0;
        /// Results of the functions of job_tree with these names.
        std::uint32_t vertices = 0, leaves = 0, delegating = 0, depth = 0;
        /// Cycles in which the job arrived at the scheduler, was given to a worker, and was complete; the
        /// last two are 0 until then.
        cycle_t arrived = 0, started = 0, completed = 0;
    };
    /// The end of a node's computation.
    struct timer {
        cycle_t when;
        std::uint32_t node;
        bool operator>(const timer& o) const { return when != o.when ? when > o.when : node > o.node; }
    };
    /// Use of a node's time, and the cycle since which it holds.
    struct activity {
        node_use is = node_use::idle;
        cycle_t since = 0;
    };
    /// Needs of a job, as a mean over the jobs that have arrived: number of tasks, seconds of computation
    /// (F_x) and bits of messages (F_c). Calculated from the trees and the means of the laws, not measured;
    /// formulas: docs/kernels.md.
    struct footprint {
        double vertices = 0, execution_s = 0, communication_bits = 0;
    };

    void send(std::uint32_t to, note n) override;
    const job_tree& tree(std::uint32_t job) const override { return *m_jobs[job].tree; }
    void job_started(std::uint32_t job) override { m_jobs[job].started = m_port->now(); }
    void job_completed(std::uint32_t job) override;
    void initialise(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) override {
        compute(node, needs(job, vertex).t_i);
    }
    void aggregate(std::uint32_t node, std::uint32_t job, std::uint32_t vertex) override {
        compute(node, needs(job, vertex).t_a);
        ++m_tasks;
    }
    void use(std::uint32_t node, node_use what) override;

    const task_needs& needs(std::uint32_t job, std::uint32_t vertex) const {
        return m_jobs[job].needs.empty() ? m_means : m_jobs[job].needs[vertex];
    }
    std::uint64_t bytes_of(const note& n) const;
    void compute(std::uint32_t node, double seconds);
    void run_ready();
    void draw_arrival();
    void arrive();
    void draw_needs(job_record& job);

    footprint mean_footprint() const;
    double speedup(const job_record& job) const;
    void warn_of_overlap() const;
    double node_bandwidth() const;
    void add_job_times(config::value& out) const;
    void add_use(config::value& out) const;

    task_model_parameters m;
    std::unique_ptr<tree_law> m_law;
    task_needs m_means;
    needs_law m_needs;
    traffic_port* m_port = nullptr;
    std::function<void(const std::string&)> m_warn;
    rng m_arrivals, m_trees, m_draws;
    double m_fraction = 0;  ///< part of a cycle, 0 to 1, by which the last arrival was later than its cycle
    cycle_t m_next_arrival = never, m_last = 0;
    scheduler m_scheduler;
    std::vector<worker> m_workers;  ///< worker of each node; the worker of the scheduler's node is not used
    std::vector<activity> m_activity;
    /// Cycles that all nodes together spent in each node_use, up to the last change of each node.
    std::array<cycle_t, node_uses> m_used{};
    std::vector<job_record> m_jobs;
    std::uint64_t m_completed = 0;   ///< number of jobs that are complete
    std::uint64_t m_tasks = 0;       ///< number of tasks whose aggregation has begun
    std::uint64_t m_sent_bytes = 0;  ///< bytes of all messages sent
    std::priority_queue<timer, std::vector<timer>, std::greater<>> m_timers;
    std::vector<std::uint32_t> m_ready;  ///< nodes whose computation takes no cycle, and is to end as soon as
                                         ///< the present call allows
    pool<note> m_notes;                  ///< messages under way; the tag of a network message is the index
    generated_counts m_generated;
};

}  // namespace sare::traffic
