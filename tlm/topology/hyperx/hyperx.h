// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <vector>

/// The HyperX (J. Ahn et al., SC 2009); with equal dimensions it is the flattened butterfly.
namespace sare {

/// Router r is c0 + dims[0] * (c1 + dims[1] * ...). It is linked to all routers that differ from it in one
/// coordinate: by its first dims[0] - 1 ports to those along dimension 0, in their order, then to those along
/// dimension 1, and so on. Nodes r * concentration and the following are on the last ports.
struct hyperx_shape : network_shape {
    std::vector<std::uint32_t> dims;
    std::uint32_t concentration = 1;

    std::uint32_t router_ports() const {
        std::uint32_t all = 0;
        for (const std::uint32_t k : dims) all += k - 1;
        return all;
    }
    struct port_way {
        std::uint32_t dimension, number;  ///< the number among the ports of the dimension
        std::uint32_t stride;             ///< routers per step of the dimension
    };
    /// Of one of the router_ports().
    port_way way(std::uint32_t port) const {
        port_way w{0, port, 1};
        for (; w.number >= dims[w.dimension] - 1; ++w.dimension) {
            w.number -= dims[w.dimension] - 1;
            w.stride *= dims[w.dimension];
        }
        return w;
    }
    /// Among the ports of a dimension, the one from coordinate `from` to another one.
    static std::uint32_t port_to(std::uint32_t from, std::uint32_t to) { return to < from ? to : to - 1; }
};

}  // namespace sare
