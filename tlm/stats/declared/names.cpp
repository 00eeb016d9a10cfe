// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

/// What places are called, where some have names.
namespace sare {
namespace {

bool any_name(const reading& r) {
    return !r.out.names.empty();
}

const figures_declaration names_declared{
    5,
    {{scope::router, "name", "", "What it is called; the column is there where anything has a name.",
      summing::as_is,
      [](const reading& r, const figure_place& p) {
          return figure_cell(r.out.names.name(place_kind::router, r.out.router_places[p.row].router));
      },
      any_name},
     {scope::node, "name", "", "Likewise.", summing::as_is,
      [](const reading& r, const figure_place& p) {
          return figure_cell(r.out.names.name(place_kind::node, r.out.node_loads[p.row].node));
      },
      any_name},
     {scope::link, "name", "", "Likewise; of a link without a name of its own, what it leads from and to.",
      summing::as_is,
      [](const reading& r, const figure_place& p) {
          return figure_cell(r.out.text_of(r.out.link_loads[p.row]));
      },
      any_name}}};

}  // namespace
}  // namespace sare
