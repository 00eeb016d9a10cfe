// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/grid/step_network.h"

/// Circulants: router i is linked to i + s and i - s, modulo n, for each step s.
namespace sare {

/// Parameters that all circulants share.
struct circulant_parameters : link_parameters {
    std::uint32_t n = 16;
    bool unidirectional = false;
    std::uint32_t concentration = 1;
};
/// Adds them to a schema whose `n` is at least `least`.
config::schema<circulant_parameters> circulant_fields(std::uint32_t least);

/// Throws config::error, placed by `section`, for what cannot be built; `steps` are from 1 to n - 1, each
/// different from the others, and reach all routers.
topology* make_circulant(const std::string& name, const circulant_parameters& p,
                         const std::vector<std::uint32_t>& steps, const closed_forms& known,
                         const config::value& section);

}  // namespace sare
