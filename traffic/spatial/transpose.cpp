// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

#include <fmt/format.h>

namespace sare::traffic::variants::transpose {
namespace {

bool is_power_of_two(std::uint32_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

permutation* rotate_bits(unsigned l, std::uint32_t nodes) {
    return tabulate(nodes, [l](std::uint32_t s) {
        return ((s << (l / 2)) | (s >> (l - l / 2))) & ((std::uint32_t{1} << l) - 1);
    });
}

const config::registration<pattern, const pattern_context&> registered{
    "transpose",
    "A matrix transposed: the id of l bits rotated by floor(l / 2); where the number of nodes is no power of "
    "two, node x + X y of a grid X x Y to y + Y x.",
    [](const config::no_parameters&, const config::value& section, const pattern_context& c) {
        if (is_power_of_two(c.nodes)) return rotate_bits(id_bits(section, "transpose", c.nodes), c.nodes);
        if (c.dims.size() != 2)
            throw config::error(
                section.where(),
                fmt::format("pattern 'transpose' needs a grid of two dimensions, or a number of nodes that "
                            "is a power of two; here are {} nodes in {}{}",
                            c.nodes, c.dims.size(), (c.dims.size() == 1 ? " dimension" : " dimensions")));
        const std::uint32_t x = c.dims[0], y = c.dims[1];
        return tabulate(c.nodes, [x, y](std::uint32_t s) { return s / x + y * (s % x); });
    }};

}  // namespace
}  // namespace sare::traffic::variants::transpose
