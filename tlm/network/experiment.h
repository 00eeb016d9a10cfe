// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_registry.h"
#include "tlm/config/schema.h"
#include "tlm/network/classes/class_params.h"
#include "tlm/network/failure_params.h"
#include "tlm/network/named_places.h"
#include "tlm/nic/params.h"
#include "tlm/routing/marking.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sare {

class router_model;
class topology;
struct cycle_rule;
struct workload_context;

/// The section 'measurement': lengths of warm-up, convergence and measurement (docs/results.md). fields()
/// gives the ranges.
struct measurement_params {
    std::uint64_t warmup = 3000;  ///< cycles of the warm-up, before convergence is looked for
    /// Cycles of an interval; mean latency and accepted load of successive intervals are compared until they
    /// agree.
    std::uint64_t convergence_interval = 1000;
    /// Number of successive intervals that must agree; 0: measurement begins right after the warm-up.
    std::uint32_t convergence_count = 3;
    /// Intervals agree if none differs from their mean, in latency or accepted load, by more than this
    /// fraction of the mean.
    double convergence_tolerance = 0.05;
    /// Number of intervals after which measurement begins even if they do not agree.
    std::uint32_t convergence_limit = 40;
    /// Packets that should arrive in each interval and batch. If fewer are expected from the arrivals so far,
    /// intervals and batches are made longer, up to 1,000 times. 0, or convergence_count 0: they have exactly
    /// the length given.
    std::uint32_t interval_packets = 100;
    std::uint64_t batch = 1000;    ///< cycles of a batch of the measurement
    std::uint32_t batches = 10;    ///< number of batches, which together are the measured window
    std::uint64_t max_cycles = 0;  ///< cycle in which a workload that runs to completion is stopped; 0: never
    /// Number of cycles without a move of any flit, with flits in the network, after which the run ends as a
    /// deadlock.
    std::uint64_t watchdog = 20000;
    /// In a run to completion, cycles between two points of the time series; 0: chosen so that there are at
    /// most 500 points. Otherwise each interval and batch is a point.
    std::uint64_t series_interval = 0;
    bool matrix = false;  ///< true: count and write the flits of each pair of source and destination
    /// Optional statistics: list of entries of statistic_registry; empty: none.
    config::value statistics = config::value::list({});

    static config::schema<measurement_params> fields();
};

/// The section 'checks': the check for deadlock before the first cycle.
struct checks_params {
    /// True: make the static check for deadlock, and refuse a configuration that it finds unsafe.
    bool deadlock = true;
    bool force = false;  ///< true: run a configuration even if the check finds it unsafe

    static config::schema<checks_params> fields();
};

/// Level of detail at which a network is simulated.
enum class fidelity {
    flit,  ///< every flit is followed through every router
    /// Model without contention (contention_free): time of a message is the latency of its path plus its bits
    /// over the least bandwidth of the path.
    analytic,
    crossbar,   ///< analytic, with paths of two links: those of source and destination node
    node_links  ///< crossbar whose links carry one message at a time (node_link_network)
};

/// Returns the word for `f` in configurations, which is the name of the enumerator.
const char* to_string(fidelity f);

/// A whole configuration of a run, all sections of it: read from a tree, and checked as far as possible
/// without building the network.
struct experiment {
    std::string name;  ///< title of the experiment; "": no name
    /// Seed of all random numbers of the run that have no `seed` of their own in the configuration.
    std::uint64_t seed = 1;
    sare::fidelity fidelity = sare::fidelity::flit;  ///< level of detail of the simulation
    /// Clock period: a number with its unit, such as "625 ps"; see clock_seconds().
    std::string clock_period = "1ns";
    /// Most threads that run the network. Fewer run it if a thread would have less than 256 routers, or if
    /// the machine has fewer processors; results do not depend on the number of threads.
    std::uint32_t threads = 1;
    /// True: use all `threads` in every cycle, however small network and machine are; no key of the
    /// configuration.
    bool all_threads = false;
    config::value network;  ///< topology: entry of topology_registry
    naming names;           ///< names of routers and nodes
    /// Routing function: entry of routing_registry. If the kind of routers brings a routing function, read()
    /// sets that one.
    config::value routing;
    config::value router;  ///< routers: entry of router_registry
    /// Routers that differ from `router`: list of router_exception (router_plan.h); null: none.
    config::value routers;
    /// Links that differ from those of the topology: list of link_exception; null: none.
    config::value links;
    class_params classes;     ///< number of message classes, and their VCs
    marking_params marking;   ///< marks of routers with long queues
    failure_params failures;  ///< links and routers that fail during the run
    nic_params nic;           ///< parameters of all NICs
    config::value domains;    ///< clocks and supplies of regions: map of region_params; null: none
    config::value traffic;    ///< workload: entry of workload_registry; null: none
    measurement_params measurement;
    checks_params checks;
    /// Sections that other parts of the program register, such as `observe`, `power` and `cosim`.
    section_parts sections;
    /// File names of plugins: libraries with more variants. The caller of read() must load them before;
    /// read() does not.
    std::vector<std::string> plugins;

    config::written written;  ///< tree that read() has read, for the places of errors
    config::location at;      ///< place of the experiment in its file, for error messages
    std::string folder;  ///< folder of the experiment's file, to which the names of other files are relative

    static config::schema<experiment> fields();
    /// Returns the experiment that a tree describes. Throws config::error for anything unknown, missing, of
    /// the wrong type or out of range. `folder`: folder to which the names of files in the tree are relative.
    /// `known`: an experiment read before, such as the first of a sweep, whose sections have read files that
    /// need not be read again; null: none.
    static experiment read(const config::value& tree, const std::string& folder,
                           const experiment* known = nullptr);
    /// Makes the model of the routers that no exception names by number: the section `router`, with the
    /// changes of the entries of `routers` that have `at: all`.
    std::shared_ptr<const router_model> router_of_all() const;
    /// Makes the topology of the network, with the changes of `names`, `links` and `domains`. Throws
    /// config::error if that fails, and with fidelity::flit for a router of more than most_ports ports.
    /// `from`: cycle from which the clocks of the topology hold. A clock that changes is given as its fastest
    /// from that cycle on.
    std::unique_ptr<topology> make_map(cycle_t from = 0) const;
    /// Returns the context with which workloads are made, for `map`, a topology made by make_map(), which
    /// must outlive it.
    workload_context context(const topology& map) const;
    /// Returns a text on the cycles into which times and bandwidths of links are rounded; "" if no link gives
    /// a time or bandwidth, or if `fidelity` is not flit.
    std::string link_times_text() const;
    /// Returns all parameters with their values, defaults included, as a tree that reads back to the same
    /// experiment; but for `threads`, on which results do not depend. The tree goes into every result.
    config::value resolved() const;
    /// Returns a text that two experiments must share to run on one elaborated network: clock period,
    /// fidelity, network, names, links, failures, routing, routers, classes and NICs, the names of the
    /// workloads, and the sections that are not of single runs (section_part::changes_network()).
    std::string structure() const;
    /// Returns clock_period ("1ns", "500ps", "2.5 ns") in seconds, from 1 ps to 1 s. Throws config::error for
    /// another text, and for a time that is no whole number of femtoseconds (of picoseconds if `fidelity` is
    /// not flit).
    double clock_seconds() const;

  private:
    std::optional<cycle_rule> cycles_of_links() const;
};

}  // namespace sare
