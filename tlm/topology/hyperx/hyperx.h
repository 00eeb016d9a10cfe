// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <vector>

/// The HyperX (J. Ahn et al., SC 2009); with equal dimensions it is the flattened butterfly.
namespace sare {

/// Router r has coordinates c0, c1, ... with r = c0 + dims[0] * (c1 + dims[1] * ...). It is linked to all
/// routers that differ in one coordinate: the first dims[0] - 1 ports lead to those along dimension 0, in
/// their order, the next to those along dimension 1, and so on. Nodes from r * concentration on are at the
/// last ports.
struct hyperx_shape : network_shape {
    std::vector<std::uint32_t> dims;  ///< size of each dimension
    std::uint32_t concentration = 1;  ///< nodes at each router

    /// Number of ports of a router that lead to routers.
    std::uint32_t router_ports() const {
        std::uint32_t all = 0;
        for (const std::uint32_t k : dims) all += k - 1;
        return all;
    }
    /// Meaning of a port between routers.
    struct port_way {
        std::uint32_t dimension, number;  ///< dimension, and number among the ports of the dimension
        std::uint32_t stride;             ///< difference of router numbers for one step of the dimension
    };
    /// Returns the meaning of a port below router_ports().
    port_way way(std::uint32_t port) const {
        port_way w{0, port, 1};
        for (; w.number >= dims[w.dimension] - 1; ++w.dimension) {
            w.number -= dims[w.dimension] - 1;
            w.stride *= dims[w.dimension];
        }
        return w;
    }
    /// Number among the ports of a dimension of the one that leads from coordinate `from` to coordinate `to`.
    static std::uint32_t port_to(std::uint32_t from, std::uint32_t to) { return to < from ? to : to - 1; }
};

}  // namespace sare
