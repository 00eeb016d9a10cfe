// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/network_engine.h"
#include "tlm/network/experiment.h"
#include "tlm/network/run_control.h"
#include "tlm/stats/collector.h"
#include "tlm/stats/results.h"

#include <chrono>
#include <deque>

namespace sare {

/// The method of measurement (docs/results.md). A workload without end is measured in batches after warm-up
/// and convergence; a workload that runs to completion from the empty network to the end. Drives the engine
/// from one point of time to the next and reads the counters there.
class measurement {
  public:
    /// Sets its collector as the observer of `engine`. `engine`, `w` and `control` must outlive this object.
    measurement(network_engine& engine, workload& w, const measurement_params& params,
                const run_control& control);

    /// Runs the network by the method and fills `out`. Call once.
    void run(run_result& out);
    /// Returns the observer that counts packets, which the constructor has set as the observer of the engine.
    observer& statistics() { return m_collector; }
    /// Adds the optional statistics of the run, which are taken in the measured window. `asked` must outlive
    /// this object.
    void ask(statistic_set& asked) { m_collector.ask(asked); }
    /// Writes or reads the state of the whole run: network, workload, counts and progress of the method.
    void serialize(archive& a);

  private:
    using clock = std::chrono::steady_clock;

    enum class stage : std::uint8_t { warm_up, converging, measuring, running };
    /// Progress of the method: a checkpoint holds it, so that a run can resume anywhere.
    struct progress {
        stage is = stage::warm_up;
        cycle_t left = 0;     ///< cycles left of the warm-up
        std::uint32_t n = 0;  ///< number of intervals of the convergence so far; while measuring, of batches
        cycle_t length = 0;   ///< cycles of the next interval of a run to completion, or of each batch
        cycle_t end = 0;      ///< first cycle after the current interval; 0: no interval has begun
        /// Writes or reads the members one by one, as padding bytes between them would differ from run to
        /// run.
        template <class Archive>
        void serialize(Archive& a) {
            a(is, left, n, length, end);
        }
    };

    void run_steady(run_result& out);
    bool warm_up();
    cycle_t warm_up_step() const;
    cycle_t with_packets(cycle_t length) const;
    double done() const;
    bool converge(run_result& out);
    std::string why_stuck() const;
    cycle_t length_to_go(cycle_t length);
    void run_to_completion(run_result& out);
    /// Runs to the end of the next interval. Returns false if the run has to end; m_out then has its status.
    bool advance(cycle_t length);
    bool alive();
    bool stands_still() const;
    bool end_now(run_status status, const std::string& reason);
    bool converged() const;
    void note_series(const collector::interval& i);
    void thin_series();
    bool stop_wanted() const;
    cycle_t next_checkpoint() const;
    void keep_if_due();
    bool is_late() const;
    void keep();
    void adapt_attention(clock::duration took);
    void show();
    void pause_if_due();
    void agree();
    void judge_without_contention(run_result& out) const;
    void finish(run_result& out);

    network_engine& m_engine;
    workload& m_workload;
    const measurement_params m_params;
    const run_control& m_control;
    collector m_collector;
    run_result* m_out = nullptr;  ///< result that run() fills
    cycle_t m_now = 0;            ///< first cycle that has not been run
    progress m_progress;
    clock::time_point m_kept;                  ///< time of the last checkpoint
    std::deque<collector::interval> m_recent;  ///< the latest intervals, at most convergence_count
    std::uint32_t m_last_moves = 0;            ///< collector::moves() when it was last asked
    cycle_t m_moved_at = 0;                    ///< cycle in which m_last_moves was first seen
    cycle_t m_pause_at = 0;                    ///< next cycle to pause before; workload::never: no pause
    clock::time_point m_shown;                 ///< time of the last call of run_control::on_progress
    bool m_stopped = false;         ///< true: rank 0 was told to stop; used with several processes only
    cycle_t m_attention_span = 64;  ///< cycles between looks at the wall clock and at `stop`
    collector::interval m_last;     ///< latest interval or batch
    const char* m_phase = "";       ///< value of progress::phase, of run_control.h
};

}  // namespace sare
