// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing_support.h"

/// The common part of routing on a Slim Fly: to any router in one hop or two.
namespace sare {

class slim_fly_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }

  protected:
    /// Throws config::error for a network that is no Slim Fly.
    slim_fly_routing(std::string name, const routing_context& context, const config::value& section);

    std::uint32_t routers() const { return m_routers; }
    const node_attachment& attachment_of(std::uint32_t node) const { return m_nodes[node]; }
    struct step {
        std::uint32_t port;
        bool last;  ///< it arrives
    };
    /// From one router to another one, a shortest path: of several, that by the lowest port.
    step next(std::uint32_t from, std::uint32_t to) const {
        const std::uint8_t s = m_steps[std::size_t{from} * m_routers + to];
        return {s & 0x7fU, s >= 0x80};
    }

  private:
    std::string m_name;
    std::uint32_t m_routers;
    std::vector<node_attachment> m_nodes;
    std::vector<std::uint8_t> m_steps;  ///< port, and 0x80 for the last one
};

}  // namespace sare
