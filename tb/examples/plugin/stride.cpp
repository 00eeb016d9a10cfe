// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace {
using namespace sare;
using namespace sare::traffic;

struct stride_parameters {
    std::uint32_t step = 1;
};

const config::registration<pattern, const pattern_context&> registered{
    "stride", "Every node sends to the one so many numbers on.",
    config::schema<stride_parameters>().number("step", &stride_parameters::step, 0, 1e6, "nodes", "how far"),
    [](const stride_parameters& p, const config::value&, const pattern_context& c) {
        return tabulate(c.nodes, [&](std::uint32_t s) { return (s + p.step) % c.nodes; });
    }};

}  // namespace
