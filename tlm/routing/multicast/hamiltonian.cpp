// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/multicast/hamiltonian.h"

#include "tlm/routing/grid/grid_routing.h"

namespace sare {

std::vector<std::uint32_t> hamiltonian_places(const grid_shape& mesh) {
    std::uint32_t routers = 1;
    for (const std::uint32_t size : mesh.dims) routers *= size;
    std::vector<std::uint32_t> places(routers);
    for (std::uint32_t r = 0; r < routers; ++r) {
        std::uint32_t below = routers, rest = r;  // routers of a step along the dimension
        for (std::size_t d = mesh.dims.size(); d-- != 0;) {
            const std::uint32_t size = mesh.dims[d];
            below /= size;
            const std::uint32_t c = rest / below;
            rest %= below;
            // Each line begins at the end at which the line before has ended.
            places[r] = places[r] * size + (places[r] % 2 == 0 ? c : size - 1 - c);
        }
    }
    return places;
}

namespace variants::hamiltonian {
namespace {

/// Goes to that neighbour whose place on the path is nearest to the destination's, but not beyond it. Places
/// only rise, or only fall, along a route, so that no cycle of channels closes.
class hamiltonian final : public grid_routing {
  public:
    hamiltonian(const config::value& section, const routing_context& context)
        : grid_routing("hamiltonian", context, section, {}),
          m_places(hamiltonian_places(*context.network->grid())) {
        need_mesh(section);
        std::uint32_t stride = 1;
        for (const std::uint32_t size : context.network->grid()->dims) {
            m_strides.push_back(stride);
            stride *= size;
        }
    }
    bool tabular() const override { return true; }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment to = attachment_of(h.destination);
        if (to.router == r) return deliver(to.port, out);
        const std::uint32_t goal = m_places[to.router];
        const bool rises = goal > m_places[r];
        // Modulo 2^32, so that a router beyond the goal is farther from it than any before it.
        const auto places_left = [&](std::uint32_t from) {
            return rises ? goal - m_places[from] : m_places[from] - goal;
        };
        std::uint32_t port = 0, least = places_left(r);
        const auto look = [&](std::uint32_t neighbour, std::uint32_t its_port) {
            const std::uint32_t left = places_left(neighbour);
            if (left < least) least = left, port = its_port;
        };
        for (std::uint32_t d = 0; d < dimensions(); ++d) {
            if (at(r)[d] != dim(d).last) look(r + m_strides[d], dim(d).port);
            if (at(r)[d] != 0) look(r - m_strides[d], dim(d).port + dim(d).back);
        }
        out.add(port, m_vcs.all);
    }

  private:
    std::vector<std::uint32_t> m_places, m_strides;
};

const routing_registration<hamiltonian> registered{
    "hamiltonian",
    "On a mesh, along a path that visits each router once, with the short cuts that do not leave its order."};

}  // namespace
}  // namespace variants::hamiltonian
}  // namespace sare
