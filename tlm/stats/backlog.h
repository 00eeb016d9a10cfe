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
/// cycle. So the backlog over that is a number without unit, `growth::errors`, that stays small; of a source
/// that cannot send what it is offered it grows with sqrt(T).
class source_backlogs {
  public:
    /// At the end of an interval that is over before cycle `now`; the workload has counted what it generated.
    void note(cycle_t now, const counted_network& net, const workload& w);
    /// The measured window begins here.
    void start_window();

    struct growth {
        std::uint32_t node = 0;
        double offered = 0, sent = 0;  ///< flits a cycle, in the measured window
        double errors = 0;             ///< the backlog, in standard errors of a source that keeps up
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
        double squares = 0;  ///< of the changes of the backlog, each over the length of its interval
    };
    /// Of what comes and goes in a cycle, from interval to interval; at least that of messages at random.
    double variance(const source& s, double message_flits) const;
    growth growth_of(std::uint32_t node, double message_flits) const;

    std::vector<source> m_sources;  ///< by node
    cycle_t m_now = 0, m_window_start = 0;
    std::uint64_t m_intervals = 0;
};

}  // namespace sare
