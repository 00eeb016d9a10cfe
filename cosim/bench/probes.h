// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_case.h"

namespace sare::cosim {

/// Traffic that tests one property of a router; the scoreboard finds the errors.
struct probe {
    std::string name;    ///< name for messages, such as "credits of output 4 withheld"
    pin_events events;   ///< the packets and credits
    cycle_t cycles = 0;  ///< last cycle of the events (plugin_case::cycles)
    plugin_start start = plugin_start::two_states;  ///< state in which the router begins
};

/// Returns the probes for a router at a place: one flit in an idle router, one packet alone at full rate, the
/// longest packets, an output whose credits are withheld, buffers full and empty, all inputs to one output,
/// and a reset in mid-traffic.
std::vector<probe> probes_of(const plugin_place& at);

}  // namespace sare::cosim
