// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

#include <cmath>

/// Figures of links and their VCs.
namespace sare {
namespace {

link_result link_at(const reading& r, const figure_place& p) {
    return r.out.link_loads[p.row];
}

/// No cycles were counted on the link of a NIC, VC by VC.
figure_cell flits_of_vc(const reading& r, const figure_place& p) {
    const vc_counts flits = link_at(r, p).vc_flits;
    return p.vc < flits.size() ? figure_cell(std::uint64_t{flits[p.vc]}) : figure_cell(std::nan(""));
}

const figures_declaration link_loads{
    0,
    {{scope::link, "flits", "flits", "Flits that crossed it.", summing::total,
      [](const reading& r, const figure_place& p) { return figure_cell(link_at(r, p).flits); }},
     {scope::link, "load", "flits/cycle", "Flits that crossed it, a cycle.", summing::per_cycle,
      [](const reading& r, const figure_place& p) { return figure_cell(link_at(r, p).flits); }}}};

const figures_declaration link_stubs{
    20,
    {{scope::link, "stub", "degrees",
      "Direction, anticlockwise from the right, of a link that pictures have as two stubs; else empty.",
      summing::as_is, [](const reading& r, const figure_place& p) {
          const link_result l = link_at(r, p);
          if (!r.out.picture || l.kind != "router") return figure_cell(std::nan(""));
          const auto angle = r.out.picture->stub(router_id(l.from), port_id(l.from_port));
          return figure_cell(round_for_picture(angle.value_or(std::nan(""))));
      }}}};

/// Nothing where no samples were taken.
auto waiting(double run_result::link_waiting::*member) {
    return [member](const reading& r, const figure_place& p) {
        return figure_cell(p.row < r.out.link_waits.size() ? r.out.link_waits[p.row].*member : std::nan(""));
    };
}

const figures_declaration link_waits{
    12,
    {{scope::link, "waits_vc", "packets",
      "Packets at the front of input VCs and source queues that waited for it: each of its VCs that they "
      "might have was another packet's.",
      summing::mean, waiting(&run_result::link_waiting::vc)},
     {scope::link, "waits_credit", "packets", "Likewise: there was no room beyond it.", summing::mean,
      waiting(&run_result::link_waiting::credit)},
     {scope::link, "waits_turn", "packets", "Likewise, for their turn alone.", summing::mean,
      waiting(&run_result::link_waiting::turn)}}};

const figures_declaration vc_loads{
    30,
    {{scope::vc, "vc", "flits/cycle", "Flits that crossed the link on this VC, a cycle.", summing::per_cycle,
      flits_of_vc}}};

const figures_declaration run_link_loads{
    40,
    {{scope::run, "links.mean_load", "flits/cycle", "Mean load of the links between routers.", summing::as_is,
      [](const reading& r, const figure_place&) {
          return figure_cell(r.out.link_loads.empty() ? std::nan("") : over_channels(r.out, "load").mean);
      }},
     {scope::run, "links.max_load", "flits/cycle", "The largest load of a link between routers.",
      summing::as_is, [](const reading& r, const figure_place&) {
          return figure_cell(r.out.link_loads.empty() ? std::nan("") : over_channels(r.out, "load").most);
      }}}};

}  // namespace
}  // namespace sare
