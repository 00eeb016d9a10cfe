// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/network/foreign.h"
#include "tlm/network/run_control.h"
#include "tlm/routing/deadlock/deadlock.h"
#include "tlm/stats/results.h"

#include <memory>

namespace sare {

class fabric;
class foreign_block;
class network_view;
class go_back_n;
class network_collectives;
class topology;
class network_engine;
class router_plan;
class routing_function;
class workload;
class world;

/// An elaborated network, or its model without routers, that runs one experiment. SystemC allows one
/// simulation in a process: make one object per process; to run several experiments on one elaboration, fork
/// before run().
class simulation {
  public:
    /// Builds topology and workload; with fidelity::flit also routing function and modules, calling `maker`
    /// for each router, and each NIC of this process (null result: the model's own block). `processes`:
    /// processes that run the network together, of which rank 0 alone has the complete results; null: this
    /// one alone. Throws config::error for an invalid experiment.
    explicit simulation(const experiment& e, const foreign_maker& maker = foreign_maker(),
                        world* processes = nullptr);
    ~simulation();

    const topology& map() const;
    /// @name Functions for fidelity::flit only; they throw std::logic_error for any other fidelity
    /// @{
    const routing_function& routing() const;
    const router_plan& plan() const;
    fabric& net();  ///< network that run() runs, for observers and for reading
    /// Returns the foreign block, such as RTL, in the place of a router; null: the model's own router is
    /// there.
    const foreign_block* foreign_router(std::uint32_t router) const;
    /// @}
    /// Returns the engine that run() drives, for observers and for reading.
    network_engine& engine();
    /// Returns the workload that the engine runs: traffic(), or the go_back_n or network_collectives between
    /// traffic() and the network. Valid from prepare() on.
    workload& running_traffic();
    /// Returns the workload of the constructor's experiment. run() starts it or replaces it (in a forked
    /// child, or for an experiment with another section 'traffic'); the reference is then invalid.
    workload& traffic();
    /// Returns the report of the static check for deadlock (channel dependency graph) of this routing
    /// function on this network; verdict by_design for a model without routers. The check is made at the
    /// first call; later calls return its report, whatever their `most_calls` (see deadlock_question).
    const deadlock_report& check_deadlock(std::uint64_t most_calls = deadlock_question().most_calls);
    /// Checks whether messages of an endpoint_workload may wait for each other at the nodes for ever, and
    /// returns the verdict on one line; "" for other traffic. If they may, throws config::error; with
    /// checks.force, or without checks.deadlock, permits these waits instead
    /// (endpoint_workload::permit_cycle()). Call before workload::start().
    std::string check_endpoints(const experiment& e, workload& traffic) const;
    /// Elaborates the SystemC modules (sc_start of zero time) at the first call; later calls do nothing.
    /// Throws config::error if parts do not fit. run() calls it.
    void elaborate();
    /// Does all that run() does before the first cycle, but for the check for deadlock: builds statistics and
    /// observers and starts the traffic. Call once per process. Throws config::error for what run() would
    /// refuse.
    void prepare(const experiment& e, const run_control& control = {});
    /// Calls prepare(), runs `e` and returns its results. Call once per process. Throws std::logic_error if
    /// e.structure() differs from that of the constructor's experiment; config::error if the check for
    /// deadlock fails (unless checks.force is set) or `e` does not fit the network.
    run_result run(const experiment& e, const run_control& control = {});

  private:
    workload& traffic_of(const experiment& e);
    std::vector<std::shared_ptr<run_observer>> observe(const experiment& e, workload& traffic);
    void check_lengths(const experiment& e, const workload& traffic) const;
    std::unique_ptr<network_collectives> make_collectives(const experiment& e, workload& traffic) const;
    std::unique_ptr<go_back_n> make_reliable(const experiment& e, workload& traffic) const;
    void report(const experiment& e, run_result& out);
    void report_losses(run_result& out) const;
    void report_remote_links(run_result& out) const;
    void report_network(const experiment& e, const network_view& net, run_result& out) const;
    void take_statistics(const experiment& e);
    void report_figures(run_result& out) const;
    void report_full_links(workload& traffic, run_result& out) const;
    void report_congestion(const experiment& e, run_result& out) const;
    std::string warn_of_threads(const experiment& e, const run_control& control,
                                const std::string& told) const;
    void report_deadlock(const experiment& e, run_result& out);
    static void check_writable(const experiment& e, workload& traffic);
    struct parts;
    std::unique_ptr<parts> m_parts;
};

}  // namespace sare
