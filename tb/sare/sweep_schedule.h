// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep_group.h"

#include <functional>

namespace sare::cli {

/// Runs the points of a sweep on at most `jobs` processes at work. Load curves run by ascending load and end
/// two points past saturation; with several processes a curve may run ahead, and what it ran too far is
/// dropped again, so that the result does not depend on the number of processes.
class sweep_schedule {
  public:
    sweep_schedule(const sweep_plan& plan, sweep_directory& directory, std::size_t jobs);
    ~sweep_schedule();

    /// Until all is done or a stop is requested; `on_progress` is called a few times a second.
    void run(const std::function<void()>& on_progress);

    std::size_t kept() const { return m_kept; }  ///< results found in the directory
    std::size_t finished() const;                ///< points with a result
    std::size_t running() const;
    std::size_t failed() const;
    std::size_t left() const;  ///< points that wait, those running included
    double fraction() const;   ///< of the work of this call

  private:
    enum class state { waiting, running, done, failed, past };
    enum class life { none, elaborating, ready, over };
    struct group_state {
        life now = life::none;
        sweep_group process;
    };

    void dispatch();
    bool dispatch_one();
    bool wanted(std::size_t point) const;
    std::size_t first_waiting(const std::vector<std::size_t>& curve) const;
    std::size_t in_group(std::size_t group, state s) const;
    void listen();
    void handle(const sweep_message& m);
    void reap_groups();
    void kill_groups();
    void close_finished_groups();
    void cut_curves();
    std::size_t busy() const;
    std::size_t alive() const;

    const sweep_plan& m_plan;
    sweep_directory& m_directory;
    std::size_t m_jobs, m_kept = 0;
    std::vector<state> m_points;
    std::vector<group_state> m_groups;
    int m_answers = -1;
    double* m_progress = nullptr;
    sweep_shared m_shared;
};

}  // namespace sare::cli
