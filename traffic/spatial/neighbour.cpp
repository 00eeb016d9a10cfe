// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::neighbour {
namespace {

const config::registration<pattern, const pattern_context&> registered{
    "neighbour", "d = s + 1 modulo the size, in every dimension of the node grid (as in BookSim2).",
    [](const config::no_parameters&, const config::value&, const pattern_context& c) {
        return tabulate(c.nodes, [&c](std::uint32_t s) {
            return map_coordinates(c.dims, s,
                                   [](std::size_t, std::uint32_t x, std::uint32_t n) { return (x + 1) % n; });
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::neighbour
