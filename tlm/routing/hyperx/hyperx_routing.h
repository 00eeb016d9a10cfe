// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing_support.h"
#include "tlm/topology/hyperx/hyperx.h"

/// The common part of routing on a HyperX: a dimension is finished by one hop.
namespace sare {

class hyperx_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }

  protected:
    /// Throws config::error for a network that is no HyperX.
    hyperx_routing(std::string name, const routing_context& context, const config::value& section);

    /// Dimensions of more than one router.
    std::uint32_t dimensions() const { return static_cast<std::uint32_t>(m_dims.size()); }
    std::uint32_t routers() const { return m_routers; }
    std::uint32_t links() const { return m_links; }  ///< of a router to others
    const node_attachment& attachment_of(std::uint32_t node) const { return m_nodes[node]; }

    struct dimension {
        std::uint32_t size = 1, first_port = 0;
    };
    const dimension& dim(std::uint32_t d) const { return m_dims[d]; }
    /// The dimension of a port between routers.
    std::uint32_t dimension_of(std::uint32_t port) const { return m_dimension_of[port]; }
    /// Coordinates of a router along dimensions().
    const std::uint8_t* at(std::uint32_t r) const { return &m_coordinates[std::size_t{r} * m_dims.size()]; }
    /// The port that finishes dimension d.
    std::uint32_t port(std::uint32_t d, std::uint32_t from, std::uint32_t to) const {
        return m_dims[d].first_port + hyperx_shape::port_to(from, to);
    }
    /// The lowest dimension in which two routers differ; there is one.
    static std::uint32_t first_unlike(const std::uint8_t* a, const std::uint8_t* b) {
        std::uint32_t d = 0;
        while (a[d] == b[d]) ++d;
        return d;
    }
    std::uint32_t count_unlike(const std::uint8_t* a, const std::uint8_t* b) const {
        std::uint32_t all = 0;
        for (std::uint32_t d = 0; d < dimensions(); ++d) all += a[d] != b[d] ? 1 : 0;
        return all;
    }
    /// The next port by dimension order.
    std::uint32_t in_order(const std::uint8_t* a, const std::uint8_t* b) const {
        const std::uint32_t d = first_unlike(a, b);
        return port(d, a[d], b[d]);
    }

  private:
    std::string m_name;
    std::uint32_t m_routers = 0, m_links = 0;
    std::vector<dimension> m_dims;
    std::vector<std::uint8_t> m_dimension_of, m_coordinates;
    std::vector<node_attachment> m_nodes;
};

}  // namespace sare
