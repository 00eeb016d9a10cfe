// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

#include <cmath>

/// Where routers are drawn.
namespace sare {
namespace {

figure_cell coordinate(const reading& r, const figure_place& p, double spot::*axis) {
    const auto& at = r.out.router_places[p.row].at;
    return at ? round_for_picture((*at).*axis) : std::nan("");
}

const figures_declaration router_places_declared{
    0,
    {{scope::router, "x", "",
      "Where to draw it: neighbours are 1 apart; empty where the topology does not say.", summing::as_is,
      [](const reading& r, const figure_place& p) { return coordinate(r, p, &spot::x); }},
     {scope::router, "y", "", "Likewise.", summing::as_is,
      [](const reading& r, const figure_place& p) { return coordinate(r, p, &spot::y); }},
     {scope::router, "group", "", "Its plane, level, stage or group in the picture.", summing::as_is,
      [](const reading& r, const figure_place& p) {
          const auto& at = r.out.router_places[p.row].at;
          return figure_cell(at ? r.out.place_groups[at->group] : std::string());
      }}}};

}  // namespace
}  // namespace sare
