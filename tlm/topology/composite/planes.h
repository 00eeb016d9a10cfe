// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

/// Planes: networks side by side that no link joins, such as the two networks of a chip.
namespace sare {

/// Shape of networks side by side that no link joins. Routers and nodes are numbered plane by plane; within a
/// plane as in its network alone.
struct planes_shape : network_shape {
    /// A plane: one of the networks.
    struct plane {
        const topology* network = nullptr;  ///< network of the plane, not null
        /// Numbers in the whole network of its router 0 and its node 0.
        std::uint32_t first_router = 0, first_node = 0;
        std::uint32_t kind = 0;  ///< number of its kind, below `kinds`; unused if `kinds` is 0
    };
    std::vector<plane> planes;  ///< at least one plane
    /// Number of kinds of planes, each of which is a part (topology::part) of its own, if the planes are a
    /// level of unlike networks of a hierarchy; 0: all planes are one part.
    std::uint32_t kinds = 0;

    /// Returns the plane that contains router `r` of the whole network; the last one if there is no router r.
    const plane& of_router(std::uint32_t r) const {
        return find(r, [](const plane& p) { return p.first_router; });
    }
    /// Returns the plane that contains node `n` of the whole network; the last one if there is no node n.
    const plane& of_node(std::uint32_t n) const {
        return find(n, [](const plane& p) { return p.first_node; });
    }
    /// Returns the number of a plane, from 0; `p` must be an element of `planes`.
    std::uint32_t number_of(const plane& p) const { return static_cast<std::uint32_t>(&p - planes.data()); }

  private:
    template <class First>
    const plane& find(std::uint32_t number, First first) const {
        const auto is_before = [first](std::uint32_t n, const plane& p) { return n < first(p); };
        return *std::prev(std::upper_bound(planes.begin(), planes.end(), number, is_before));
    }
};

/// A network that is to be a plane.
struct plane_member {
    std::unique_ptr<topology> network;  ///< network of the plane, not null
    std::uint32_t kind = 0;             ///< number of its kind, ascending from 0
    std::uint32_t clock = 1;            ///< cycles of the whole network in a cycle of this network
    config::value router{};             ///< keys of the section 'router' for its routers; null: none
};
/// Makes a level of a hierarchy from unlike networks, at least one; planes_shape::kinds is then not 0.
std::unique_ptr<topology> make_planes(std::vector<plane_member> members);

}  // namespace sare
