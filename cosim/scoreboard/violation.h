// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sare::cosim {

/// A router did what no router may: what() says port, VC, packet and what happened, in a line.
class violation : public std::runtime_error {
  public:
    violation(std::uint32_t port, const std::string& what, std::vector<std::string> history = {})
        : std::runtime_error(what), m_port(port), m_history(std::move(history)) {}

    std::uint32_t port() const { return m_port; }
    /// The last events there, oldest first.
    const std::vector<std::string>& history() const { return m_history; }

  private:
    std::uint32_t m_port;
    std::vector<std::string> m_history;
};

}  // namespace sare::cosim
