// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::complement {
namespace {

const config::registration<pattern, const pattern_context&> registered{
    "complement",
    "Node n - 1 - s: every coordinate mirrored, or d[i] = not s[i] in the bits of a power of two.",
    [](const config::no_parameters&, const config::value&, const pattern_context& c) {
        return tabulate(c.nodes, [&c](std::uint32_t s) { return c.nodes - 1 - s; });
    }};

}  // namespace
}  // namespace sare::traffic::variants::complement
