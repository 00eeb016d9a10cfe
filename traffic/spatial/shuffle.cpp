// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::shuffle {
namespace {

const config::registration<pattern, const pattern_context&> registered{
    "shuffle", "Bit permutation: d[i] = s[i-1 mod l], the id rotated left by one.",
    [](const config::no_parameters&, const config::value& section, const pattern_context& c) {
        const unsigned l = id_bits(section, "shuffle", c.nodes);
        return tabulate(c.nodes, [l](std::uint32_t s) {
            return ((s << 1) | (s >> (l - 1))) & ((std::uint32_t{1} << l) - 1);
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::shuffle
