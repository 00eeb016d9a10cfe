// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/analytic/node_link_network.h"
#include "tlm/combining/network_collectives.h"
#include "tlm/inside/wait_samples.h"
#include "tlm/network/measurement.h"
#include "tlm/network/network.h"
#include "tlm/network/simulation.h"
#include "tlm/retransmission/go_back_n.h"
#include "tlm/stats/statistic.h"

#include <unistd.h>

#include <optional>

namespace sare {

/// Members of a simulation: its network, traffic, method of measurement and observers.
struct simulation::parts {
    /// Builds topology, workload and network; arguments and errors are those of simulation().
    parts(const experiment& e, const foreign_maker& maker, world* processes);

    /// Returns `net`. Throws std::logic_error if there is none, as `fidelity` is not flit.
    network& flit_level() const {
        if (!net) throw std::logic_error("the contention-free model has no routers");
        return *net;
    }

    const class_vcs& shares() const { return flit_level().engine().net().context().shares(); }

    std::shared_ptr<const topology> map;  ///< topology, shared with `net`
    std::unique_ptr<workload> traffic;    ///< workload: asked for its number of message classes, then run
    std::string traffic_text;             ///< section `traffic` of the experiment as text
    pid_t made_by = getpid();      ///< process that made `traffic`, which the child of a fork makes again
    std::uint32_t classes;         ///< number of message classes
    bool own_links;                ///< true: some message classes have links of their own
    std::unique_ptr<network> net;  ///< network at flit level; null: `ideal` runs
    std::unique_ptr<contention_free> ideal;   ///< model without routers; null: `net` runs
    failure_schedule failures;                ///< failures of the experiment; empty: none
    std::string structure;                    ///< experiment::structure() of the constructor's experiment
    config::written written;                  ///< tree of the experiment, for the places of errors
    bool elaborated = false;                  ///< true: elaborate() was called
    double elaboration_s = 0;                 ///< wall-clock seconds of building and elaborating
    std::optional<deadlock_report> deadlock;  ///< report of check_deadlock(); unset before its first call
    std::unique_ptr<go_back_n> reliable;  ///< sends lost packets again, between NICs and traffic; null: none
    /// Collectives in the network, between it and traffic; null: none.
    std::unique_ptr<network_collectives> collectives;
    std::unique_ptr<wait_samples> waits;   ///< samples of packets that wait for links; null: none are taken
    std::unique_ptr<statistic_set> asked;  ///< statistics that the experiment asks for
    std::unique_ptr<measurement> method;   ///< method of measurement; null before prepare()
    std::vector<std::shared_ptr<run_observer>> observers;  ///< made by the sections of the experiment
    std::string endpoints;                                 ///< verdict of check_endpoints()
};

}  // namespace sare
