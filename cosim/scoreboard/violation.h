// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sare::cosim {

/// Error of a router that breaks a rule of its pins. what() is one line with port, VC, packet and event.
class violation : public std::runtime_error {
  public:
    /// `port`: port at which it happened, or 0; `since`, `history`: results of the functions of these names.
    violation(std::uint32_t port, const std::string& what, cycle_t since = 0,
              std::vector<std::string> history = {})
        : std::runtime_error(what), m_port(port), m_since(since), m_history(std::move(history)) {}

    std::uint32_t port() const { return m_port; }  ///< port at which it happened; also 0 if no port is known
    /// Returns the cycle of an earlier event that explains it (divergence::since); 0: none is known.
    cycle_t since() const { return m_since; }
    /// Returns the last events at the port, at most 12, one a line, the oldest first (event_history::at());
    /// empty if there are none.
    const std::vector<std::string>& history() const { return m_history; }

  private:
    std::uint32_t m_port;
    cycle_t m_since;
    std::vector<std::string> m_history;
};

}  // namespace sare::cosim
