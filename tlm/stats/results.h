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

/// Verdict on a run: whether it has ended as asked, and whether there is a steady mean.
enum class run_status {
    completed,    ///< measured as asked with a steady mean, or the workload ran to its end
    saturated,    ///< the backlog of some source grows without bound, so that no steady mean exists
    deadlock,     ///< nothing moved for measurement.watchdog cycles with flits in the network
    stuck,        ///< the network is empty, and the workload waits for a message that will never come
    cycle_limit,  ///< the workload had not ended in cycle measurement.max_cycles
    failed,       ///< something outside of the network failed, such as a program that was started
    interrupted,  ///< run_control::stop ended the run, as a signal does; figures are of the cycles until then
    /// Too few packets or too few cycles were measured to tell whether there is a steady mean.
    unsettled
};
/// Returns the name of the enumerator.
const char* to_string(run_status s);

/// Figures of a latency, in cycles but for `count`; NaN without samples.
struct latency_summary {
    std::uint64_t count = 0;  ///< number of samples
    /// stddev: standard deviation; p50 to p999: percentiles 50, 95, 99 and 99.9.
    double mean = 0, stddev = 0, min = 0, max = 0, p50 = 0, p95 = 0, p99 = 0, p999 = 0;
    /// Half width of the 95% confidence interval of `mean`, from the means of batches; NaN with fewer than
    /// 2 batches, or if the mean is not steady.
    double ci95 = 0;
};

/// Latencies until the last flit is consumed: from generation, and from the injection of the first flit.
struct latency_pair {
    latency_summary from_generation, from_injection;
};

/// Numbers of packets, flits or messages since the start. `injected` messages are ones whose first flit has
/// been injected; `dropped` messages are lost ones.
struct counts {
    /// copied: copies that routers have made (multicast); always 0 for messages.
    std::uint64_t generated = 0, injected = 0, consumed = 0, dropped = 0, copied = 0;
    std::uint64_t refused = 0;  ///< generated and then refused, since source queues were full
};

/// Figures of a batch, one of the equal parts of the measured window; loads in flits per node and cycle, mean
/// latency in cycles from generation of the packets consumed in it, NaN without packets.
struct batch_result {
    std::uint64_t from = 0, to = 0;  ///< the batch, cycles [from, to)
    double latency_mean = 0, accepted = 0, offered = 0, injected = 0;
};

/// A point of the time series: figures of an interval of the run, which begins with the `cycle` of the point
/// before. Loads in flits per node and cycle, latency in cycles from generation, NaN without packets.
struct series_point {
    std::uint64_t cycle = 0;  ///< first cycle after the interval
    double offered = 0, injected = 0, accepted = 0, latency_mean = 0;
    std::uint64_t packets_in_network = 0;  ///< number of packets in the network at the end of the interval
};

/// Numbers of packets with a latency in [low, high) cycles, from generation and from injection.
struct histogram_bin {
    std::uint64_t low = 0, high = 0;                        ///< the bin, cycles [low, high)
    std::uint64_t from_generation = 0, from_injection = 0;  ///< numbers of packets
};

/// Counters of a node in the measured window.
struct node_result {
    std::uint32_t node = 0, router = 0;  ///< number of the node, and of the router into which it sends
    /// Packets generated at, injected by and consumed by the node.
    std::uint64_t generated = 0, injected = 0, consumed = 0;
    /// Flits generated, and flits that arrived at the node (with retransmission each counted once).
    std::uint64_t generated_flits = 0, accepted_flits = 0;
};

/// Counters of a message class in the measured window, over all nodes; loads in flits per node and cycle.
struct class_result {
    /// Packets of the class generated, injected and consumed.
    std::uint64_t generated = 0, injected = 0, consumed = 0;
    double offered_load = 0, injected_load = 0, accepted_load = 0;
    latency_pair latency;  ///< latencies of packets of the class
};

/// An input port of a router: a row for figures of ports.
struct port_result {
    std::uint32_t router = 0, port = 0;  ///< number of the router, and of its port
};

/// A router: a row for figures of routers.
struct router_result {
    std::uint32_t router = 0;  ///< number of the router
};

/// A group of routers of one kind with the same parameters.
struct router_group_result {
    std::string name;  ///< kind, and parameters that differ from the section 'router': "vc, depth 16"
    config::number_set routers;  ///< numbers of the routers
};

/// A source whose backlog grows beyond chance (source_backlogs::trend::growing).
struct growing_source {
    /// Rates of a source.
    struct rate {
        double offered = 0, sent = 0;  ///< flits a cycle, in the measured window
        double error = 0;  ///< standard error of offered - sent, in flits a cycle, for a source that keeps up
    };
    /// Rates of a message class at the node.
    struct class_rate : rate {
        std::uint32_t message_class = 0;  ///< number of the class
    };
    std::uint32_t node = 0;           ///< number of the node
    rate all;                         ///< rates of all classes together
    std::vector<class_rate> classes;  ///< classes whose messages pile up; empty: there is one class
};

/// A link where congestion begins, the *root* of a tree of links that it holds up (docs/congestion.md).
/// Numbers of links are rows of run_result::link_loads.
struct congestion_root {
    /// Reasons why packets wait for the link at the root.
    enum class reason : std::uint8_t {
        busy,       ///< the link carries all that it can
        consumer,   ///< the link leads to a node, which has no room for more flits
        circle,     ///< links hold each other up in a circle
        vcs,        ///< the link's VCs are owned by packets whose next flits are still on their way to it
        atomic,     ///< the link's VCs are free, and are granted again only when all their credits are back
        credits,    ///< the buffers at the link's end are too short for the round trip of a credit
        pace,       ///< the switch takes the next flit of an input VC only after several cycles
        allocator,  ///< flits are ready, and the switch allocator does not choose them
        input,      ///< flits are ready, nearly all at one input port, which sends one flit a cycle
        pipeline,   ///< packets are in the pipeline stages before the switch
        clock,      ///< the link carries all that it can at the clock of a domain, which is slow
        reasons     ///< number of reasons, itself none
    };
    std::size_t link = 0;            ///< row of the link where congestion begins
    reason why = reason::busy;       ///< reason of the congestion
    std::uint64_t from = 0, to = 0;  ///< cycles [from, to) in which the link was congested
    std::string domain;              ///< domain whose slow clock bounds what the link can carry; "": none
    double utilisation = 0;          ///< utilisation of the link, 0 to 1, in these cycles
    double lost = 0;  ///< share, 0 to 1, of these cycles in which packets waited and the link was idle
    /// Most flits a cycle that the link can carry; NaN: unknown.
    double capacity = std::numeric_limits<double>::quiet_NaN();
    /// Flits a cycle offered to the link; NaN: unknown.
    double offered = std::numeric_limits<double>::quiet_NaN();
    std::size_t links = 0;               ///< number of links in the tree without the root
    std::vector<std::uint32_t> sources;  ///< nodes whose injection links are in the tree, ascending
    /// Rows of links of the tree, each held up by the next: from the injection link of the source that grows
    /// fastest, or else from the link farthest from the root, to the root.
    std::vector<std::size_t> chain;
};
/// Returns the name of the reason; `why` must not be `reasons`.
const char* to_string(congestion_root::reason why);

/// A link of a tree of congestion, its root included.
struct congested_link {
    std::size_t link = 0, root = 0;  ///< row of the link; index of its root in run_result::congestion
    std::uint32_t distance = 0;      ///< number of links from this link to the root; 0: it is the root
    double waiting = 0;              ///< number of packets that wait for the link, averaged over cycles
};

/// All results of a run. Vectors of results are empty, and figures are 0 or NaN, if a run does not have them.
struct run_result {
    run_status status = run_status::completed;  ///< verdict on the run
    /// Reason for the status, a sentence without its full stop; "": completed and nothing to say.
    std::string reason;
    std::uint64_t seed = 0;                            ///< seed of the run
    std::uint64_t cycles = 0;                          ///< cycles simulated in all
    std::uint64_t measured_from = 0, measured_to = 0;  ///< measured window, cycles [from, to)
    double clock_period_s = 1e-9;                      ///< period of the network's clock in s
    counts packets, flits, messages;                   ///< counters since the start
    /// Packets and flits dropped for a cause.
    struct drop_count {
        std::string cause;             ///< cause, such as "failure" (namespace loss)
        std::uint64_t packets, flits;  ///< numbers of packets and of their flits
    };
    std::vector<drop_count> drops;                                     ///< drops since the start, by cause
    std::vector<std::pair<std::string, std::uint64_t>> lost_messages;  ///< number of messages lost, by cause
    /// Counters of retransmission as a map (go_back_n::summary()); null: there is no retransmission.
    config::value reliable;
    /// Links and routers that failed together, for good.
    struct failure_result {
        std::uint64_t at = 0;  ///< first cycle in which they carry nothing
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ports;  ///< router and output port of each link
        std::vector<std::uint32_t> routers;                          ///< numbers of the routers
    };
    std::vector<failure_result> failures;  ///< failures of the configuration, by rising cycle
    std::uint64_t detoured = 0;  ///< number of detours of packets around blocked links since the start
    double offered = 0, injected = 0, accepted = 0;  ///< flits per node and cycle in the measured window
    double refused = 0;  ///< part of `offered` that full source queues refused, in flits per node and cycle
    /// Latencies of packets and of messages that were consumed in the measured window.
    latency_pair packet_latency, message_latency;
    /// Routers visited by a packet consumed in the measured window: mean and maximum; NaN: no packet.
    double hops_mean = 0, hops_max = 0;
    /// Accepted loads of single nodes in the measured window: the least and the largest, in flits a cycle,
    /// and Jain's index of fairness, at most 1 (all equal), or NaN if nothing was accepted.
    double fairness_min = 0, fairness_max = 0, fairness_jain = 0;
    std::string topology;                  ///< name of the topology
    place_names names;                     ///< names of routers, nodes and links
    std::uint64_t nodes = 0, routers = 0;  ///< numbers of nodes and routers
    std::uint64_t links = 0;               ///< number of links, of nodes too; both directions count as one
    std::uint64_t channels = 0;            ///< number of links between routers; each direction counts as one
    std::vector<std::uint32_t> dims;       ///< sizes of the grid of routers; empty: the topology is no grid
    config::value workload;                ///< results that the workload itself gives, a map; null: none
    std::string deadlock_check;            ///< result of the static check for deadlock, or why there was none
    bool proved_deadlock_free = false;     ///< true: the static check has proved freedom from deadlock
    config::value workload_host;           ///< results of the workload that depend on the machine; null: none
    /// Time and memory that the run took, which are not the same from run to run.
    struct machine_result {
        /// Seconds for building the network, the static check for deadlock included.
        double elaboration_s = 0;
        /// Seconds of wall clock for running the cycles; simulated cycles per second of wall clock.
        double wall_s = 0, cycles_per_s = 0;
        /// Seconds of processor time for running the cycles, of all threads of this process.
        double processor_s = 0;
        std::uint64_t peak_rss_bytes = 0;  ///< most memory of this process, in bytes
    } machine;
    std::uint64_t flit_hops = 0;  ///< sum over consumed packets since the start: flits times routers visited
    std::uint32_t threads = 1;    ///< number of threads that ran the network
    /// Number of routers by their kind and its implementation ("vc, scanned"), see router_bank::variant().
    std::map<std::string, std::uint32_t> router_variants;
    /// Number of processes that ran the network, and their communication: network cycles between two
    /// exchanges of flits (a window); number of windows; links between processes (each direction counts as
    /// one); messages and bytes sent by all.
    struct border_result {
        std::uint64_t processes = 1, window_cycles = 0, windows = 0, crossing_links = 0, messages = 0,
                      bytes = 0;
    } border;

    std::vector<batch_result> batches;             ///< batches of the measured window, in order
    std::vector<series_point> series;              ///< time series, in order
    std::vector<histogram_bin> latency_histogram;  ///< packet latencies by rising `low`, no empty bins
    /// Links with their flits in the measured window; empty in the contention-free model.
    link_rows link_loads;
    /// Numbers of packets that wait for a link, averaged over cycles, by what they lack: a free VC, credits,
    /// or their turn at the switch.
    struct link_waiting {
        double vc = 0, credit = 0, turn = 0;
    };
    std::vector<link_waiting> link_waits;  ///< packets that wait, by row of link_loads; empty: not known
    std::vector<growing_source> growing;   ///< sources whose backlogs grow beyond chance, the fastest first
    std::vector<congestion_root> congestion;      ///< roots of congestion, the worst first
    std::vector<congested_link> congested_links;  ///< links of all trees of congestion, by root and distance
    /// Flits injected in the measured window, [source * nodes + destination]; empty: not counted.
    std::vector<std::uint64_t> pair_flits;
    std::vector<node_result> node_loads;       ///< counters of all nodes, by node
    std::vector<router_result> router_places;  ///< all routers, by number: rows of figures of routers
    /// Input ports of all routers, by router and port; empty unless a statistic has figures of ports.
    std::vector<port_result> port_places;
    std::uint32_t classes = 0;              ///< number of message classes
    std::vector<class_result> class_loads;  ///< counters of message classes; empty if there is one class
    /// Drawing of the network; null: the topology has none, or keep_figures() was called.
    std::shared_ptr<const layout> picture;
    /// Names and values of counters that only some kinds of routers have.
    std::vector<std::pair<std::string, double>> router_counts;
    /// Groups of routers with the same parameters; empty if all routers are alike.
    std::vector<router_group_result> router_groups;
    /// Number of samples that found n flits in a VC buffer, by n, over all routers and samples: pairs (n,
    /// samples).
    std::vector<std::pair<std::uint32_t, std::uint64_t>> queue_occupancy;
    /// Numbers of packets in the measured window with `hops` hops: `injected` counts routers on a shortest
    /// path (0 in networks of more than 1,024 nodes), `consumed` routers visited.
    struct distance_bin {
        std::uint32_t hops;
        std::uint64_t injected, consumed;
    };
    std::vector<distance_bin> distances;  ///< bins in ascending order, without empty ones
    /// Traffic from one node to another.
    struct pair_traffic {
        std::uint32_t source, destination;     ///< numbers of the nodes
        std::uint64_t packets = 0, flits = 0;  ///< packets and flits injected in the measured window
        std::uint64_t waiting = 0;             ///< flits in the source queue at the end of the run
        /// Packets and flits consumed in the measured window.
        std::uint64_t consumed = 0, consumed_flits = 0;
    };
    /// Pairs of nodes with traffic, by source and destination; empty unless measurement.matrix asks for it.
    std::vector<pair_traffic> matrix;
    /// Further result files that are tables: file name without a folder, CSV text.
    std::vector<std::pair<std::string, std::string>> tables;
    /// Result files too large for memory, written by functions; pieces of one file follow each other.
    result_streams files;

    /// Columns of all figures by scope, with a row for each place (such as link_loads). Values are read from
    /// the network and its statistics when they are asked for, until keep_figures() stores them.
    figure_columns figures;
    /// Reads and stores all figures, so that the network and its statistics are not needed any more.
    void keep_figures();
    /// Returns all columns of a scope, in order. scope::link has the columns of scope::vc, too; scope::vc
    /// none.
    std::vector<figure_view> columns_of(scope of) const;
    /// Returns the column of a scope with a name; an empty view if there is none.
    figure_view column_of(scope of, const std::string& name) const;
    /// Returns the value of a figure of the run by its name; NaN if there is none, or if it is a text.
    double figure_of(const std::string& name) const;
    /// Returns a text for a link: "router io to node dram"; with a name of its own, "north, router io to
    /// router cpu".
    std::string text_of(const link_result& l) const;
    /// Returns a text for a link in a sentence: "the link from router 3 to router 4", "the ejection of node
    /// 5".
    std::string name_of(const link_result& l) const;
    /// True if the status is neither saturated nor unsettled.
    bool is_steady() const { return status != run_status::saturated && status != run_status::unsettled; }
    /// Returns the row in link_loads of the link with the highest utilisation, links of nodes included, the
    /// first of equals; nothing if no utilisation is known.
    std::optional<std::size_t> busiest_link() const;
};

/// Mean and maximum of a figure.
struct mean_and_most {
    double mean = 0, most = 0;
};
/// Returns mean and maximum of the figure of links named `figure` over the links between routers; 0 if there
/// are no such links, no such figure, or no measured window.
mean_and_most over_channels(const run_result& out, const std::string& figure);

/// Returns `x`, a coordinate or angle of a picture, rounded to 4 digits behind the decimal point; never -0.
double round_for_picture(double x);

}  // namespace sare
