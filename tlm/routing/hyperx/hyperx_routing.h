// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing_support.h"
#include "tlm/topology/hyperx/hyperx.h"

namespace sare {

/// Base class of routing functions on a HyperX, a network in which one hop finishes a dimension. Dimensions
/// of size 1 are left out: `d` counts the other dimensions, from 0.
class hyperx_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }

  protected:
    /// `name`: value of name(), also for error texts; `section`: section of the function, for places of
    /// errors. Throws config::error for a network that is no HyperX.
    hyperx_routing(std::string name, const routing_context& context, const config::value& section);

    /// Number of dimensions of more than one router.
    std::uint32_t dimensions() const { return static_cast<std::uint32_t>(m_dims.size()); }
    /// Number of routers.
    std::uint32_t routers() const { return m_routers; }
    std::uint32_t links() const { return m_links; }  ///< number of ports of a router that lead to routers
    /// Returns the router and output port of a node.
    const node_attachment& attachment_of(std::uint32_t node) const { return m_nodes[node]; }

    /// A dimension.
    struct dimension {
        std::uint32_t size = 1, first_port = 0;  ///< routers along it; the lowest output port along it
    };
    /// Returns dimension `d`.
    const dimension& dim(std::uint32_t d) const { return m_dims[d]; }
    /// Returns the dimension of an output port, which must be below links(); unchecked.
    std::uint32_t dimension_of(std::uint32_t port) const { return m_dimension_of[port]; }
    /// Returns the coordinates of a router: an array of dimensions() elements, valid as long as this object.
    const std::uint16_t* at(std::uint32_t r) const { return &m_coordinates[std::size_t{r} * m_dims.size()]; }
    /// Returns the output port that leads from coordinate `from` of dimension `d` to coordinate `to`, which
    /// must differ; unchecked.
    std::uint32_t port(std::uint32_t d, std::uint32_t from, std::uint32_t to) const {
        return m_dims[d].first_port + hyperx_shape::port_to(from, to);
    }
    /// Returns the lowest dimension in which two coordinate arrays, as of at(), differ; they must, unchecked.
    static std::uint32_t first_unlike(const std::uint16_t* a, const std::uint16_t* b) {
        std::uint32_t d = 0;
        while (a[d] == b[d]) ++d;
        return d;
    }
    /// Returns the number of dimensions in which the coordinates of two routers differ.
    std::uint32_t count_unlike(const std::uint16_t* a, const std::uint16_t* b) const {
        std::uint32_t all = 0;
        for (std::uint32_t d = 0; d < dimensions(); ++d) all += a[d] != b[d] ? 1 : 0;
        return all;
    }
    /// Returns the next output port from router a to another router b, given by their coordinates, in
    /// dimension order.
    std::uint32_t in_order(const std::uint16_t* a, const std::uint16_t* b) const {
        const std::uint32_t d = first_unlike(a, b);
        return port(d, a[d], b[d]);
    }

  private:
    std::string m_name;
    std::uint32_t m_routers = 0, m_links = 0;
    std::vector<dimension> m_dims;
    std::vector<std::uint16_t> m_dimension_of, m_coordinates;
    std::vector<node_attachment> m_nodes;
};

}  // namespace sare
