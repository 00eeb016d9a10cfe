// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/router_api/class_vcs.h"

#include <cstdint>
#include <vector>

namespace sare {

/// The section 'classes': number of message classes of a network, and VCs that each may use.
struct class_params {
    std::uint32_t count = 0;         ///< number of classes; 0: as many as `vcs` has, or as the traffic needs
    std::vector<std::uint32_t> vcs;  ///< number of VCs that each class has for itself; empty: equal shares
    config::location at;             ///< place of the section; of the experiment if it has none

    static config::schema<class_params> fields();
    bool is_given() const { return count != 0 || !vcs.empty(); }
    /// Returns the number of classes for traffic that needs `needed`. Throws config::error if the section has
    /// fewer, or if `count` and `vcs` disagree.
    std::uint32_t classes(std::uint32_t needed) const;
    /// Returns the VCs of `classes` classes at a port of `vcs_a_port` VCs. Throws config::error if `vcs` has
    /// not one entry for each class, or gives away more VCs than a port has; without `vcs`, if the classes do
    /// not divide the VCs.
    class_vcs shares(std::uint32_t vcs_a_port, std::uint32_t classes) const;
};

}  // namespace sare
