// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/describe/catalogue.h"

#include "tlm/api/workload.h"
#include "tlm/network/experiment.h"
#include "tlm/nic/congestion/congestion_control.h"
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router_api/registry.h"
#include "tlm/routing/routing.h"
#include "tlm/stats/statistic.h"
#include "tlm/topology/region/level_governor.h"
#include "traffic/bridge/peer.h"
#include "traffic/flows/flow_format.h"
#include "traffic/length/length.h"
#include "traffic/placement/placement.h"
#include "traffic/spatial/pattern.h"
#include "traffic/tasks/tree.h"
#include "traffic/trace/reader.h"

namespace sare::cli {
namespace {

template <class Registry>
variant_family family(const std::string& kind, const std::string& plural) {
    const auto& all = Registry::instance();
    variant_family f{kind, plural, all.selector(), all.default_variant(), true, {}};
    for (const auto& [name, v] : all.variants()) f.variants.push_back({name, v.sentence, v.parameters()});
    return f;
}

}  // namespace

const variant_family* catalogue::family_of(const config::parameter_doc& d) const {
    for (const auto& f : families)
        if (f.kind == d.type) return &f;
    return nullptr;
}

const variant_family* catalogue::family_of_exceptions(const config::parameter_doc& d) const {
    for (const auto& f : families)
        if ("exceptions of " + f.kind == d.type) return &f;
    return nullptr;
}

const variant_family* catalogue::family_of_entries(const config::parameter_doc& d) const {
    for (const auto& f : families)
        if ("list of " + f.plural == d.type || "nested list of " + f.plural == d.type) return &f;
    return nullptr;
}

const catalogue& whole_catalogue() {
    static const catalogue all{
        experiment::fields().describe(),
        {family<topology_registry>("topology", "topologies"),
         family<routing_registry>("routing function", "routing functions"),
         family<router_registry>("router kind", "router kinds"),
         family<arbiter_registry>(arbiter::kind, "arbiters"),
         family<congestion_control_registry>(congestion_control::kind, "congestion controls"),
         family<level_governor_registry>(level_governor::kind, "governors"),
         family<allocator_registry>(allocator::kind, "allocators"),
         family<workload_registry>("workload", "workloads"),
         family<statistic_registry>("statistic", "statistics"),
         family<traffic::pattern_registry>("pattern", "patterns"),
         family<traffic::length_registry>("length", "lengths"),
         family<traffic::placement_registry>("placement", "placements"),
         family<traffic::tree_registry>("task tree", "task trees"),
         family<traffic::bridge_protocol_registry>("bridge protocol", "bridge protocols"),
         family<traffic::flow_format_registry>("flow format", "flow formats"),
         family<traffic::trace_registry>("trace format", "trace formats")}};
    return all;
}

}  // namespace sare::cli
