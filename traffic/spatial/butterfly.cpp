// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::butterfly {
namespace {

const config::registration<pattern, const pattern_context&> registered{
    "butterfly", "Bit permutation: the first and the last bit swapped.",
    [](const config::no_parameters&, const config::value& section, const pattern_context& c) {
        const unsigned l = id_bits(section, "butterfly", c.nodes);
        return tabulate(c.nodes, [l](std::uint32_t s) {
            const std::uint32_t differ = (s ^ (s >> (l - 1))) & 1;
            return s ^ (differ | (differ << (l - 1)));
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::butterfly
