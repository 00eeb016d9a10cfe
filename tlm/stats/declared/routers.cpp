// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/view/network_view.h"
#include "tlm/stats/results.h"

#include <cmath>

/// Where routers are drawn, and how long they were off.
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

/// A figure of routers that can go off, in networks that have some; empty for others. `of`: its count after
/// all cycles of the run.
template <class F>
figure of_gate(const char* name, const char* unit, const char* sentence, F of) {
    return {scope::router,
            name,
            unit,
            sentence,
            summing::as_is,
            [of](const reading& r, const figure_place& p) {
                const auto gate = r.net->gates().find(r.out.router_places[p.row].router);
                return figure_cell(gate == r.net->gates().end()
                                       ? std::nan("")
                                       : static_cast<double>(of(gate->second, r.out.cycles)));
            },
            [](const reading& r) { return r.net != nullptr && !r.net->gates().empty(); }};
}

const figures_declaration router_gates{
    12,
    {of_gate("off", "cycles", "Cycles of the whole run in which it was off; empty: it is always on.",
             [](const router_gate& g, cycle_t cycles) { return g.cycles_asleep(cycles); }),
     of_gate("wakings", "", "How often it was woken.",
             [](const router_gate& g, cycle_t) { return g.wakings(); })}};

}  // namespace
}  // namespace sare
