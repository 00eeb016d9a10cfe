// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/utilisation.h"
#include "tlm/fabric/parts/network_clocks.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/router_api/node_rates.h"
#include "tlm/stats/results.h"
#include "tlm/topology/serialisation.h"

#include <algorithm>
#include <cmath>

/// Utilisation: what a link did over what it could have done, by its width and the clocks of its ends.
namespace sare {

flit_time time_of_flit(const reading& r, const link_result& l, cycle_t from, cycle_t to) {
    const topology& map = r.map;
    const bool from_node = l.kind == "injection", to_node = l.kind == "ejection";
    const auto end_of = [&](bool node, std::uint32_t id) {
        const clock_region* const its = node ? map.region(node_id(id)) : map.region(router_id(id));
        if (its != nullptr) return std::pair(its, r.net->clocks().mean_period(its, from, to));
        return std::pair(its, (node ? map.clock(node_id(id)) : map.clock(router_id(id))).period());
    };
    const auto [writer, own] = end_of(from_node, l.from);
    const auto [reader, other] = end_of(to_node, l.to);
    const link_attributes link =
        from_node ? map.injection_link(node_id(l.from)) : map.link(router_id(l.from), port_id(l.from_port));
    flit_time all{flit_period(link, own, other), slowing_region(link, own, writer, other, reader)};
    if (!from_node && !to_node) return all;
    const router_id router(from_node ? l.to : l.from);
    if (const auto* inside = dynamic_cast<const node_rates*>(&r.net->model(router.value)))
        all.cycles /= from_node ? inside->most_injected(map, router) : inside->most_ejected(map, router);
    return all;
}

namespace {

/// A flit that began before the end of the window takes cycles beyond it: a share is at most 1.
const figures_declaration link_utilisation{
    10,
    {{scope::link, "utilisation", "",
      "Share of what it could carry: the cycles that its flits took, by its width and the clocks of its "
      "ends.",
      summing::share,
      [](const reading& r, const figure_place& p) {
          const link_result l = r.out.link_loads[p.row];
          return figure_cell(static_cast<double>(l.flits) *
                             time_of_flit(r, l, r.out.measured_from, r.out.measured_to).cycles);
      },
      nullptr, true}}};

/// Of the links that leave a router; the contention-free model has none.
double most_used_of(const run_result& out, std::uint32_t router) {
    double most = std::nan("");
    const auto [first, end] = out.link_loads.outputs_of(router);
    if (first == end) return most;
    const figure_view use = out.column_of(scope::link, "utilisation");
    for (std::size_t row = first; row != end; ++row) most = std::fmax(most, use.number(row));
    return most;
}

const figures_declaration router_utilisation{
    11,
    {{scope::router, "utilisation", "", "Of its outgoing links, those to nodes too, the most used one's.",
      summing::as_is, [](const reading& r, const figure_place& p) {
          return figure_cell(most_used_of(r.out, r.out.router_places[p.row].router));
      }}}};

const figures_declaration run_link_utilisation{
    41,
    {{scope::run, "links.mean_utilisation", "", "Mean utilisation of the links between routers.",
      summing::as_is,
      [](const reading& r, const figure_place&) {
          return figure_cell(over_channels(r.out, "utilisation").mean);
      }},
     {scope::run, "links.max_utilisation", "", "The largest utilisation of a link between routers.",
      summing::as_is, [](const reading& r, const figure_place&) {
          return figure_cell(over_channels(r.out, "utilisation").most);
      }}}};

}  // namespace
}  // namespace sare
