// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

/// Meshes with express links: ruche networks (D. Jung et al., NOCS 2020) and express cubes (W. Dally, 1991).
namespace sare {

/// Shape of a mesh with express links. Axis d is dimension d; axis dims.size() + d leads express[d] routers
/// along it.
struct express_shape : coordinate_shape {
    std::vector<std::uint32_t> express;  ///< length of express links of each dimension, in routers; 0: none
    /// true: express links begin at every router; false: at coordinates that are multiples of their length.
    bool everywhere = true;

    /// True if an express link leads from coordinate `c` of dimension `d` in + or - direction.
    bool leads_on(std::uint32_t d, std::uint32_t c, bool negative) const {
        const std::uint32_t length = express[d];
        if (length == 0 || (!everywhere && c % length != 0)) return false;
        return negative ? c >= length : c + length < dims[d];
    }
};

}  // namespace sare
