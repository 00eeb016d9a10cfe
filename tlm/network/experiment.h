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
    std::uint64_t warmup = 3000;  ///< cycles before convergence is looked for
    /// Cycles of an interval, over which mean latency and accepted load are taken until they converge.
    std::uint64_t convergence_interval = 1000;
    /// Intervals in a row that must agree; 0: measure at once after the warm-up.
    std::uint32_t convergence_count = 3;
    /// Intervals agree if none differs from their mean, in latency or accepted load, by more than this
    /// fraction of the mean.
    double convergence_tolerance = 0.05;
    /// Intervals without agreement after which to measure all the same.
    std::uint32_t convergence_limit = 40;
    /// Packets that should arrive in each interval and batch: these are made longer, up to 1,000 times, if
    /// the arrivals so far let expect fewer. 0, or with convergence_count 0: they have exactly the length
    /// given.
    std::uint32_t interval_packets = 100;
    std::uint64_t batch = 1000;    ///< cycles of a batch of the measurement
    std::uint32_t batches = 10;    ///< number of batches, which together are the measured window
    std::uint64_t max_cycles = 0;  ///< cycle in which a workload that runs to completion is stopped; 0: never
    /// Cycles in which no flit moves, with flits in the network, after which the run ends as a deadlock.
    std::uint64_t watchdog = 20000;
    /// In a run to completion, cycles between two points of the time series; 0: chosen so that there are at
    /// most 500 points. Otherwise each interval and batch is a point.
    std::uint64_t series_interval = 0;
    bool matrix = false;  ///< true: count and write the flits of each pair of source and destination
    /// Optional statistics, list of entries of statistic_registry.
    config::value statistics = config::value::list({});

    static config::schema<measurement_params> fields();
};

/// The section 'checks': what is checked before the first cycle.
struct checks_params {
    /// Make the static check for deadlock, and refuse a configuration that it finds unsafe.
    bool deadlock = true;
    bool force = false;  ///< run a configuration that the check finds unsafe all the same

    static config::schema<checks_params> fields();
};

/// The exactness of a network's simulation.
enum class fidelity {
    flit,  ///< every flit through every router
    /// Contention-free model (contention_free): latencies of the path, and bits by the least bandwidth on it.
    analytic,
    crossbar,   ///< analytic, with the links of source and destination alone
    node_links  ///< crossbar in which the link of a node carries one message at a time (node_link_network)
};

/// Returns the name of the enumerator, which is the word of the configuration.
const char* to_string(fidelity f);

/// A whole configuration of a run, all sections of it: read from a tree, and checked as far as possible
/// without building the network.
struct experiment {
    std::string name;  ///< title of the experiment; "": no name
    /// Seed of all random numbers of the run that have no `seed` of their own in the configuration.
    std::uint64_t seed = 1;
    sare::fidelity fidelity = sare::fidelity::flit;  ///< exactness of the simulation
    /// Time of a cycle with its unit, such as "625 ps"; see clock_seconds().
    std::string clock_period = "1ns";
    /// Most threads that run the network. Fewer do where a thread would have less than 256 routers, or where
    /// the machine has fewer processors; results do not depend on their number.
    std::uint32_t threads = 1;
    /// True: use all `threads` in every cycle, however small network and machine are; no key of the
    /// configuration.
    bool all_threads = false;
    config::value network;  ///< topology: entry of topology_registry
    naming names;           ///< names of routers and nodes
    /// Routing function: entry of routing_registry; after read() the one that the router kind brings, if it
    /// brings one.
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
    config::value domains;    ///< clocks and supplies of parts: map of region_params; null: none
    config::value traffic;    ///< workload: entry of workload_registry; null: none
    measurement_params measurement;
    checks_params checks;
    /// Sections that other parts of the program register, such as `observe`, `power` and `cosim`.
    section_parts sections;
    /// File names of libraries with more variants; read() loads none of them, its caller must do so before.
    std::vector<std::string> plugins;

    config::location at;        ///< place of the experiment in its file, for error messages
    config::location clock_at;  ///< place of clock_period; unknown if it was left out
    std::string folder;  ///< folder of the experiment's file, to which the names of other files are relative

    static config::schema<experiment> fields();
    /// Returns the experiment that a tree describes. Throws config::error for anything unknown, missing, of
    /// the wrong type or out of range. `folder`: folder to which the names of files in the tree are relative.
    /// `known`: an experiment read before, such as the first of a sweep, from which sections take the files
    /// that they have read; null: none.
    static experiment read(const config::value& tree, const std::string& folder,
                           const experiment* known = nullptr);
    /// Makes the model of the routers that no exception names by number: the section `router`, with the
    /// changes of the entries of `routers` that are for all.
    std::shared_ptr<const router_model> router_of_all() const;
    /// Makes the topology of the network, with the changes of `names`, `links` and `domains`. Throws
    /// config::error if that fails, and with fidelity::flit for a router of more than most_ports ports.
    /// `from`: cycle from which on its clocks hold: of clocks that change the fastest from then on.
    std::unique_ptr<topology> make_map(cycle_t from = 0) const;
    /// Returns what a workload is told when it is made, for the topology that make_map() has made.
    workload_context context(const topology& map) const;
    /// Returns a text on the cycles that follow from the times and bandwidths of links; "" if no link has
    /// any, or if `fidelity` is not flit.
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
