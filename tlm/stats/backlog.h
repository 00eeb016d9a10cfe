// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <vector>

namespace sare {

class archive;
class counted_network;
class workload;

/// Backlogs of sources (a source is a node, or a node and message class), and a test whether they grow
/// without bound (docs/results.md#verdicts).
///
/// If messages come at random and a source sends as fast as they come on the average, its backlog after T
/// cycles is at most of the order of sqrt(v T). The variance v is that of the flits that come in a cycle. So
/// backlog / sqrt(v T) is a number without unit, `rate::errors`, that stays small; if a source cannot send
/// what it is offered, this number grows with sqrt(T).
///
/// A source that could send s flits a cycle more than it is offered has a mean backlog of v / 2s. It works
/// off an earlier backlog within about v / s^2 cycles. If that is longer than the window, so that the mean is
/// above sqrt(v T) / 2, the window cannot tell the source from one that grows.
class source_backlogs {
  public:
    source_backlogs() = default;
    /// `nodes`, `classes`: numbers of nodes and of message classes of the network.
    source_backlogs(std::uint32_t nodes, std::uint32_t classes)
        : m_injected(classes > 1 ? std::size_t{nodes} * classes : 0), m_classes(classes) {}

    /// Counts a packet of `flits` flits whose head leaves a node. Call it for every packet if there are
    /// several message classes, and never if there is one. Numbers are not checked.
    void injected(std::uint32_t node, std::uint32_t message_class, std::uint32_t flits);
    /// Takes a sample of all backlogs at the end of an interval, before cycle `now`; does nothing if `now` is
    /// 0 or no later than in the call before. Call after w.generated(now - 1); not checked.
    void note(cycle_t now, const counted_network& net, const workload& w);
    /// Begins the measured window at the cycle of the last sample, or at cycle 0; a second call begins anew.
    void start_window();

    /// Rates of a source in the measured window, and the result of the test.
    struct rate {
        /// Flits a cycle that were generated; flits a cycle that left the backlog.
        double offered = 0, sent = 0;
        /// Standard error of `offered` - `sent` for a source that keeps up, sqrt(v / window), in flits a
        /// cycle.
        double error = 0;
        /// Result of the test, backlog / sqrt(v T), without unit: the larger, the less likely does the source
        /// keep up. 0 if the backlog grew by no more than 1% of the flits offered in the window; else above
        /// 1.645 if it is more than 3% of all flits offered since the start and more than messages at random
        /// explain. Above 1.645 in any case if the window is too short to tell (see the class).
        double errors = 0;
    };
    /// Rates of a message class at a node.
    struct class_rate : rate {
        std::uint32_t message_class = 0;  ///< number of the class
    };
    /// A node whose backlog grows, or may grow. Its rates are those of all its classes together, but `errors`
    /// is the largest of the node's own and of its classes'.
    struct growth : rate {
        std::uint32_t node = 0;  ///< number of the node
        /// Classes whose backlog grows or, if none does, the one with the largest `errors`; empty in a
        /// network with one class.
        std::vector<class_rate> classes;
    };
    /// Result of the test for all nodes.
    struct trend {
        /// Nodes whose backlogs grow more than by chance (if none grows, any seems to in 1% of runs), by
        /// falling `offered` - `sent`.
        std::vector<growth> growing;
        /// Nodes with `errors` above 1.645 that are not in `growing`, fastest first.
        std::vector<growth> doubtful;
        bool all_together = false;  ///< true: the sum of all backlogs grows more than by chance (1%)
        std::uint32_t sources = 0;  ///< number of nodes that have been offered any message
    };
    /// Returns the trend from the beginning of the window to the last sample; an empty one, with `sources` 0,
    /// if no sample was taken in the window. `message_flits`: mean flits of a message since the start.
    trend find_trend(double message_flits) const;

    /// Adds the samples of another process, source by source. Both must have sampled in the same cycles (not
    /// checked).
    void add(const source_backlogs& other);
    void serialize(archive& a);  ///< writes the samples to `a`, or reads them from it

  private:
    /// Samples of a source.
    struct source {
        /// Flits offered since the start; flits that wait at the source, both in the last sample.
        std::uint64_t offered = 0, waiting = 0;
        std::uint64_t window_offered = 0, window_waiting = 0;  ///< both at the beginning of the window
        std::uint64_t window_least = 0,
                      window_sum = 0;  ///< least and sum of `waiting` in samples of the window
        double squares = 0;            ///< sum of (change of `waiting`)^2 / cycles, over intervals

        /// Takes a sample, `length` (above 0) cycles after the last one: flits offered, and flits that wait.
        void note(std::uint64_t now_offered, std::uint64_t now_waiting, double length);
        void start_window();
        source& operator+=(const source& other);
    };
    /// Returns v, the variance of the flits that come and go in a cycle, from the samples; at least the
    /// variance of messages that come at random, flits offered a cycle times `message_flits`.
    double variance(const source& s, double message_flits) const;
    /// True if a source works off its backlog so slowly that the window cannot tell it from one that grows
    /// (see the class).
    bool is_slow(const source& s, double message_flits) const;
    rate rate_of(const source& s, double message_flits) const;
    growth growth_of(std::uint32_t node, double message_flits) const;

    std::vector<source> m_sources;   ///< samples of each node
    std::vector<source> m_by_class;  ///< samples, [node * classes + class]; empty: one class
    /// Flits of packets whose heads have left since the start, indexed as m_by_class.
    std::vector<std::uint64_t> m_injected;
    std::uint32_t m_classes = 1;            ///< number of message classes
    cycle_t m_now = 0, m_window_start = 0;  ///< cycle of the last sample; first cycle of the window
    /// Numbers of samples since the start, and since the beginning of the window.
    std::uint64_t m_intervals = 0, m_window_intervals = 0;
};

}  // namespace sare
