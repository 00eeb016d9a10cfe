// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/observer.h"
#include "tlm/base/function.h"
#include "tlm/stats/backlog.h"
#include "tlm/stats/class_counts.h"
#include "tlm/stats/hop_counts.h"
#include "tlm/stats/latency.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sare {

class statistic_set;
struct run_result;

/// Statistics that every run has: counts packets and messages while the run goes on, and reads the counters
/// of the network at the ends of intervals. Latencies are of packets that are consumed in the measured
/// window. If several processes run the network, all of them must make the calls in the same order.
class collector final : public observer {
  public:
    /// Function that returns the number of flits that a router has sent by a VC of output port `port` since
    /// the start of the run, modulo 2^32.
    using sent_flits = function<std::uint32_t(std::uint32_t router, std::uint32_t port, std::uint32_t vc)>;
    /// Makes a collector for `net`, which must outlive it. `matrix`: true: packets and flits are also counted
    /// by source and destination. `sent`: called instead of net.flits_sent(), for networks with routers in
    /// RTL; null: `net` is asked. The owner must pass the collector to network_engine::add_observer().
    collector(const counted_network& net, bool matrix, sent_flits sent = nullptr);

    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override;
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override;
    void message_consumed(const message_record& m, cycle_t now) override;
    void single_packet_message_consumed(std::uint32_t node, const packet& p, const message_record& m,
                                        cycle_t now) override;

    /// Figures of an interval of the run.
    struct interval {
        cycle_t from = 0, to = 0;  ///< interval, cycles [from, to)
        /// Mean cycles from generation to consumption of the packets consumed in the interval; NaN: none was.
        double latency_mean = 0;
        double offered = 0, injected = 0, accepted = 0;  ///< flits per node and cycle; 0 if from = to
        std::uint64_t packets = 0;                       ///< packets consumed in the interval
    };
    /// Ends an interval before cycle `now`, and returns its figures; works before the measured window, too.
    /// The first interval begins with cycle 0, the next one with `now`. Calls w.generated(now - 1).
    interval end_interval(cycle_t now, workload& w);

    /// Takes a sample of the backlogs of sources before cycle `now`, for report(). Call after end_interval().
    void note_backlogs(cycle_t now, const workload& w) { m_backlogs.note(now, m_net, w); }
    /// Calls w.measured_from(now), and begins the measured window, whose first cycle is `now`.
    void start_measuring(cycle_t now, workload& w);
    /// Begins the measured window without telling the workload, for running_figures, which are shown while
    /// the run goes on. Call once (not checked).
    void start_window(cycle_t now, workload& w);
    /// Fills a new `out` as if the measured window ended before cycle `now`; the window goes on. If several
    /// processes run the network, figures of links, nodes and latencies are of this process alone.
    void report_so_far(cycle_t now, workload& w, run_result& out) const;
    /// Takes a sample of the number of flits in each input VC's buffer before cycle `now`, in the measured
    /// window or not. After start_window() also calls sample() of the optional statistics.
    void sample_queues(cycle_t now);
    /// Sets the optional statistics of the run, which the collector starts, samples and stops with the
    /// measured window. `asked` must outlive the collector. Call once, before the window begins.
    void ask(statistic_set& asked);
    /// Returns the next cycle before which one of the optional statistics must look at the network (look());
    /// workload::never: none must.
    cycle_t next_look() const;
    /// Calls look() of the optional statistics for which it is due, before cycle `now`.
    void look(cycle_t now);
    /// Ends the measured window before cycle `now`, fills `out`, and returns the trend of the sources'
    /// backlogs from the samples of note_backlogs(). If several processes run the network, ranks above 0 get
    /// no results and an empty trend. Call once (not checked): the counters of links move into `out`.
    source_backlogs::trend report(cycle_t now, workload& w, run_result& out);
    /// Returns the number of flits sent by all routers, plus flits injected and consumed by all NICs, since
    /// the start, modulo 2^32. The watchdog ends a run in which this number stays the same.
    std::uint32_t moves() const;
    /// Writes the counters of the collector itself to `a`, or reads them from it.
    void serialize(archive& a);
    /// Writes or reads these and then the counters of the optional statistics, for checkpoints.
    void serialize_all(archive& a);

  private:
    /// Flits since the start, over all nodes and processes.
    struct totals {
        std::uint64_t generated = 0, injected = 0, consumed = 0;  ///< numbers of flits
    };
    /// Counters of a node since the start.
    struct node_totals {
        node_counts moved;  ///< counters of the network; consumed ones without packets that own_traffic adds
        std::uint64_t generated_packets = 0, generated_flits = 0;
        /// Messages and flits that were generated and refused, as source queues were full.
        generated_counts refused;
        node_totals& operator+=(const node_totals& o) {
            moved += o.moved;
            generated_packets += o.generated_packets;
            generated_flits += o.generated_flits;
            refused += o.refused;
            return *this;
        }
    };
    /// Sums over all processes at one point in time.
    struct sums {
        /// Messages and flits generated; packets (as `messages`) and flits of the workload consumed.
        generated_counts generated, useful;
        std::uint64_t flits_injected, packets_generated, packets_injected, messages_started, flit_hops;
        totals flits() const { return {generated.flits, flits_injected, useful.flits}; }
    };
    sums read_all(cycle_t now, workload& w) const;
    totals read(cycle_t now, workload& w) const;
    generated_counts generated(cycle_t now, workload& w) const;
    generated_counts sum_of_all(generated_counts here) const;
    generated_counts useful(const workload& w) const;
    std::uint64_t packets_generated(const sums& all, const workload& w) const;
    source_backlogs::trend fill(cycle_t now, const sums& all, const packet_changes& changes,
                                const workload& w, run_result& out);
    std::vector<std::uint32_t> links_now() const;                 ///< counted::links, read now
    std::vector<node_totals> nodes_now(const workload& w) const;  ///< counted::nodes, read now
    void note_end(const workload& w) {
        m_at_end = {links_now(), nodes_now(w)};
        m_classes.stop(w);
    }
    void add_other_processes(world& all);
    void add(const collector& other);
    node_totals read_node(std::uint32_t node, const workload& w) const;
    static void report_changes(const packet_changes& c, run_result& out);
    void report_classes(double cycles, const workload& w, run_result& out) const;
    void report_links(run_result& out);
    std::size_t outputs() const;  ///< number of ports of all routers; 0 in the contention-free model
    void report_nodes(double cycles, const workload& w, run_result& out) const;

    /// Packets and flits from one node to another, injected and consumed in the measured window.
    struct pair_counts {
        std::uint64_t injected = 0, injected_flits = 0, consumed = 0, consumed_flits = 0;
    };
    struct pair_table;
    pair_counts& counts_of_pair(const packet& p);
    pair_table& own_pairs();
    void add_pairs(const collector& other);
    void serialize_pairs(archive& a);
    bool count_consumed(const packet& p, cycle_t now);
    void count_message(const message_record& m, cycle_t now);

    const counted_network& m_net;           ///< network whose counters are read
    std::uint32_t m_terminals;              ///< number of nodes but combiners, by which loads are divided
    statistic_set* m_asked = nullptr;       ///< optional statistics; null: none
    statistic_set* m_of_packets = nullptr;  ///< m_asked if some of these statistics want packets; else null
    /// m_asked if some of these statistics want messages; else null.
    statistic_set* m_of_messages = nullptr;
    sent_flits m_sent;         ///< returns the flits that an output VC has sent, see the constructor
    bool m_matrix;             ///< true: packets and flits are counted by pair of nodes
    bool m_measuring = false;  ///< true: the measured window has begun
    /// Packets consumed since the last end_interval(), and the sum of their latencies in cycles.
    struct arrivals {
        std::uint64_t packets = 0, latency = 0;
    } m_arrivals;
    /// Beginning of an interval or of the window.
    struct beginning {
        cycle_t at = 0;
        totals counted;  ///< flits before cycle `at`
    };
    beginning m_interval, m_window;  ///< beginnings of the present interval, and of the measured window
    source_backlogs m_backlogs;
    class_counts m_classes;
    hop_counts m_hops;
    /// Latencies in cycles, from generation and from injection of the first flit to consumption.
    struct histograms {
        latency_histogram generation, injection;
        void record(cycle_t generated, cycle_t injected, cycle_t now) {
            const cycle_t all = now - generated, inside = now - injected;
            // One branch off the usual path, which does not come back to it: what is usual calls nothing.
            if (__builtin_expect(!latency_histogram::is_usual(all) || !latency_histogram::is_usual(inside),
                                 0))
                return record_long(all, inside);
            generation.record(all);
            injection.record(inside);
        }
        __attribute__((noinline)) void record_long(cycle_t all, cycle_t inside) {
            generation.record(all);
            injection.record(inside);
        }
        void add(const histograms& others) {
            generation.add(others.generation);
            injection.add(others.injection);
        }
        template <class Archive>
        void serialize(Archive& a) {
            a(generation, injection);
        }
    };
    /// Latencies of packets, of messages, and of packets that are a whole message. The last are in
    /// m_lone_latency alone, since packet and message have the same latencies.
    histograms m_packet_latency, m_message_latency, m_lone_latency;
    std::uint64_t m_messages_consumed = 0;  ///< messages consumed since the start
    /// Counters of all links and nodes at one point in time.
    struct counted {
        std::vector<std::uint32_t> links;  ///< flits sent, by output VC in order of router, port, VC
        std::vector<node_totals> nodes;    ///< counters of each node, by its number
    };
    counted m_at_start;  ///< counters at the beginning of the window
    counted m_at_end;  ///< counters of all processes at the end of the window; empty if there is one process
    std::vector<std::uint64_t> m_occupancy;  ///< number of samples that found n flits in a VC buffer, [n]
    /// Counters by pair of nodes; copies of the collector share them until one of them changes.
    std::shared_ptr<pair_table> m_pairs;
};

}  // namespace sare
