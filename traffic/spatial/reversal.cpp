// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::reversal {
namespace {

const config::registration<pattern, const pattern_context&> registered{
    "reversal", "Bit permutation: d[i] = s[l-1-i].",
    [](const config::no_parameters&, const config::value& section, const pattern_context& c) {
        const unsigned l = id_bits(section, "reversal", c.nodes);
        return tabulate(c.nodes, [l](std::uint32_t s) {
            std::uint32_t d = 0;
            for (unsigned i = 0; i < l; ++i) d |= ((s >> i) & 1) << (l - 1 - i);
            return d;
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::reversal
