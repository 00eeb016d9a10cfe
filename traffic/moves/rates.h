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
    /// Returns when it can begin with data that are there at `when`.
    double begin(double when) const { return std::max(when, m_free); }
    /// Makes it busy with so many bytes from `begin` on.
    void take(double begin, std::uint64_t bytes) { m_free = std::max(m_free, begin) + time(bytes); }
    /// Returns when it is through with data whose last byte came at `arrived`; they came one after the other.
    double finish(double arrived, std::uint64_t bytes) {
        return m_free = std::max(arrived, m_free + time(bytes));
    }

  private:
    double time(std::uint64_t bytes) const { return m_rate > 0 ? static_cast<double>(bytes) / m_rate : 0; }

    double m_rate, m_free = 0;
};

}  // namespace sare::traffic
