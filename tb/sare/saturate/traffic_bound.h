// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/simulation.h"
#include "tlm/routing/load/channel_bound.h"

/// Bounds of the load of an experiment, from the loads of channels that its traffic makes on its network.
namespace sare::cli {

/// Returns the highest load that the channels can carry, in the unit of load_unit(), or the reason why it is
/// not known. `network`: elaborated with the experiment's structure, and not run. `most_states`: largest
/// number of states of packets at routers, of which about a million take a second; beyond it there is no
/// bound.
channel_bound find_bound(const experiment& e, const simulation& network, std::uint64_t most_states);

/// Returns true if the traffic of another seed has other flows between nodes, as where patterns are drawn
/// from the seed. Returns false if there are more than 4096 nodes, and for traffic whose flows cannot be
/// asked for.
bool depends_on_seed(const experiment& e, const simulation& network);

/// Returns the experiment with the pattern's `seed` set to the experiment's, so that other seeds of the
/// experiment do not draw the pattern anew; returns it unchanged if there is no pattern, or the pattern has a
/// `seed` already or knows none.
experiment with_one_pattern(const experiment& e);

/// Returns the unit of the workload's `load`: "flits/node/cycle", or for flows "times the rates given".
std::string load_unit(const experiment& e);

/// Returns the bound `b` as text: "0.492 flits/node/cycle: router 3 to router 4 (port 0) and 7 more", or
/// "none: " and the reason.
std::string text_of(const channel_bound& b, const place_names& names, const std::string& unit);

}  // namespace sare::cli
