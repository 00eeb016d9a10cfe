// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Returns, by router, its place, from 0, on a Hamiltonian path through a mesh; `mesh.wrap` is ignored. The
/// path goes to and fro along dimension 0, line after line, with its lines to and fro along dimension 1, and
/// so on (X. Lin, P. McKinley, L. Ni, "Deadlock-free multicast wormhole routing in 2-D mesh multicomputers",
/// IEEE Trans. on Parallel and Distributed Systems 5, 1994).
std::vector<std::uint32_t> hamiltonian_places(const grid_shape& mesh);

}  // namespace sare
