// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sare::cosim {

/// A router did what no router may do: what() is a line with port, VC, packet and event.
class violation : public std::runtime_error {
  public:
    violation(std::uint32_t port, const std::string& what, cycle_t since = 0,
              std::vector<std::string> history = {})
        : std::runtime_error(what), m_port(port), m_since(since), m_history(std::move(history)) {}

    std::uint32_t port() const { return m_port; }
    /// Cycle of its cause, if it shows long after; 0: it shows at once.
    cycle_t since() const { return m_since; }
    /// The last events there, oldest first.
    const std::vector<std::string>& history() const { return m_history; }

  private:
    std::uint32_t m_port;
    cycle_t m_since;
    std::vector<std::string> m_history;
};

}  // namespace sare::cosim
