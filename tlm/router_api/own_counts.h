// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

namespace sare {

/// What a kind of router counts beside flits, for the results: a bank of such a kind is one of these, too.
class own_counts {
  public:
    virtual ~own_counts() = default;
    /// Adds those of its routers, by name, since the start.
    virtual void add_counts(std::map<std::string, double>& sum) const = 0;
    /// What follows from the sums of all banks of the kind (ratios) is added to them. Called once.
    virtual void finish_counts(std::map<std::string, double>& sum) const { (void)sum; }
};

}  // namespace sare
