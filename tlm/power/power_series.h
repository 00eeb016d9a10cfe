// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/state/archive.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Numbers of flits that each router sent in the measured window, by intervals of equal length; the last
/// interval may be shorter. When there are too many intervals, neighbours are joined in pairs and the length
/// doubles.
class power_series {
  public:
    /// `length`: cycles of an interval at first. `most`, rounded down to an even number: number of intervals
    /// at which they are joined.
    power_series(cycle_t length, std::size_t most) : m_length(length), m_most(most / 2 * 2) {}

    /// Begins the first interval, whose first cycle is `now`. `flits`: flits sent since the start of the run,
    /// by router, modulo 2^32.
    void start(cycle_t now, std::vector<std::uint32_t> flits) {
        m_begin = m_start = now;
        m_before = std::move(flits);
        m_runs = true;
    }
    /// Returns the cycle before which end_interval() is due; workload::never: before start(), after stop().
    cycle_t next() const { return m_runs ? m_begin + m_length : workload::never; }
    /// Ends an interval before cycle `now`, and begins the next one; does nothing if the interval has no
    /// cycle. `flits`: as for start().
    void end_interval(cycle_t now, const std::vector<std::uint32_t>& flits);
    /// Ends the series, without ending an interval.
    void stop() { m_runs = false; }
    /// True between start() and stop().
    bool runs() const { return m_runs; }

    std::size_t size() const { return m_ends.size(); }  ///< number of intervals that have ended
    /// First cycle of interval i, and first cycle after it.
    cycle_t begin(std::size_t i) const { return i == 0 ? m_start : m_ends[i - 1]; }
    cycle_t end(std::size_t i) const { return m_ends[i]; }
    /// Flits sent in interval i, by router.
    const std::vector<std::uint32_t>& flits(std::size_t i) const { return m_flits[i]; }
    /// Cycles of an interval, as long as it is not cut short by stop().
    cycle_t length() const { return m_length; }

    void serialize(archive& a);
    /// Adds the flits of all processes together, in all of them. All processes must call.
    void add_up(world& all);

  private:
    void join_pairs();

    cycle_t m_length;                     ///< cycles of an interval; doubled as the run gets longer
    std::size_t m_most;                   ///< most intervals that are kept
    bool m_runs = false;                  ///< true: the measured window is open
    cycle_t m_start = 0, m_begin = 0;     ///< first cycle of the first interval, and of the present one
    std::vector<std::uint32_t> m_before;  ///< flits sent before the present interval, by router
    std::vector<cycle_t> m_ends;          ///< end() of each interval
    std::vector<std::vector<std::uint32_t>> m_flits;  ///< flits() of each interval
};

}  // namespace sare
