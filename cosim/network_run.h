// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_parts.h"

#include <functional>

namespace sare::cosim {

/// Run of an experiment's network with its routers and NICs in RTL. Blocks in `shadow` or `shadow_nics` are
/// compared pin by pin; with how.old_rtl all blocks in RTL are. If routers in `replace` or NICs in `nics` are
/// Sare's RTL, and there is no older RTL, the model's network runs beside it under the same traffic, and
/// every packet must leave and arrive in the same cycle in both networks. A foreign router has its own
/// timing: its scoreboard watches it, and what it finds is reported as a divergence, too.
struct network_run {
    std::uint64_t cycles = 10000;  ///< most cycles; fewer if the workload finishes, or at a difference
    rtl_parts::options how;        ///< `collect` is always on
};

struct network_outcome {
    std::optional<divergence> first;  ///< first divergence; none: there is none
    /// First packet that leaves or arrives in only one of the two networks in its cycle; "": none.
    std::string problem;
    /// Cycle of `problem`, and node at which it shows, if that node's NIC is RTL; else 0 and none.
    cycle_t problem_in = 0;
    std::optional<std::uint32_t> problem_of;
    std::uint64_t router_cycles = 0;  ///< see rtl_parts::router_cycles()
    std::uint64_t packets = 0;        ///< number of packets that have arrived
};

/// Runs an experiment; once a process. Throws rtl_error if RTL cannot be built, and config::error if it does
/// not fit the network. Calls `on_cycle` at times with the share of the cycles done, in [0, 1].
network_outcome run(const experiment& e, const network_run& what,
                    const std::function<void(double)>& on_cycle = {});

}  // namespace sare::cosim
