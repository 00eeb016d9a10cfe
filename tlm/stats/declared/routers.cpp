// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

#include <cmath>

/// Where routers are drawn.
namespace sare {
namespace {

figure_cell coordinate(const reading& r, const figure_place& p, double spot::*axis) {
    const layout* const picture = r.out.picture.get();
    const router_id router(r.out.router_places[p.row].router);
    return picture == nullptr ? std::nan("") : round_for_picture(picture->of(router).*axis);
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
          const layout* const picture = r.out.picture.get();
          const router_id router(r.out.router_places[p.row].router);
          return figure_cell(picture == nullptr ? "" : picture->group_name(picture->of(router).group));
      }}}};

}  // namespace
}  // namespace sare
