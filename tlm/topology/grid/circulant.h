// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/grid/step_network.h"

/// Circulants: router i is linked to routers i + s and i - s, modulo n, for each step s.
namespace sare {

/// Parameters that all circulants share.
struct circulant_parameters : link_parameters {
    std::uint32_t n = 16;             ///< number of routers
    bool unidirectional = false;      ///< links to i + s only
    std::uint32_t concentration = 1;  ///< nodes at each router
};
/// Returns the schema of these parameters, with `n` of at least `least`.
config::schema<circulant_parameters> circulant_fields(std::uint32_t least);

/// Makes a circulant. `steps`: different numbers from 1 to n - 1 that together reach all routers; `known`:
/// its closed forms. Throws config::error at `section` for sizes and steps that cannot be built.
topology* make_circulant(const std::string& name, const circulant_parameters& p,
                         const std::vector<std::uint32_t>& steps, const closed_forms& known,
                         const config::value& section);

}  // namespace sare
