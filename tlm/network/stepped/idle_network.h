// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <functional>

namespace sare {

struct experiment;
class topology;

/// Returns a function that measures the cycles from generation to arrival of a message that has the network
/// for itself; 0: the network loses the message, even alone. Results are exact for any kind of router, link
/// and packet, and independent of earlier calls. Its first call builds a copy of the network of `e`, without
/// failures and retransmission. Each call sends one message into it, in a cycle in which all clocks have an
/// edge. Returns an empty function if the network has combiners, or if clocks change. `map`: topology of the
/// network; `classes`: number of message classes.
std::function<cycle_t(const message&)> idle_latencies(const experiment& e, const topology& map,
                                                      std::uint32_t classes);

}  // namespace sare
