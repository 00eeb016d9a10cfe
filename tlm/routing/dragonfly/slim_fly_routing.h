// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing_support.h"

namespace sare {

/// Base class of routing functions on a Slim Fly, a network of routers that are all one or two hops apart.
class slim_fly_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }

  protected:
    /// `name`: value of name(), also for error texts; `section`: section of the function, for places of
    /// errors. Throws config::error for a network that is no Slim Fly.
    slim_fly_routing(std::string name, const routing_context& context, const config::value& section);

    /// Number of routers.
    std::uint32_t routers() const { return m_routers; }
    /// Returns the router and output port of a node.
    const node_attachment& attachment_of(std::uint32_t node) const { return m_nodes[node]; }
    /// First hop of a shortest path.
    struct step {
        std::uint32_t port;  ///< output port of the hop
        bool last;           ///< true: the hop leads to the end of the path
    };
    /// Returns the first hop of a shortest path from a router to another one; of several paths, the one with
    /// the lowest port. `from` and `to` must differ; unchecked.
    step next(std::uint32_t from, std::uint32_t to) const {
        const std::uint8_t s = m_steps[std::size_t{from} * m_routers + to];
        return {s & 0x7fU, s >= 0x80};
    }

  private:
    std::string m_name;
    std::uint32_t m_routers;
    std::vector<node_attachment> m_nodes;
    std::vector<std::uint8_t> m_steps;  ///< step::port, | 0x80 if step::last, [from * routers + to]
};

}  // namespace sare
