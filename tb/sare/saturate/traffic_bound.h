// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/simulation.h"
#include "tlm/routing/load/channel_bound.h"

/// The bound by channel loads of an experiment: its traffic on its network.
namespace sare::cli {

/// `network`: an elaborated one of the experiment's structure; it is not run. Beyond `most_states` (packets
/// at routers, a million a second or so) there is no bound.
channel_bound find_bound(const experiment& e, const simulation& network, std::uint64_t most_states);

/// Whether the traffic goes elsewhere with another seed: patterns may be drawn from it.
bool depends_on_seed(const experiment& e, const simulation& network);

/// The experiment with a pattern that runs of other seeds do not draw anew; as it is where its pattern has no
/// `seed`.
experiment with_one_pattern(const experiment& e);

/// What the workload's `load` is of: "flits/node/cycle", or of flows "times the rates given".
std::string load_unit(const experiment& e);

/// "0.492 flits/node/cycle: router 3 to router 4 (port 0) and 7 more", or "none: why".
std::string text_of(const channel_bound& b, const place_names& names, const std::string& unit);

}  // namespace sare::cli
