// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <vector>

namespace sare {

class archive;
class counted_network;
class workload;

/// Backlogs of sources (node and message class), and a test whether they grow without bound
/// (docs/results.md#verdicts).
///
/// If messages come at random and a source sends as fast as they come on the average, its backlog after T
/// cycles is at most of the order of sqrt(v T), where v is the variance of the flits that come in a cycle. So
/// backlog / sqrt(v T) is a number without unit, `rate::errors`, that stays small; if a source cannot send
/// what it is offered, this number grows with sqrt(T).
///
/// A source that could send s flits a cycle more than it is offered has a mean backlog of v / 2s, and forgets
/// an earlier backlog within about v / s^2 cycles. If that is longer than the window, so that the mean is
/// above sqrt(v T) / 2, the window cannot tell the source from one that grows.
class source_backlogs {
  public:
    source_backlogs() = default;
    /// `nodes`, `classes`: numbers of nodes and of message classes of the network.
    source_backlogs(std::uint32_t nodes, std::uint32_t classes)
        : m_injected(classes > 1 ? std::size_t{nodes} * classes : 0), m_classes(classes) {}

    /// Counts a packet of `flits` that begins to leave a node. Call for every packet if there are several
    /// message classes; never call with one class.
    void injected(std::uint32_t node, std::uint32_t message_class, std::uint32_t flits);
    /// Takes a sample of all backlogs at the end of an interval, before cycle `now`; ignores a call that is
    /// no later than the last one. Call after workload::generated(now - 1).
    void note(cycle_t now, const counted_network& net, const workload& w);
    /// Begins the measured window at the last sample.
    void start_window();

    /// Flow of a source in the measured window.
    struct rate {
        double offered = 0, sent = 0;  ///< flits a cycle that were generated, and that left the backlog
        double error = 0;  ///< standard error of offered - sent if the source kept up, flits a cycle
        /// Backlog over the standard error of a source that keeps up, without unit. 0 if it grew by less than
        /// 1% of what was offered in the window; above 1.645 in any case if it is too large or too slow to
        /// tell.
        double errors = 0;
    };
    struct class_rate : rate {
        std::uint32_t message_class = 0;
    };
    /// A node whose backlog grows, or may grow. Its rates are sums over its classes, but `errors` is the
    /// largest of the node's own and its classes'.
    struct growth : rate {
        std::uint32_t node = 0;
        /// Classes whose backlog grows, or the class with the most errors if none does; empty: one class.
        std::vector<class_rate> classes;
    };
    /// Result of the test.
    struct trend {
        std::vector<growth> growing;   ///< nodes that grow beyond chance (1% that any does), fastest first
        std::vector<growth> doubtful;  ///< nodes that may grow: above 1.645 errors, but not beyond chance
        bool all_together = false;     ///< the sum of all backlogs grows beyond chance
        std::uint32_t sources = 0;     ///< number of nodes that have been offered anything
    };
    /// Returns the trend from the start of the window to the last sample; empty if there is no sample since.
    /// `message_flits`: mean length of messages.
    trend find_trend(double message_flits) const;

    void add(const source_backlogs& other);  ///< adds the samples of another process, element by element
    void serialize(archive& a);

  private:
    struct source {
        std::uint64_t offered = 0, waiting = 0;  ///< flits since the start, and flits of these that wait
        std::uint64_t window_offered = 0, window_waiting = 0;  ///< both as the window began
        std::uint64_t window_least = 0,
                      window_sum = 0;  ///< least and sum of `waiting` in samples of the window
        double squares = 0;            ///< sum of (change of `waiting`)^2 / cycles, over intervals

        void note(std::uint64_t now_offered, std::uint64_t now_waiting, double length);
        void start_window();
        source& operator+=(const source& other);
    };
    /// Variance v of the flits that come and go in a cycle, from the intervals; at least that of random
    /// messages.
    double variance(const source& s, double message_flits) const;
    /// True if the backlog takes longer than the window to forget.
    bool is_slow(const source& s, double message_flits) const;
    rate rate_of(const source& s, double message_flits) const;
    growth growth_of(std::uint32_t node, double message_flits) const;

    std::vector<source> m_sources;          ///< samples of each node
    std::vector<source> m_by_class;         ///< samples, [node * classes + class]; empty: one class
    std::vector<std::uint64_t> m_injected;  ///< flits since the start, indexed as m_by_class
    std::uint32_t m_classes = 1;
    cycle_t m_now = 0, m_window_start = 0;  ///< cycle of the last sample, and of the first one of the window
    std::uint64_t m_intervals = 0, m_window_intervals = 0;  ///< numbers of samples, in all and in the window
};

}  // namespace sare
