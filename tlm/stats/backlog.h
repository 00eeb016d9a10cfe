// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <vector>

namespace sare {

class archive;
class counted_network;
class workload;

/// What waits in sources, and whether that grows without bound (docs/results.md#verdicts).
///
/// Of a source whose messages come at random, and which sends as fast as they come on the average, the
/// backlog after T cycles is at most of the order of sqrt(v T), v being the variance of what comes in a
/// cycle. So the backlog over that is a number without unit, `rate::errors`, that stays small; of a source
/// that cannot send what it is offered it grows with sqrt(T).
///
/// A source that can send s flits a cycle more than it is offered has a mean backlog of v / 2s, and forgets
/// what it had within about v / s^2 cycles. If these are more than the window, so that the mean is more than
/// sqrt(v T) / 2, the window cannot tell it from one that grows.
class source_backlogs {
  public:
    source_backlogs() = default;
    source_backlogs(std::uint32_t nodes, std::uint32_t classes)
        : m_injected(classes > 1 ? std::size_t{nodes} * classes : 0), m_classes(classes) {}

    /// A packet begins to leave a node. To be told of all where there are several message classes.
    void injected(std::uint32_t node, std::uint32_t message_class, std::uint32_t flits);
    /// At the end of an interval that is over before cycle `now`; the workload has counted what it generated.
    void note(cycle_t now, const counted_network& net, const workload& w);
    /// The measured window begins here.
    void start_window();

    struct rate {
        double offered = 0, sent = 0;  ///< flits a cycle, in the measured window
        double error = 0;              ///< standard error of the difference, in a source that keeps up
        double errors = 0;             ///< the backlog, in standard errors of a source that keeps up
    };
    struct class_rate : rate {
        std::uint32_t message_class = 0;
    };
    struct growth : rate {
        std::uint32_t node = 0;
        std::vector<class_rate> classes;  ///< those that grow as much, where there are several
    };
    struct trend {
        std::vector<growth> growing;   ///< beyond chance, the fastest first
        std::vector<growth> doubtful;  ///< perhaps
        bool all_together = false;     ///< the sum of all backlogs grows beyond chance
        std::uint32_t sources = 0;     ///< that have been offered anything
    };
    /// `message_flits`: mean length of the messages.
    trend find_trend(double message_flits) const;

    void add(const source_backlogs& other);  ///< of other nodes
    void serialize(archive& a);

  private:
    struct source {
        std::uint64_t offered = 0, waiting = 0;  ///< flits since the start, and those of them that wait
        std::uint64_t window_offered = 0, window_waiting = 0;  ///< as the window began
        std::uint64_t window_least = 0,
                      window_sum = 0;  ///< of what waited at its beginning and ends of intervals
        double squares = 0;  ///< of the changes of the backlog, each over the length of its interval

        void note(std::uint64_t now_offered, std::uint64_t now_waiting, double length);
        void start_window();
        source& operator+=(const source& other);
    };
    /// Of what comes and goes in a cycle, from interval to interval; at least that of messages at random.
    double variance(const source& s, double message_flits) const;
    bool is_slow(const source& s, double message_flits) const;
    rate rate_of(const source& s, double message_flits) const;
    growth growth_of(std::uint32_t node, double message_flits) const;

    std::vector<source> m_sources;          ///< by node
    std::vector<source> m_by_class;         ///< by node and class, where there are several
    std::vector<std::uint64_t> m_injected;  ///< likewise: flits since the start
    std::uint32_t m_classes = 1;
    cycle_t m_now = 0, m_window_start = 0;
    std::uint64_t m_intervals = 0, m_window_intervals = 0;
};

}  // namespace sare
