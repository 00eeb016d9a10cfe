// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_parts.h"

#include <functional>

namespace sare::cosim {

/// An experiment's network with its routers and NICs in RTL. Blocks in `shadow` or `shadow_nics` are compared
/// pin by pin, and with older RTL all blocks are. Otherwise, with routers in `replace` or NICs in RTL, the
/// model's network runs beside it under the same traffic, and every packet must leave and arrive in the same
/// cycle in both. A foreign router has its own timing: its scoreboard watches it, and reports divergences,
/// too.
struct network_run {
    std::uint64_t cycles = 10000;
    rtl_parts::options how;
};

struct network_outcome {
    std::optional<divergence> first;
    std::string problem;  ///< packets that do not come as in the model; "": none
    cycle_t problem_in = 0;
    std::optional<std::uint32_t> problem_of;  ///< node with a NIC in RTL at which they differ
    std::uint64_t router_cycles = 0, packets = 0;
};

/// Runs; once a process. Throws rtl_error and config::error. Calls `on_cycle` at times with the part done.
network_outcome run(const experiment& e, const network_run& what,
                    const std::function<void(double)>& on_cycle = {});

}  // namespace sare::cosim
