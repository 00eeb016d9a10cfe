// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/load/channel_bound.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sare {

class router_plan;
class topology;
struct nic_params;

/// Limit that the credits of a link set to its throughput.
struct credit_limit {
    std::uint32_t vcs = 1;         ///< VCs at the receiving port
    std::uint32_t depth = 1;       ///< flits that each of them holds
    std::uint32_t round_trip = 1;  ///< least number of cycles until the credit of a flit serves another one
    /// Greatest number of flits that the link carries in a cycle of the network, on average: VCs x depth /
    /// round trip.
    double rate() const { return static_cast<double>(vcs) * depth / round_trip; }
};

/// Returns the limit for a link into a router. No value: the channel leads to a node, or its ends do not
/// exchange flits and credits (router_terms::on_links). The round trip is that of a flit which leaves the
/// receiving buffer in the first cycle in which it may, so that no traffic can have more.
std::optional<credit_limit> credit_limit_of(const network_channel& channel, const topology& map,
                                            const router_plan& plan, const nic_params& nic);

/// Returns a sentence on the link that its credits slow down most, with the depth of buffers that would not
/// slow it down; "" if they slow down none.
std::string warning_of_credits(const topology& map, const router_plan& plan, const nic_params& nic);

}  // namespace sare
