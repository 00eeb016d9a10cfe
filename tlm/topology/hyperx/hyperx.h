// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <vector>

/// The HyperX (J. Ahn et al., SC 2009); with equal dimensions it is the flattened butterfly.
namespace sare {

/// Shape of a HyperX: router c0 + dims[0] * (c1 + dims[1] * ...) has the coordinates c0, c1, ... It is linked
/// to all routers that differ from it in one coordinate. The first dims[0] - 1 ports lead to the routers
/// along dimension 0, in the order of their coordinates; the next dims[1] - 1 ports to the routers along
/// dimension 1, and so on. The last `concentration` ports of router r lead to its nodes, from r *
/// concentration on.
struct hyperx_shape : network_shape {
    std::vector<std::uint32_t> dims;  ///< number of routers along each dimension
    std::uint32_t concentration = 1;  ///< nodes at each router

    /// Number of ports of a router that lead to routers.
    std::uint32_t router_ports() const {
        std::uint32_t all = 0;
        for (const std::uint32_t k : dims) all += k - 1;
        return all;
    }
    /// Direction of a port that leads to a router.
    struct port_way {
        /// Dimension along which the port leads; number of the port, from 0, among the ports of that
        /// dimension.
        std::uint32_t dimension, number;
        std::uint32_t stride;  ///< difference of router numbers for a step of 1 along that dimension
    };
    /// Returns the direction of a port, which must be below router_ports(); unchecked.
    port_way way(std::uint32_t port) const {
        port_way w{0, port, 1};
        for (; w.number >= dims[w.dimension] - 1; ++w.dimension) {
            w.number -= dims[w.dimension] - 1;
            w.stride *= dims[w.dimension];
        }
        return w;
    }
    /// Returns the number, among the ports of a dimension, of the port that leads from coordinate `from` to
    /// coordinate `to`, which must differ; unchecked.
    static std::uint32_t port_to(std::uint32_t from, std::uint32_t to) { return to < from ? to : to - 1; }
};

}  // namespace sare
