// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"

#include <deque>
#include <map>
#include <string>

namespace sare::traffic {

/// The process groups of a Chakra trace: a JSON object of their names and the devices in each, in the order
/// of their ranks, as ASTRA-sim's file of communicator groups: {"1": [0, 2], "2": [1, 3]}.
class chakra_groups {
  public:
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    chakra_groups() = default;
    /// Reads a file; without a file there are no groups. Throws config::error if it is damaged, names a
    /// device that is not below `devices`, or names one twice in a group.
    chakra_groups(std::string path, std::uint32_t devices);

    const std::string& path() const { return m_path; }
    /// Returns the number of a group, from 1; unknown: there is none of this name.
    std::uint32_t find(const std::string& name) const;
    /// Returns the group of a number from find().
    const listed_tasks& group(std::uint32_t number) const { return m_groups[number - 1]; }

  private:
    std::string m_path;
    std::map<std::string, std::uint32_t> m_numbers;
    std::deque<listed_tasks> m_groups;
};

}  // namespace sare::traffic
