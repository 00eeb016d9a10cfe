// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

namespace sare {

/// Interface of router kinds that count more than flits, for the results: a bank of such a kind derives from
/// this class.
class own_counts {
  public:
    virtual ~own_counts() = default;
    /// Adds the counts of all routers of the bank since the start to `sum`, each to the entry with the name
    /// of the count.
    virtual void add_counts(std::map<std::string, double>& sum) const = 0;
    /// Adds entries that follow from `sum`, which has the counts of all banks of the kind, such as ratios.
    /// Called once, for one bank of the kind.
    virtual void finish_counts(std::map<std::string, double>& sum) const { (void)sum; }
};

}  // namespace sare
