// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

namespace sare {

/// Counts of a router kind beside flits, for the results: a bank of such a kind derives from this.
class own_counts {
  public:
    virtual ~own_counts() = default;
    /// Adds the counts of its routers since the start, by name.
    virtual void add_counts(std::map<std::string, double>& sum) const = 0;
    /// Adds what follows from the sums of all banks of the kind (ratios). Called once.
    virtual void finish_counts(std::map<std::string, double>& sum) const { (void)sum; }
};

}  // namespace sare
