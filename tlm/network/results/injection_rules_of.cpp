// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/injection_rules_of.h"

#include "tlm/base/joined.h"
#include "tlm/network/credit_limit.h"
#include "tlm/network/experiment.h"
#include "tlm/network/router_plan.h"
#include "tlm/topology/topology.h"

#include <cmath>
#include <vector>

namespace sare {
namespace {

bool is_limited(const nic_params& nic, std::uint32_t message_class) {
    return nic.retransmission != retransmission::none || nic.rate_of(message_class) != 0;
}

injection_rules::first_buffer first_buffer_of(const topology& map, const router_plan& plan,
                                              const nic_params& nic, std::uint32_t node) {
    const router_id router = map.router_of(node_id(node));
    const router_terms& terms = plan.terms(router.value);
    const link_attributes link = map.injection_link(node_id(node));
    const std::optional<credit_limit> limit =
        credit_limit_of({network_channel::kind::injection, node, 0, 0}, map, plan, nic);
    if (!limit || terms.sharing != buffer_sharing::per_vc || terms.pool != 0 || terms.pauses.pauses() ||
        link.wake != 0 || map.clock(node_id(node)) != clock_ratio() || map.clock(router) != clock_ratio())
        return {};
    const auto trip = static_cast<cycle_t>(std::ceil(limit->round_trip));
    return {terms.depth, trip + terms.credit_batch - 1, terms.whole_packets, terms.requires_empty_buffer};
}

}  // namespace

injection_rules injection_rules_of(const experiment& e, const topology& map, const router_plan& plan) {
    injection_rules rules;
    rules.queues_in_routers = plan.terms(0).owns_nodes;
    if (nic_limits(e).empty() || e.domains.type() != config::value::kind::null) return rules;
    rules.buffer_of = [&map, &plan, nic = e.nic](std::uint32_t node, std::uint32_t message_class) {
        return is_limited(nic, message_class) ? first_buffer_of(map, plan, nic, node)
                                              : injection_rules::first_buffer{};
    };
    return rules;
}

std::string nic_limits(const experiment& e) {
    std::vector<std::string> all;
    if (e.nic.is_limited()) all.push_back("nic.rate");
    if (e.nic.controls_congestion()) all.push_back("nic.congestion_control");
    if (e.nic.retransmission != retransmission::none) all.insert(all.end(), {"nic.window", "nic.time_out"});
    return joined(all, " or ");
}

}  // namespace sare
