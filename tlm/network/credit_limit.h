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
    std::uint32_t vcs = 1;    ///< number of VCs at the receiving port
    std::uint32_t depth = 1;  ///< flits that the buffer of each VC holds; the mean if VCs share places
    /// Least number of network cycles from the sending of a flit until its credit allows another flit to be
    /// sent.
    double round_trip = 1;
    /// Greatest number of flits that the link carries in a network cycle, on average: VCs x depth / round
    /// trip.
    double rate() const { return static_cast<double>(vcs) * depth / round_trip; }
};

/// Returns the limit for a link from a router or a NIC into a router. No value: the link leads to a node, or
/// the receiving router does not give a credit for each flit (router_terms: on_links, deflects or
/// owns_nodes). The round trip is that of a flit which leaves the receiving buffer in the first cycle in
/// which it may, so that no traffic can have a higher rate.
std::optional<credit_limit> credit_limit_of(const network_channel& channel, const topology& map,
                                            const router_plan& plan, const nic_params& nic);

/// Returns the greatest number of flits in a network cycle, on average, that the switches of the routers at
/// the ends of a channel let through. It is the lower of two rates: of the first router's switch to an
/// output, and of the second one's from all VCs of an input. Infinite for routers without a pipeline
/// (pipelined_model).
double switch_limit_of(const network_channel& channel, const topology& map, const router_plan& plan);

/// Returns a sentence on the link whose credits let through the smallest share of the flits that its width
/// allows, with the depth of buffers that would let all through; "" if no link is slowed down.
std::string warning_of_credits(const topology& map, const router_plan& plan, const nic_params& nic);

}  // namespace sare
