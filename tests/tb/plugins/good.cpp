// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/plugin.h"
#include "traffic/spatial/pattern.h"

SARE_PLUGIN();

namespace {
using namespace sare::traffic;

struct parameters {
    std::uint32_t step = 1;
};

const sare::config::registration<pattern, const pattern_context&> registered{
    "stride", "Every node sends to the one so many numbers on.",
    sare::config::schema<parameters>().number("step", &parameters::step, 0, 1e6, "nodes", "how far"),
    [](const parameters& p, const sare::config::value&, const pattern_context& c) {
        return tabulate(c.nodes, [&](std::uint32_t s) { return (s + p.step) % c.nodes; });
    }};

}  // namespace
