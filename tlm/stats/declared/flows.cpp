// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

/// Figures of pairs of nodes, where `measurement.matrix` asks for them.
namespace sare {
namespace {

auto flow_counter(std::uint64_t run_result::pair_traffic::*member) {
    return [member](const reading& r, const figure_place& p) {
        return figure_cell(r.out.matrix[p.row].*member);
    };
}

const figures_declaration flow_counts_declared{
    0,
    {{scope::flow, "packets", "packets", "Packets injected.", summing::total,
      flow_counter(&run_result::pair_traffic::packets)},
     {scope::flow, "flits", "flits", "Flits injected.", summing::total,
      flow_counter(&run_result::pair_traffic::flits)},
     {scope::flow, "waiting", "flits",
      "Flits in the queue of the source's NIC when the run is over: a row also for a pair that asked and got "
      "nothing; of a Bernoulli source at most 16 messages are there.",
      summing::as_is, flow_counter(&run_result::pair_traffic::waiting)},
     {scope::flow, "packets_consumed", "packets", "Packets consumed.", summing::total,
      flow_counter(&run_result::pair_traffic::consumed)},
     {scope::flow, "flits_consumed", "flits", "Flits consumed.", summing::total,
      flow_counter(&run_result::pair_traffic::consumed_flits)}}};

}  // namespace
}  // namespace sare
