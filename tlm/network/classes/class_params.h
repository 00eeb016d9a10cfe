// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/router_api/class_vcs.h"

#include <cstdint>
#include <vector>

namespace sare {

/// The section 'classes': number of message classes of a network, and VCs that each may use.
struct class_params {
    std::uint32_t count = 0;         ///< 0: as many as the traffic needs
    std::vector<std::uint32_t> vcs;  ///< VCs of its own of each class; none: equal shares
    config::location at;

    static config::schema<class_params> fields();
    bool is_given() const { return count != 0 || !vcs.empty(); }
    /// Returns the number of classes for traffic that needs `needed`. Throws config::error if the section has
    /// fewer.
    std::uint32_t classes(std::uint32_t needed) const;
    /// Returns the VCs of `classes` classes. Throws config::error if they do not fit `vcs_a_port`.
    class_vcs shares(std::uint32_t vcs_a_port, std::uint32_t classes) const;
};

}  // namespace sare
