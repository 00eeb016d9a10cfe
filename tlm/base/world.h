// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare {

/// The processes ("ranks") that run one network together, a part each, as one of them sees it. Every call but
/// the first two is one of all ranks, in the same order. A rank that fails ends all.
class world {
  public:
    virtual ~world() = default;
    virtual std::uint32_t rank() const = 0;  ///< from 0
    virtual std::uint32_t ranks() const = 0;
    /// Every value becomes the sum of all ranks'.
    virtual void sum(std::uint64_t* values, std::size_t count) = 0;
    virtual std::uint64_t least(std::uint64_t mine) = 0;
    /// What rank 0 says.
    virtual std::uint64_t of_first(std::uint64_t mine) = 0;
    /// Sends `words[k]` to rank `others[k]` and puts there what that one sends; both name each other.
    virtual void exchange(const std::vector<std::uint32_t>& others,
                          std::vector<std::vector<std::uint64_t>>& words) = 0;
    /// At rank 0 what each has, by rank; nothing elsewhere.
    virtual std::vector<std::string> gather(const std::string& mine) = 0;

    /// One that fails asks whether all do, and waits a second for that. False: its end ends the others.
    virtual bool all_fail() = 0;

    std::uint64_t sum(std::uint64_t value) {
        sum(&value, 1);
        return value;
    }
};

}  // namespace sare
