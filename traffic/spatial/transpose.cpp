// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic {
namespace {

const config::registration<pattern, const pattern_context&> registered{
    "transpose", "Bit permutation: the id rotated by l/2 bits (a matrix transposed).",
    config::schema<config::no_parameters>(),
    [](const config::no_parameters&, const config::value& section, const pattern_context& c) {
        const unsigned l = id_bits(section, "transpose", c.nodes);
        return tabulate(c.nodes, [l](std::uint32_t s) {
            return ((s << (l / 2)) | (s >> (l - l / 2))) & ((std::uint32_t{1} << l) - 1);
        });
    }};

}  // namespace
}  // namespace sare::traffic
