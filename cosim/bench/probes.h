// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_case.h"

namespace sare::cosim {

/// Traffic that tests one property of a router; the scoreboard finds the errors.
struct probe {
    std::string name;    ///< name for messages, such as "credits of output 4 withheld"
    pin_events events;   ///< the packets and credits
    cycle_t cycles = 0;  ///< value for plugin_case::cycles, mostly well after the last event
    /// Whether one router or two run, and from which states (plugin_start, see plugin_case.h).
    plugin_start start = plugin_start::two_states;
};

/// Returns the probes for a router at a place: one flit in an idle router, one packet alone at full rate, the
/// longest packets, an output whose credits are withheld, buffers full and empty, all inputs to one output,
/// and a reset in mid-traffic. Outputs to which no input sends have no probes of their own. "All inputs to
/// one output" is made only if two input VCs send there, and with packets of 3 flits only if they are
/// allowed.
std::vector<probe> probes_of(const plugin_place& at);

}  // namespace sare::cosim
