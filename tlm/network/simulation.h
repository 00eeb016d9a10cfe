// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/network/foreign.h"
#include "tlm/routing/deadlock/deadlock.h"
#include "tlm/state/checkpoint.h"
#include "tlm/stats/results.h"

#include <csignal>
#include <functional>
#include <memory>

namespace sare {

class network_view;
class go_back_n;
class topology;
class network_engine;
class router_plan;
class routing_function;
class workload;
class world;

/// How far a run is, for a progress display.
struct progress {
    std::uint64_t cycle = 0;
    double done = 0;         ///< fraction in [0, 1]; negative where it cannot be known
    const char* phase = "";  ///< warm-up, converging, measuring, running
};

/// When the state of a run is written.
struct checkpoint_rule {
    std::uint64_t cycles = 0;  ///< at multiples of these; 0: not by cycles
    double seconds = 0;        ///< and so long after the last one; 0: not by time
};

/// What a run listens to from outside.
struct run_control {
    std::function<void(const progress&)> on_progress;  ///< called a few times a second at the most
    const volatile std::sig_atomic_t* stop = nullptr;  ///< becomes non-zero: end now, with partial results
    std::string folder{};                              ///< see host_services
    std::function<void(const std::string&)> warn = [](const std::string&) {};
    std::function<void(const std::string&)> show = [](const std::string&) {};
    /// Writes the state of the run before cycle `cycle`; null: it is never written. Also called when the run
    /// is stopped.
    std::function<void(cycle_t cycle, const state_function& state)> keep{};
    checkpoint_rule checkpoints{};
    /// Goes on from there: of the same experiment.
    checkpoint* resume = nullptr;
    /// The simulation outlives its result, whose figures of places need not be kept then.
    bool outlives_result = false;
};

/// An elaborated network, or the contention-free model of one, that runs an experiment once. SystemC holds
/// one simulation per process: make one of these per process; to run several experiments on one elaboration,
/// fork before run().
class simulation {
  public:
    /// Builds topology, routing function and all modules; `maker` is asked for every router. Throws
    /// config::error where they do not fit together.
    /// `processes`: see network; the results are those of rank 0.
    explicit simulation(const experiment& e, const foreign_maker& maker = foreign_maker(),
                        world* processes = nullptr);
    ~simulation();

    const topology& map() const;
    /// @name Only with fidelity::flit: std::logic_error otherwise
    /// @{
    const routing_function& routing() const;
    const router_plan& plan() const;
    /// @}
    /// The workload of the constructor's experiment, not started.
    workload& traffic();
    /// The static check by channel dependency graph, for this routing function on this network: made once.
    /// `most_calls`: as in deadlock_question.
    const deadlock_report& check_deadlock(std::uint64_t most_calls = deadlock_question().most_calls);
    /// Throws config::error if `traffic` makes packets that no buffer can hold where one must.
    void check_lengths(const experiment& e, const workload& traffic) const;
    /// Elaborates (SystemC's end of elaboration); run() does it if it has not been done.
    void elaborate();
    /// Runs `e`, whose structure() must be that of the constructor's. Once per process.
    run_result run(const experiment& e, const run_control& control = {});

  private:
    workload& traffic_of(const experiment& e);
    network_engine& engine();
    std::vector<std::shared_ptr<run_observer>> observe(const experiment& e, workload& traffic);
    std::unique_ptr<go_back_n> make_reliable(const experiment& e, workload& traffic) const;
    void report_losses(run_result& out) const;
    void report_remote_links(run_result& out) const;
    void report_network(const experiment& e, const network_view& net, run_result& out) const;
    void take_statistics(const experiment& e);
    void report_figures(run_result& out) const;
    void report_full_links(workload& traffic, run_result& out) const;
    void report_congestion(const experiment& e, run_result& out) const;
    std::string warn_of_threads(const experiment& e, const run_control& control,
                                const std::string& told) const;
    void check_before_run(const experiment& e, run_result& out);
    static void check_writable(const experiment& e, workload& traffic);
    struct parts;
    std::unique_ptr<parts> m_parts;
};

}  // namespace sare
