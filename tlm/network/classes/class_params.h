// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/router_api/class_vcs.h"

#include <cstdint>
#include <vector>

namespace sare {

/// The section 'classes': how many message classes a network has, and which VCs each may use.
struct class_params {
    std::uint32_t count = 0;         ///< 0: as many as the traffic needs
    std::vector<std::uint32_t> vcs;  ///< of each class alone; none: equal shares
    config::location at;

    static config::schema<class_params> fields();
    bool is_given() const { return count != 0 || !vcs.empty(); }
    /// Of a network whose traffic needs so many. Throws config::error where it has fewer.
    std::uint32_t classes(std::uint32_t needed) const;
    /// Of routers of so many VCs. Throws config::error for what cannot be.
    class_vcs shares(std::uint32_t vcs_a_port, std::uint32_t classes) const;
};

}  // namespace sare
