// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <algorithm>
#include <cstdint>

/// Rates at which nodes and memories send and receive data.
namespace sare::traffic {

/// A server that takes requests one after the other, in the order of the calls, at a rate of bytes per cycle.
/// It serves the data that a node or memory sends or receives. Times are cycles, and may be fractions.
class rate_server {
  public:
    /// `bytes_per_cycle`: the rate; 0: no limit, so that data take no time.
    explicit rate_server(double bytes_per_cycle = 0) : m_rate(bytes_per_cycle) {}
    /// Returns the time at which the server can begin with data that are ready at `when`: `when`, or the end
    /// of the data of earlier calls if that is later. Changes nothing.
    double begin(double when) const { return std::max(when, m_free); }
    /// Makes the server busy for `bytes` bytes from the time `begin` on, or from the end of earlier data if
    /// that is later, and returns the time at which it has served them.
    double take(double begin, std::uint64_t bytes) { return m_free = std::max(m_free, begin) + time(bytes); }
    /// Returns the time at which the server has taken `bytes` bytes whose last one arrives at `arrived`, and
    /// makes it busy until then. It takes bytes as they arrive, after the data of earlier calls: the result
    /// is the later of `arrived` and the end of the earlier data plus bytes / rate.
    double finish(double arrived, std::uint64_t bytes) {
        return m_free = std::max(arrived, m_free + time(bytes));
    }

  private:
    double time(std::uint64_t bytes) const { return m_rate > 0 ? static_cast<double>(bytes) / m_rate : 0; }

    double m_rate;      ///< bytes per cycle; 0: no limit
    double m_free = 0;  ///< time at which all data of the calls so far have been served
};

}  // namespace sare::traffic
