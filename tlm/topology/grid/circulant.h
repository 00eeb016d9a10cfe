// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/grid/step_network.h"

/// Circulants: router i is linked to routers i + s and i - s, modulo n, for each step s.
namespace sare {

/// Parameters that all circulants share.
struct circulant_parameters : link_parameters {
    std::uint32_t n = 16;             ///< number of routers
    bool unidirectional = false;      ///< true: router i has links to routers i + s only
    std::uint32_t concentration = 1;  ///< nodes at each router
};
/// Returns the schema of circulant_parameters; `least`: least value of `n`.
config::schema<circulant_parameters> circulant_fields(std::uint32_t least);

/// Makes a circulant, which the caller owns. `name`: name by which the kind is registered; `steps`: different
/// numbers from 1 to n - 1 that together reach all routers; `known`: closed forms of the network. Throws
/// config::error at `section` for sizes and steps that cannot be built.
topology* make_circulant(const std::string& name, const circulant_parameters& p,
                         const std::vector<std::uint32_t>& steps, const closed_forms& known,
                         const config::value& section);

}  // namespace sare
