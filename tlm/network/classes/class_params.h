// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/router_api/class_vcs.h"

#include <cstdint>
#include <vector>

namespace sare {

/// The section 'classes': number of message classes of a network, and VCs that each may use.
struct class_params {
    /// Number of classes; 0: as many as `vcs` has entries, or, if `vcs` is empty, as the traffic needs.
    std::uint32_t count = 0;
    /// Number of VCs that class 0, 1, ... has for itself, each at least 1; VCs left over are shared by all
    /// classes; empty: equal shares.
    std::vector<std::uint32_t> vcs;
    /// Place of the section, for error messages; the experiment's if the section was left out.
    config::location at;

    static config::schema<class_params> fields();
    /// True if the section gives `count` or `vcs`.
    bool is_given() const { return count != 0 || !vcs.empty(); }
    /// Returns the number of message classes of the network, for traffic that needs `needed` classes: the
    /// number that the section gives, or else `needed`. Throws config::error if the section gives fewer than
    /// `needed`, or if `count` and `vcs` disagree.
    std::uint32_t classes(std::uint32_t needed) const;
    /// Returns the VCs of each of `classes` classes at a port of `vcs_a_port` VCs. Throws config::error if
    /// `vcs` has not one entry for each class, or gives away more VCs than a port has; without `vcs`, if
    /// `classes` does not divide `vcs_a_port`.
    class_vcs shares(std::uint32_t vcs_a_port, std::uint32_t classes) const;
};

}  // namespace sare
