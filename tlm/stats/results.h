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
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Results of a run: plain data, to be written to files or compared. Loads are in flits per node and cycle,
/// latencies in cycles; a statistic without samples is NaN.
namespace sare {

enum class run_status {
    completed,    ///< measured as asked, or the workload ran to its end
    saturated,    ///< the backlog of some source grows without bound, so that no steady mean exists
    deadlock,     ///< nothing moved for measurement.watchdog cycles with flits in the network
    stuck,        ///< the workload waits for something that will never come
    cycle_limit,  ///< measurement.max_cycles reached
    failed,       ///< something outside of the network failed, such as a program that was started
    interrupted,  ///< stopped from outside; the figures are partial
    unsettled     ///< too few packets, or too short to tell whether there is a steady mean
};
const char* to_string(run_status s);

/// Figures of a latency in cycles.
struct latency_summary {
    std::uint64_t count = 0;  ///< number of samples
    double mean = 0, stddev = 0, min = 0, max = 0, p50 = 0, p95 = 0, p99 = 0, p999 = 0;
    /// Half width of the 95% confidence interval of the mean, over batches; NaN with fewer than 2 batches.
    double ci95 = 0;
};

/// Latencies to the last flit, counted from generation and from the injection of the first flit.
struct latency_pair {
    latency_summary from_generation, from_injection;
};

/// Numbers of packets, flits or messages since the start; for messages, `injected` counts those whose first
/// packet was injected, and `dropped` those that are lost.
struct counts {
    std::uint64_t generated = 0, injected = 0, consumed = 0, dropped = 0, copied = 0;
    std::uint64_t refused = 0;  ///< generated, but refused as source queues were full
};

/// Figures of a batch, a share of the measured window; loads in flits per node and cycle.
struct batch_result {
    std::uint64_t from = 0, to = 0;  ///< cycles [from, to)
    double latency_mean = 0, accepted = 0, offered = 0, injected = 0;
};

/// Figures of an interval of the run; loads in flits per node and cycle.
struct series_point {
    std::uint64_t cycle = 0;  ///< end of the interval
    double offered = 0, injected = 0, accepted = 0, latency_mean = 0;
    std::uint64_t packets_in_network = 0;
};

/// Numbers of packets with a latency in [low, high) cycles.
struct histogram_bin {
    std::uint64_t low = 0, high = 0;  ///< cycles [low, high)
    std::uint64_t from_generation = 0, from_injection = 0;
};

/// Counters of a node in the measured window.
struct node_result {
    std::uint32_t node = 0, router = 0;  ///< number of the node, and of the router that it sends into
    std::uint64_t generated = 0, injected = 0, consumed = 0;  ///< packets
    /// Flits generated, and flits that arrived at the node (with retransmission each once).
    std::uint64_t generated_flits = 0, accepted_flits = 0;
};

/// Counters of a message class in the measured window; loads in flits per node and cycle.
struct class_result {
    std::uint64_t generated = 0, injected = 0, consumed = 0;  ///< packets
    double offered_load = 0, injected_load = 0, accepted_load = 0;
    latency_pair latency;  ///< latencies of packets
};

/// An input port of a router.
struct port_result {
    std::uint32_t router = 0, port = 0;
};

struct router_result {
    std::uint32_t router = 0;
};

/// A group of routers of one kind with the same parameters.
struct router_group_result {
    std::string name;  ///< kind and parameters: "vc, depth 16"
    config::number_set routers;
};

/// A source whose backlog grows beyond chance (source_backlogs::trend::growing).
struct growing_source {
    struct rate {
        double offered = 0, sent = 0;  ///< flits a cycle, in the measured window
        double error = 0;              ///< standard error of offered - sent, flits a cycle
    };
    struct class_rate : rate {
        std::uint32_t message_class = 0;
    };
    std::uint32_t node = 0;
    rate all;
    std::vector<class_rate> classes;  ///< classes whose messages pile up; empty: there is one class
};

/// A link where congestion begins, and the links that it holds up (docs/congestion.md). Links are rows of
/// run_result::link_loads.
struct congestion_root {
    enum class reason : std::uint8_t {
        busy,       ///< the link carries all it can
        consumer,   ///< the node has no room
        circle,     ///< links hold each other up in a circle
        vcs,        ///< its VCs are owned by packets that have nothing to send
        atomic,     ///< its VCs are free, and are given again only when all their credits are back
        credits,    ///< its buffers are short for the round trip of a credit
        pace,       ///< the switch takes a flit of an input VC only every so many cycles
        allocator,  ///< flits are ready, and the switch does not choose them
        input,      ///< flits are ready, and all come by one input port
        pipeline,   ///< packets are in the stages before the switch
        reasons
    };
    std::size_t link = 0;  ///< row of the link where congestion begins
    reason why = reason::busy;
    std::uint64_t from = 0, to = 0;  ///< cycles [from, to) in which the link was congested
    double utilisation = 0;          ///< utilisation, 0 to 1, in these cycles
    double lost = 0;                 ///< share of these cycles in which packets waited and the link was idle
    double capacity = std::numeric_limits<double>::quiet_NaN();  ///< most flits a cycle that it can carry
    double offered = std::numeric_limits<double>::quiet_NaN();  ///< flits a cycle offered to it; NaN: unknown
    std::size_t links = 0;                                      ///< number of links that it holds up
    std::vector<std::uint32_t> sources;                         ///< source nodes that it holds up
    std::vector<std::size_t> chain;  ///< links in a row from a source, or the longest chain, up to this link
};
const char* to_string(congestion_root::reason why);

/// A link that is held up by a congestion root.
struct congested_link {
    std::size_t link = 0, root = 0;  ///< row of the link; index of its root in run_result::congestion
    std::uint32_t distance = 0;      ///< number of links to the root
    double waiting = 0;              ///< mean number of packets that wait for the link
};

/// All results of a run.
struct run_result {
    run_status status = run_status::completed;
    std::string reason;  ///< reason for the status, a sentence; "" for completed
    std::uint64_t seed = 0;
    std::uint64_t cycles = 0;                          ///< cycles simulated in all
    std::uint64_t measured_from = 0, measured_to = 0;  ///< measured window, cycles [from, to)
    double clock_period_s = 1e-9;                      ///< clock period in s
    counts packets, flits, messages;                   ///< counters since the start
    struct drop_count {
        std::string cause;
        std::uint64_t packets, flits;
    };
    std::vector<drop_count> drops;                                     ///< drops since the start, by cause
    std::vector<std::pair<std::string, std::uint64_t>> lost_messages;  ///< messages lost, by cause
    config::value reliable;  ///< counters of retransmission (go_back_n::counters); null: there is none
    /// Links and routers that fail together: see struct failure.
    struct failure_result {
        std::uint64_t at = 0;  ///< first cycle in which they carry nothing
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ports;  ///< router and output port of each link
        std::vector<std::uint32_t> routers;
    };
    std::vector<failure_result> failures;            ///< failures that were configured
    std::uint64_t detoured = 0;                      ///< packets sent by an emergency route, since the start
    double offered = 0, injected = 0, accepted = 0;  ///< flits per node and cycle, measured window
    double refused = 0;  ///< flits per node and cycle that were refused, a part of `offered`
    latency_pair packet_latency, message_latency;
    double hops_mean = 0, hops_max = 0;  ///< routers visited by a packet: mean and maximum
    /// Accepted loads of single nodes in the measured window, in flits a cycle: the least, the largest, and
    /// Jain's index of fairness, at most 1 (all alike).
    double fairness_min = 0, fairness_max = 0, fairness_jain = 0;
    std::string topology;                  ///< name of the topology
    place_names names;                     ///< names of routers, nodes and links
    std::uint64_t nodes = 0, routers = 0;  ///< numbers of nodes and routers
    std::uint64_t links = 0;          ///< number of links, with those of nodes; both directions count as one
    std::uint64_t channels = 0;       ///< number of links between routers; each direction counts as one
    std::vector<std::uint32_t> dims;  ///< sizes of the grid of routers; empty: the topology is no grid
    config::value workload;           ///< results of the workload's own
    std::string deadlock_check;       ///< result of the static check, or why it was not made
    bool proved_deadlock_free = false;  ///< the static check proved freedom from deadlock
    config::value workload_host;        ///< see workload::host_results()
    /// Time and memory that the run took; not the same from run to run.
    struct machine_result {
        double elaboration_s = 0;             ///< s, for building the network, the static check included
        double wall_s = 0, cycles_per_s = 0;  ///< s, for the cycles, and their rate
        double processor_s = 0;               ///< s, of all threads of this process, for the cycles
        std::uint64_t peak_rss_bytes = 0;
    } machine;
    std::uint64_t flit_hops = 0;  ///< sum over consumed packets since the start: flits times routers visited
    std::uint32_t threads = 1;    ///< number of threads that ran the network
    /// Number of routers by their kind and layout ("vc, scanned"): router_bank::variant().
    std::map<std::string, std::uint32_t> router_variants;
    /// Processes that ran the network, and their exchanges: number and length of windows, links between
    /// processes (each direction one), messages and bytes sent by all.
    struct border_result {
        std::uint64_t processes = 1, window_cycles = 0, windows = 0, crossing_links = 0, messages = 0,
                      bytes = 0;
    } border;

    std::vector<batch_result> batches;
    std::vector<series_point> series;
    std::vector<histogram_bin> latency_histogram;
    link_rows link_loads;
    /// Mean numbers of packets that wait for a link, by what they lack: see wait_samples::counter.
    struct link_waiting {
        double vc = 0, credit = 0, turn = 0;
    };
    std::vector<link_waiting> link_waits;         ///< by row of link_loads; empty: not known
    std::vector<growing_source> growing;          ///< sorted, the fastest first
    std::vector<congestion_root> congestion;      ///< sorted, the worst first
    std::vector<congested_link> congested_links;  ///< sorted by root and distance
    std::vector<std::uint64_t> pair_flits;        ///< flits injected, [source * nodes + destination]
    std::vector<node_result> node_loads;
    std::vector<router_result> router_places;
    std::vector<port_result> port_places;   ///< input ports; empty unless figures of ports were asked for
    std::uint32_t classes = 0;              ///< number of message classes
    std::vector<class_result> class_loads;  ///< classes; empty if there is one
    std::shared_ptr<const layout> picture;  ///< null: the topology has none, or after keep_figures()
    std::vector<std::pair<std::string, double>> router_counts;  ///< counters of kinds of routers
    std::vector<router_group_result> router_groups;             ///< empty if all routers are alike
    /// Numbers of flits in a VC buffer, each with the number of samples that found so many, over all routers.
    std::vector<std::pair<std::uint32_t, std::uint64_t>> queue_occupancy;
    /// Numbers of packets in the measured window by hops: injected ones by routers on a shortest path
    /// (networks of up to 1,024 nodes), consumed ones by routers visited.
    struct distance_bin {
        std::uint32_t hops;
        std::uint64_t injected, consumed;
    };
    std::vector<distance_bin> distances;
    struct pair_traffic {
        std::uint32_t source, destination;
        std::uint64_t packets = 0, flits = 0;  ///< injected in the measured window
        std::uint64_t waiting = 0;             ///< flits in the source queue at the end of the window
        std::uint64_t consumed = 0, consumed_flits = 0;  ///< packets and flits, in the window
    };
    std::vector<pair_traffic> matrix;  ///< pairs of nodes; empty unless it was asked for
    std::vector<std::pair<std::string, std::string>> tables;  ///< tables of the workload: file name, CSV text
    result_streams files;  ///< result files that are too large for memory; pieces of one file in order

    /// Columns of all figures by scope, with a row for each place above. Values are read when they are asked
    /// for, from the network and its statistics, unless they are kept.
    figure_columns figures;
    /// Reads and keeps all figures, so that the network is not needed any more.
    void keep_figures();
    /// Returns all columns of a scope, in order.
    std::vector<figure_view> columns_of(scope of) const;
    /// Returns a column by its name; an empty view if there is none.
    figure_view column_of(scope of, const std::string& name) const;
    /// Value of a figure of the run by its name; NaN if there is none.
    double figure_of(const std::string& name) const;
    /// Text of a link: "router io to node dram"; with a name of its own, "north, router io to router cpu".
    std::string text_of(const link_result& l) const;
    /// Text of a link in a sentence: "the link from router 3 to router 4", "the ejection of node 5".
    std::string name_of(const link_result& l) const;
    /// True if the means do not depend on the length of the run: neither saturated nor unsettled.
    bool is_steady() const { return status != run_status::saturated && status != run_status::unsettled; }
    /// Row of the link with the highest utilisation, links of nodes included; none if it is not known.
    std::optional<std::size_t> busiest_link() const;
};

/// Mean and maximum of a figure over links between routers; 0 if there are none, or no measured window.
struct mean_and_most {
    double mean = 0, most = 0;
};
mean_and_most over_channels(const run_result& out, const std::string& figure);

/// Rounds a coordinate of a picture to 4 digits behind the point; never returns -0.
double round_for_picture(double x);

}  // namespace sare
