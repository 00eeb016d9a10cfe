// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_backend.h"
#include "tb/sare/sweep/sweep_failures.h"
#include "tb/sare/sweep/sweep_group.h"
#include "tb/sare/sweep/sweep_points.h"

namespace sare::cli {

/// Runs the points of a sweep on this machine, with at most `jobs` processes at work.
class sweep_schedule : public sweep_backend {
  public:
    /// `jobs`: largest number of processes at work; `points` must outlive this object.
    sweep_schedule(sweep_points& points, std::size_t jobs, sweep_failures failures = sweep_failures());
    ~sweep_schedule() override;

    void run(const std::function<void()>& on_progress) override;
    std::string activity() const override;
    double fraction() const override;

  private:
    enum class life { none, elaborating, ready, over };  ///< stages of a group's process; none: not started
    /// State of a group of points.
    struct group_state {
        life now = life::none;
        sweep_group process;
        std::string reason;  ///< error that ended the group; "": none
    };

    void dispatch();
    bool dispatch_one();
    std::size_t in_group(std::size_t group, point_state s) const;
    void listen();
    void take_messages();
    void handle(const sweep_message& m);
    void reap_groups();
    void kill_groups();
    void close_finished_groups();
    std::size_t running() const { return m_points.count(point_state::running); }
    std::size_t busy() const;
    std::size_t alive() const;

    const sweep_plan& m_plan;
    sweep_points& m_points;
    std::size_t m_jobs;
    std::vector<group_state> m_groups;
    sweep_failures m_failures;
    int m_answers = -1;            ///< file descriptor from which messages of groups are read
    double* m_progress = nullptr;  ///< fraction done (negative: unknown), by point, in shared memory
    sweep_shared m_shared;
};

}  // namespace sare::cli
