// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <algorithm>
#include <cstdint>

/// The rates at which nodes and memories give and take data.
namespace sare::traffic {

/// A server of requests, one after the other in the order in which they come, at so many bytes a cycle.
class rate_server {
  public:
    /// `bytes_per_cycle`: rate; 0: no limit.
    explicit rate_server(double bytes_per_cycle = 0) : m_rate(bytes_per_cycle) {}
    /// Returns the time, in cycles, at which it can begin with data that are there at `when`: not before it
    /// is through with the data of earlier calls.
    double begin(double when) const { return std::max(when, m_free); }
    /// Makes it busy with `bytes` bytes from `begin` on, or from the end of earlier data if that is later.
    void take(double begin, std::uint64_t bytes) { m_free = std::max(m_free, begin) + time(bytes); }
    /// Returns the cycle in which the server has taken `bytes` bytes whose last one arrived in cycle
    /// `arrived`, and makes it busy until then. It takes bytes while they arrive, behind the data of earlier
    /// calls: this is the later of `arrived` and the end of the earlier data plus bytes / rate.
    double finish(double arrived, std::uint64_t bytes) {
        return m_free = std::max(arrived, m_free + time(bytes));
    }

  private:
    double time(std::uint64_t bytes) const { return m_rate > 0 ? static_cast<double>(bytes) / m_rate : 0; }

    double m_rate;      ///< bytes a cycle; 0: no limit
    double m_free = 0;  ///< time, in cycles, from which on it is not busy
};

}  // namespace sare::traffic
