// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sare::cosim {

/// Error of a router that breaks a rule of its pins: what() is a line with port, VC, packet and event.
class violation : public std::runtime_error {
  public:
    violation(std::uint32_t port, const std::string& what, cycle_t since = 0,
              std::vector<std::string> history = {})
        : std::runtime_error(what), m_port(port), m_since(since), m_history(std::move(history)) {}

    std::uint32_t port() const { return m_port; }  ///< port at which it happened; 0 if no port is known
    /// Cycle of an earlier cause: see divergence::since; 0: none is known.
    cycle_t since() const { return m_since; }
    /// Last 12 events at most at that port, one a line, oldest first: see event_history::at().
    const std::vector<std::string>& history() const { return m_history; }

  private:
    std::uint32_t m_port;
    cycle_t m_since;
    std::vector<std::string> m_history;
};

}  // namespace sare::cosim
