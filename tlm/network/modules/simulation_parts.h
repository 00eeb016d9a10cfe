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

/// Network, traffic and method of a simulation, and what observes them.
struct simulation::parts {
    parts(const experiment& e, const foreign_maker& maker, world* processes);

    network& flit_level() const {
        if (!net) throw std::logic_error("the contention-free model has no routers");
        return *net;
    }

    const class_vcs& shares() const { return flit_level().engine().net().context().shares(); }

    std::shared_ptr<const topology> map;
    std::unique_ptr<workload> traffic;  ///< told first for its message classes, then run
    std::string traffic_text;           ///< section of `traffic`
    pid_t made_by = getpid();
    std::uint32_t classes;         ///< number of classes, which divide the VCs
    bool own_links;                ///< true: classes have links of their own
    std::unique_ptr<network> net;  ///< null with the contention-free model, which has:
    std::unique_ptr<contention_free> ideal;
    failure_schedule failures;
    std::string structure;
    config::location at;
    bool elaborated = false;
    double elaboration_s = 0;
    std::optional<deadlock_report> deadlock;           ///< made when it is first asked for
    std::unique_ptr<go_back_n> reliable;               ///< between NICs and traffic; null: none
    std::unique_ptr<network_collectives> collectives;  ///< between network and traffic; null: none
    std::unique_ptr<wait_samples> waits;               ///< null: no links, or routers in RTL
    std::unique_ptr<statistic_set> asked;              ///< chosen by measurement.statistics
    std::unique_ptr<measurement> method;
    std::vector<std::shared_ptr<run_observer>> observers;  ///< made by the sections of the experiment
    std::string endpoints;                                 ///< verdict of check_endpoints()
};

}  // namespace sare
