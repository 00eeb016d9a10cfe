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

/// A whole configuration, read from a tree and checked as far as possible without building the network.
namespace sare {

class router_model;
class topology;
struct cycle_rule;

/// The section 'measurement' (docs/results.md). fields() gives the ranges.
struct measurement_params {
    std::uint64_t warmup = 3000;  ///< cycles before convergence is looked for
    std::uint64_t convergence_interval =
        1000;                             ///< cycles over which mean latency and accepted load are taken
    std::uint32_t convergence_count = 3;  ///< intervals in a row that must agree; 0: measure at once
    /// Fraction by which an interval may differ from the mean of these intervals and still agree.
    double convergence_tolerance = 0.05;
    std::uint32_t convergence_limit =
        40;  ///< intervals without agreement after which to measure all the same
    /// Packets to be expected in each interval and batch, which are made longer for it if convergence_count
    /// is above 0; 0: they are exactly as long as said.
    std::uint32_t interval_packets = 100;
    std::uint64_t batch = 1000;      ///< cycles of a batch of the measurement
    std::uint32_t batches = 10;      ///< number of batches
    std::uint64_t max_cycles = 0;    ///< cycle in which a workload that runs to its end is stopped; 0: never
    std::uint64_t watchdog = 20000;  ///< cycles without a move, with flits in the network: a deadlock
    std::uint64_t series_interval = 0;  ///< cycles of a point of the time series; 0: for about 250 points
    bool matrix = false;                ///< write the matrix of sources and destinations
    config::value statistics = config::value::list({});  ///< list of entries of statistic_registry

    static config::schema<measurement_params> fields();
};

struct checks_params {
    bool deadlock = true;  ///< refuse a configuration that the static check finds unsafe
    bool force = false;    ///< run it all the same

    static config::schema<checks_params> fields();
};

/// The exactness of a network's simulation.
enum class fidelity {
    flit,       ///< every flit through every router
    analytic,   ///< the contention-free model: see contention_free
    crossbar,   ///< the contention-free model, with no links but those of the nodes
    node_links  ///< crossbar whose links carry one message at a time: see node_link_network
};

const char* to_string(fidelity f);

/// All sections of an experiment.
struct experiment {
    std::string name;        ///< title of the experiment; "": no name
    std::uint64_t seed = 1;  ///< seed of all random numbers
    sare::fidelity fidelity = sare::fidelity::flit;
    std::string clock_period = "1ns";  ///< time of a cycle with its unit, see clock_seconds()
    /// Threads that run it, if it is large enough and the machine has the processors; results do not depend
    /// on it.
    std::uint32_t threads = 1;
    bool all_threads = false;  ///< use `threads` in every cycle, however small the network and the machine
    config::value network;     ///< entry of topology_registry
    naming names;              ///< names of routers and nodes
    config::value routing;  ///< entry of routing_registry; after read() the router kind's, if it brings one
    config::value router;   ///< entry of router_registry
    config::value routers;  ///< list of router_exception (router_plan.h)
    config::value links;    ///< list of link_exception
    class_params classes;
    failure_params failures;
    nic_params nic;
    config::value traffic;  ///< entry of workload_registry
    measurement_params measurement;
    checks_params checks;
    section_parts sections;            ///< sections that other rooms bring: observe, cosim
    std::vector<std::string> plugins;  ///< file names; whoever reads the tree from a file loads them

    config::location at;           ///< place of the whole experiment
    config::location clock_at;     ///< place of clock_period; unknown if it is not written
    config::location failures_at;  ///< place of the section `failures`; `at` if it has none
    std::string folder;            ///< folder of its file, to which names of other files are relative

    static config::schema<experiment> fields();
    /// Reads a tree; throws config::error for anything unknown, of the wrong type or out of range. `known`:
    /// an experiment read before, such as the first of a sweep, from which sections take the files that they
    /// have read.
    static experiment read(const config::value& tree, const std::string& folder,
                           const experiment* known = nullptr);
    /// Makes the model of routers that no exception names: the section `router`, with entries of `routers`
    /// for all.
    std::shared_ptr<const router_model> router_of_all() const;
    /// Makes the topology of the network, with the changes of `names` and `links`.
    std::unique_ptr<topology> make_map() const;
    /// Describes in cycles the times and bandwidths of links; "" if there are none.
    std::string link_times_text() const;
    /// Returns every parameter with its value, which reads back to the same experiment. It goes into every
    /// result.
    config::value resolved() const;
    /// Returns a text that two experiments must share to run on one elaborated network: everything but
    /// traffic parameters, measurement, sections of runs (section_part) and seed.
    std::string structure() const;
    /// Returns the value of clock_period ("1ns", "500ps", "2.5 ns") in seconds, 1 ps to 1 s. Throws
    /// config::error for another text.
    double clock_seconds() const;

  private:
    std::optional<cycle_rule> cycles_of_links() const;
};

}  // namespace sare
