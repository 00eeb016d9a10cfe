// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"

#include <deque>
#include <map>
#include <string>

namespace sare::traffic {

/// The process groups of a Chakra trace, read from a JSON object with the devices of each group in the order
/// of their ranks, by the group's name: {"1": [0, 2], "2": [1, 3]}. ASTRA-sim has the same file of
/// communicator groups.
class chakra_groups {
  public:
    /// Value of find() for a name that no group has.
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    chakra_groups() = default;
    /// Reads the file `path`; an empty path, or a file that does not exist, gives no groups. Throws
    /// config::error if the file is malformed, names a device that is not below `devices`, or names a device
    /// twice in a group.
    chakra_groups(std::string path, std::uint32_t devices);

    /// Returns the path that the constructor got; "" for an object made without a path.
    const std::string& path() const { return m_path; }
    /// Returns the number, from 1, of the group with this name; `unknown` if there is none.
    std::uint32_t find(const std::string& name) const;
    /// Returns the group with a number that find() returned (not checked; never `unknown`).
    const listed_tasks& group(std::uint32_t number) const { return m_groups[number - 1]; }

  private:
    std::string m_path;
    std::map<std::string, std::uint32_t> m_numbers;
    std::deque<listed_tasks> m_groups;
};

}  // namespace sare::traffic
