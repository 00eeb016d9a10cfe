// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/state/archive.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Numbers of flits counted in the measured window, by intervals of equal length, of which the last may be
/// shorter. The user gives the counters, one for each block (power_meter: [block * levels + level]). When
/// there are too many intervals, neighbours are joined in pairs and the length doubles.
class power_series {
  public:
    /// Makes an empty series. `length`: network cycles of an interval at first, above 0. `most`, rounded down
    /// to an even number: number of intervals at which they are joined in pairs; below 2: never.
    power_series(cycle_t length, std::size_t most) : m_length(length), m_most(most / 2 * 2) {}

    /// Begins the first interval, whose first cycle is `now`. `flits`: counters of flits since the start of
    /// the run, modulo 2^32; later calls must have as many.
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
    /// True after start() until stop().
    bool runs() const { return m_runs; }

    std::size_t size() const { return m_ends.size(); }  ///< number of intervals that have ended
    /// Return the first cycle of interval i, and the first cycle after it. `i` must be below size().
    cycle_t begin(std::size_t i) const { return i == 0 ? m_start : m_ends[i - 1]; }
    cycle_t end(std::size_t i) const { return m_ends[i]; }
    /// Increases of the counters of flits in interval i, below size(), in the order of start().
    const std::vector<std::uint32_t>& flits(std::size_t i) const { return m_flits[i]; }
    /// Network cycles of an interval, as doubled so far; the last one may be shorter.
    cycle_t length() const { return m_length; }

    void serialize(archive& a);  ///< writes the series to `a`, or reads it from it
    /// Adds the flits of all processes together, in all of them. All processes must call.
    void add_up(world& all);

  private:
    void join_pairs();  ///< joins intervals in pairs, and doubles m_length

    cycle_t m_length;                     ///< cycles of an interval; doubled as the run gets longer
    std::size_t m_most;                   ///< number of intervals at which they are joined
    bool m_runs = false;                  ///< true: the measured window is open
    cycle_t m_start = 0, m_begin = 0;     ///< first cycle of the first interval, and of the present one
    std::vector<std::uint32_t> m_before;  ///< counters at the beginning of the present interval
    std::vector<cycle_t> m_ends;          ///< end() of each interval
    std::vector<std::vector<std::uint32_t>> m_flits;  ///< flits() of each interval
};

}  // namespace sare
