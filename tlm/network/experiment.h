// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_registry.h"
#include "tlm/config/schema.h"
#include "tlm/network/classes/class_params.h"
#include "tlm/network/failure_params.h"
#include "tlm/network/named_places.h"
#include "tlm/nic/params.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

/// A whole configuration, read from a tree and checked as far as it can be without building the network.
namespace sare {

class router_model;
class topology;
struct cycle_rule;

struct measurement_params {
    std::uint64_t warmup = 3000;
    std::uint64_t convergence_interval = 1000;
    std::uint32_t convergence_count = 3;
    double convergence_tolerance = 0.05;
    std::uint32_t convergence_limit = 40;
    std::uint32_t interval_packets = 100;
    std::uint64_t batch = 1000;
    std::uint32_t batches = 10;
    std::uint64_t max_cycles = 0;
    std::uint64_t watchdog = 20000;
    std::uint64_t series_interval = 0;
    bool matrix = false;
    config::value statistics = config::value::list({});  ///< of statistic_registry

    static config::schema<measurement_params> fields();
};

struct checks_params {
    bool deadlock = true;  ///< refuse configurations that the static check finds unsafe
    bool force = false;    ///< run them all the same

    static config::schema<checks_params> fields();
};

/// How exactly a network is simulated.
enum class fidelity {
    flit,       ///< every flit through every router
    analytic,   ///< the contention-free model: see contention_free
    crossbar,   ///< that of a crossbar: nothing but the links of the nodes is left of the network
    node_links  ///< the crossbar, and these carry one message at a time: see node_link_network
};

const char* to_string(fidelity f);

/// The sections of an experiment.
struct experiment {
    std::string name;  ///< "": it has none
    std::uint64_t seed = 1;
    sare::fidelity fidelity = sare::fidelity::flit;
    std::string clock_period = "1ns";
    /// That run it, if it is large enough and the machine has the processors; results are the same.
    std::uint32_t threads = 1;
    bool all_threads = false;  ///< so many, in every cycle, however small the network and the machine
    config::value network;     ///< of topology_registry
    naming names;
    config::value routing;  ///< of routing_registry; where the router kind brings its own, that
    config::value router;   ///< of router_registry
    config::value routers;  ///< list of router_exception (router_plan.h)
    config::value links;    ///< list of link_exception
    class_params classes;
    failure_params failures;
    nic_params nic;
    config::value traffic;  ///< of workload_registry
    measurement_params measurement;
    checks_params checks;
    section_parts sections;            ///< that other rooms bring: observe, cosim
    std::vector<std::string> plugins;  ///< files; what reads the tree from a file has loaded them

    config::location at;        ///< of the whole
    config::location clock_at;  ///< of clock_period
    config::location failures_at;
    std::string folder;  ///< of the file: names of other files are relative to it

    static config::schema<experiment> fields();
    /// Reads a tree; throws config::error for anything unknown, of the wrong type or out of range. `known`:
    /// one that was read before, such as the first of a sweep; what its sections have of files is not read
    /// again.
    static experiment read(const config::value& tree, const std::string& folder,
                           const experiment* known = nullptr);
    /// What the routers are that no exception names: the section `router`, with what `routers` says of all.
    std::shared_ptr<const router_model> router_of_all() const;
    /// The network's map: its topology and what is called how in it, with what `links` changes.
    std::unique_ptr<topology> make_map() const;
    /// What the times and bandwidths of links have become in cycles; "" where there are none.
    std::string link_times_text() const;
    /// Every parameter with its value: goes into every result, and reads back to the same experiment.
    config::value resolved() const;
    /// What two experiments must share to run on one elaborated network: everything but traffic parameters,
    /// measurement, sections of runs (section_part) and seed.
    std::string structure() const;
    double clock_seconds() const;  ///< of clock_period ("1ns", "500ps", "2.5 ns")

  private:
    std::optional<cycle_rule> cycles_of_links() const;
};

}  // namespace sare
