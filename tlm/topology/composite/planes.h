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
    /// A plane: its network, and the numbers in the whole network of its router 0 and node 0.
    struct plane {
        const topology* network = nullptr;
        /// Numbers in the whole network of its router 0 and its node 0.
        std::uint32_t first_router = 0, first_node = 0;
        std::uint32_t kind = 0;  ///< number of its kind, if `kinds` is not 0
    };
    std::vector<plane> planes;  ///< at least one plane
    /// Number of kinds of planes, if the planes are a level of a hierarchy that unlike networks make up, each
    /// kind a part (topology::part) of its own; 0: they are one part.
    std::uint32_t kinds = 0;

    /// Returns the plane of a router of the whole network; of_node(): the plane of a node.
    const plane& of_router(std::uint32_t r) const {
        return find(r, [](const plane& p) { return p.first_router; });
    }
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
    std::unique_ptr<topology> network;
    std::uint32_t kind = 0;   ///< number of its kind, ascending from 0
    std::uint32_t clock = 1;  ///< cycles of the whole network in a cycle of this one
    config::value router{};   ///< keys of the section 'router' that differ for its routers; null: none
};
/// Returns the planes of a level of a hierarchy.
std::unique_ptr<topology> make_planes(std::vector<plane_member> members);

}  // namespace sare
