// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/plugin.h"
#include "traffic/spatial/pattern.h"

/// Wants a name that a pattern has already.
SARE_PLUGIN();

namespace {
using namespace sare::traffic;

const sare::config::registration<pattern, const pattern_context&> registered{
    "tornado", "Another one.", sare::config::schema<sare::config::no_parameters>(),
    [](const sare::config::no_parameters&, const sare::config::value&, const pattern_context& c) {
        return tabulate(c.nodes, [](std::uint32_t s) { return s; });
    }};

}  // namespace
