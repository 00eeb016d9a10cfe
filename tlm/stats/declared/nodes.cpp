// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

/// Figures of nodes.
namespace sare {
namespace {

/// A counter of a node's.
auto node_counter(std::uint64_t node_result::*member) {
    return [member](const reading& r, const figure_place& p) {
        return figure_cell(r.out.node_loads[p.row].*member);
    };
}

const figures_declaration node_counts_declared{
    0,
    {{scope::node, "generated", "packets",
      "Packets that its workload made, those that wait in the node too; a message that waits counts as one.",
      summing::total, node_counter(&node_result::generated)},
     {scope::node, "injected", "packets", "Packets that it sent into the network.", summing::total,
      node_counter(&node_result::injected)},
     {scope::node, "consumed", "packets", "Packets that came to it.", summing::total,
      node_counter(&node_result::consumed)},
     {scope::node, "offered", "flits/cycle", "Load that its workload made.", summing::per_cycle,
      node_counter(&node_result::generated_flits)},
     {scope::node, "accepted", "flits/cycle", "Load that came to it.", summing::per_cycle,
      node_counter(&node_result::accepted_flits)}}};

}  // namespace
}  // namespace sare
