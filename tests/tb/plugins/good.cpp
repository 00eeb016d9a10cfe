// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/plugin.h"
#include "tlm/stats/results.h"
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

const sare::figures_declaration idle{
    sare::figures_declaration::last,
    {{sare::scope::link, "idle", "", "1: nothing crossed it.", sare::summing::as_is,
      [](const sare::reading& r, const sare::figure_place& at) {
          return sare::figure_cell(std::uint64_t{r.out.link_loads[at.row].flits == 0});
      }}}};

}  // namespace
