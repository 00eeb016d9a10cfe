// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/config/schema.h"
#include "tlm/stats/figure.h"
#include "tlm/stats/places/link_rows.h"
#include "tlm/topology/layout/layout.h"
#include "tlm/topology/place_names.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What a run has found: plain data, to be written to files or compared. Loads are in flits per node and
/// cycle, latencies in cycles; a statistic without samples is NaN.
namespace sare {

enum class run_status {
    completed,    ///< measured as asked, or the workload ran to its end
    saturated,    ///< the backlog of some source grows without bound: no steady mean exists
    deadlock,     ///< nothing moved for measurement.watchdog cycles with flits in the network
    stuck,        ///< the workload waits for something that will never come
    cycle_limit,  ///< measurement.max_cycles reached
    failed,       ///< the network did its part, but what the run was of went wrong
    interrupted,  ///< stopped from outside; the figures are partial
    unsettled     ///< too few packets, or too short to tell whether there is a steady mean
};
const char* to_string(run_status s);

struct latency_summary {
    std::uint64_t count = 0;
    double mean = 0, stddev = 0, min = 0, max = 0, p50 = 0, p95 = 0, p99 = 0, p999 = 0;
    double ci95 =
        0;  ///< half width of the 95% confidence interval of the mean, over batches; NaN below 2 batches
};

struct latency_pair {
    latency_summary from_generation, from_injection;
};

struct counts {
    std::uint64_t generated = 0, injected = 0, consumed = 0, dropped = 0, copied = 0;
    std::uint64_t refused = 0;  ///< of the generated ones: source queues were full
};

struct batch_result {
    std::uint64_t from = 0, to = 0;  ///< cycles [from, to)
    double latency_mean = 0, accepted = 0, offered = 0, injected = 0;
};

struct series_point {
    std::uint64_t cycle = 0;  ///< end of the interval
    double offered = 0, injected = 0, accepted = 0, latency_mean = 0;
    std::uint64_t packets_in_network = 0;
};

struct histogram_bin {
    std::uint64_t low = 0, high = 0;  ///< cycles [low, high)
    std::uint64_t from_generation = 0, from_injection = 0;
};

/// What was counted at a node in the measured window.
struct node_result {
    std::uint32_t node = 0, router = 0;
    std::uint64_t generated = 0, injected = 0, consumed = 0;  ///< packets
    std::uint64_t generated_flits = 0, accepted_flits = 0;
};

/// Likewise of a message class; loads in flits per node and cycle.
struct class_result {
    std::uint64_t generated = 0, injected = 0, consumed = 0;  ///< packets
    double offered_load = 0, injected_load = 0, accepted_load = 0;
    latency_pair latency;  ///< of packets
};

/// An input port of a router.
struct port_result {
    std::uint32_t router = 0, port = 0;
};

struct router_result {
    std::uint32_t router = 0;
};

/// Routers of one kind with the same parameters.
struct router_group_result {
    std::string name;  ///< "vc, depth 16"
    config::number_set routers;
};

/// A source whose backlog grows beyond chance.
struct growing_source {
    struct rate {
        double offered = 0, sent = 0;  ///< flits a cycle, in the measured window
        double error = 0;              ///< standard error of their difference
    };
    struct class_rate : rate {
        std::uint32_t message_class = 0;
    };
    std::uint32_t node = 0;
    rate all;
    std::vector<class_rate> classes;  ///< whose messages pile up, where there are several
};

/// Where congestion begins, and what it holds up (docs/congestion.md). Links are rows of run_result's.
struct congestion_root {
    enum class reason : std::uint8_t {
        busy,       ///< the link carries all it can
        consumer,   ///< the node has no room
        circle,     ///< links that are held up by each other
        vcs,        ///< its VCs are owned by packets that have nothing to send
        atomic,     ///< its VCs are free, and are given again only when all their credits are back
        credits,    ///< its buffers are short for the round trip of a credit
        pace,       ///< the switch takes a flit of an input VC only every so many cycles
        allocator,  ///< flits are ready, and the switch does not choose them
        input,      ///< flits are ready, and all come by one input port
        pipeline,   ///< packets are in the stages before the switch
        reasons
    };
    std::size_t link = 0;
    reason why = reason::busy;
    std::uint64_t from = 0, to = 0;  ///< cycles [from, to) in which it was congested
    double utilisation = 0;          ///< in these
    double lost = 0;                 ///< share of these in which packets waited and the link carried nothing
    double capacity = std::numeric_limits<double>::quiet_NaN();  ///< flits a cycle
    double offered = std::numeric_limits<double>::quiet_NaN();   ///< likewise; NaN: not known
    std::size_t links = 0;                                       ///< that are held up by it
    std::vector<std::uint32_t> sources;                          ///< nodes among these
    std::vector<std::size_t> chain;                              ///< from a source, or where it is longest
};
const char* to_string(congestion_root::reason why);

struct congested_link {
    std::size_t link = 0, root = 0;  ///< the root's place among all
    std::uint32_t distance = 0;      ///< links to the root
    double waiting = 0;              ///< packets that wait for it, on the average
};

struct run_result {
    run_status status = run_status::completed;
    std::string reason;  ///< a sentence; "" for completed
    std::uint64_t seed = 0;
    std::uint64_t cycles = 0;  ///< simulated in all
    std::uint64_t measured_from = 0, measured_to = 0;
    double clock_period_s = 1e-9;
    counts packets, flits, messages;  ///< since the start
    struct drop_count {
        std::string cause;
        std::uint64_t packets, flits;
    };
    std::vector<drop_count> drops;                                     ///< by cause, since the start
    std::vector<std::pair<std::string, std::uint64_t>> lost_messages;  ///< by cause, of the network
    config::value reliable;  ///< what NICs did that send again (go_back_n::counters); null: nothing
    struct failure_result {
        std::uint64_t at = 0;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ports;  ///< router and port, each direction
        std::vector<std::uint32_t> routers;
    };
    std::vector<failure_result> failures;            ///< that were asked for
    std::uint64_t detoured = 0;                      ///< packets sent by an emergency route, since the start
    double offered = 0, injected = 0, accepted = 0;  ///< in the measured window
    double refused = 0;                              ///< of what was offered
    latency_pair packet_latency, message_latency;
    double hops_mean = 0, hops_max = 0;                            ///< routers visited
    double fairness_min = 0, fairness_max = 0, fairness_jain = 0;  ///< accepted load by node
    std::string topology;
    place_names names;  ///< of its routers, nodes and links
    std::uint64_t nodes = 0, routers = 0;
    std::uint64_t links = 0;     ///< those of nodes too; two directions of a pair of ports are one
    std::uint64_t channels = 0;  ///< between routers, one direction each
    std::vector<std::uint32_t> dims;
    config::value workload;             ///< results of the workload's own
    std::string deadlock_check;         ///< what the static check said, or why it was not made
    bool proved_deadlock_free = false;  ///< by that check
    config::value workload_host;        ///< see workload::host_results()
    /// What the run took of the machine.
    struct machine_result {
        double elaboration_s = 0;             ///< building the network, the static check included
        double wall_s = 0, cycles_per_s = 0;  ///< of the cycles
        double processor_s = 0;               ///< of all threads of this process, in the cycles
        std::uint64_t peak_rss_bytes = 0;
    } machine;
    std::uint64_t flit_hops = 0;
    std::uint32_t threads = 1;  ///< that ran the network
    /// Several processes that ran it, and what they sent each other: windows of so many cycles each, links
    /// between them (each direction one), then messages and bytes of all.
    struct border_result {
        std::uint64_t processes = 1, window_cycles = 0, windows = 0, crossing_links = 0, messages = 0,
                      bytes = 0;
    } border;

    std::vector<batch_result> batches;
    std::vector<series_point> series;
    std::vector<histogram_bin> latency_histogram;
    link_rows link_loads;
    struct link_waiting {
        double vc = 0, credit = 0, turn = 0;
    };
    std::vector<link_waiting> link_waits;         ///< of link_loads: packets, mean of samples; or none
    std::vector<growing_source> growing;          ///< the fastest first
    std::vector<congestion_root> congestion;      ///< the worst first
    std::vector<congested_link> congested_links;  ///< in order of roots and distances
    std::vector<std::uint64_t> pair_flits;        ///< injected, by source and destination; up to 1,024 nodes
    std::vector<node_result> node_loads;
    std::vector<router_result> router_places;
    std::vector<port_result> port_places;   ///< where figures of ports were asked for
    std::uint32_t classes = 0;              ///< of messages
    std::vector<class_result> class_loads;  ///< where there are several
    std::shared_ptr<const layout> picture;  ///< until figures are kept; null: the topology has none
    std::vector<std::pair<std::string, double>> router_counts;  ///< of the kinds' own, since the start
    std::vector<router_group_result> router_groups;             ///< nothing where all routers are alike
    std::vector<std::pair<std::uint32_t, std::uint64_t>> queue_occupancy;  ///< flits in a VC buffer, samples
    /// Packets by routers on their way: at injection on a shortest path (networks of up to 1,024 nodes), at
    /// consumption visited.
    struct distance_bin {
        std::uint32_t hops;
        std::uint64_t injected, consumed;
    };
    std::vector<distance_bin> distances;
    struct pair_traffic {
        std::uint32_t source, destination;
        std::uint64_t packets = 0, flits = 0;  ///< injected in the measured window
        std::uint64_t waiting = 0;             ///< flits in the queue of the source's NIC, at its end
        std::uint64_t consumed = 0, consumed_flits = 0;  ///< packets and flits, in the window
    };
    std::vector<pair_traffic> matrix;                         ///< on request
    std::vector<std::pair<std::string, std::string>> tables;  ///< of the workload: file name, CSV
    result_streams files;  ///< too large for memory; those of one name follow each other

    /// All that is declared as a figure: a column each, a row for each of the places above. Of places they
    /// are read when asked for, from the network and its statistics, or kept.
    figure_columns figures;
    void keep_figures();
    std::vector<figure_view> columns_of(scope of) const;
    /// By its name, or none.
    figure_view column_of(scope of, const std::string& name) const;
    /// A figure of the run; NaN where there is none.
    double figure_of(const std::string& name) const;
    /// What a link is called: "router io to node dram", and behind its own name where it has one.
    std::string text_of(const link_result& l) const;
    /// In a sentence: "the link from router 3 to router 4", "the ejection of node 5".
    std::string name_of(const link_result& l) const;
    /// Its means are not set by how long it was: it was not measured while backlogs or latencies moved.
    bool is_steady() const { return status != run_status::saturated && status != run_status::unsettled; }
    /// Of all links, those of nodes too, the one with most utilisation.
    std::optional<std::size_t> busiest_link() const;
};

/// Mean and maximum of a figure over the links between routers; 0 where there are none.
struct mean_and_most {
    double mean = 0, most = 0;
};
mean_and_most over_channels(const run_result& out, const std::string& figure);

/// Of a picture, where the last digits say nothing; no -0.
double round_for_picture(double x);

}  // namespace sare
