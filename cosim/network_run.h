// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_parts.h"

#include <functional>

namespace sare::cosim {

/// An experiment's network with its routers and NICs in RTL. What is in `shadow` or `shadow_nics` is compared
/// pin for pin, and so is all of it with older RTL, where that is given; else, where routers are in
/// `replace`, or NICs in RTL, the model's network runs beside it under the same traffic, and every packet
/// must leave and arrive in the same cycle in both. A foreign router has a timing of its own: its scoreboard
/// looks on, and what it finds is a divergence, too.
struct network_run {
    std::uint64_t cycles = 10000;
    rtl_parts::options how;
};

struct network_outcome {
    std::optional<divergence> first;
    std::string problem;  ///< packets that do not come as the model's do; "": none
    cycle_t problem_in = 0;
    std::optional<std::uint32_t> problem_of;  ///< node with a NIC in RTL at which they do so
    std::uint64_t router_cycles = 0, packets = 0;
};

/// Once a process. Throws rtl_error and config::error. `on_cycle` is called now and then with how far it is.
network_outcome run(const experiment& e, const network_run& what,
                    const std::function<void(double)>& on_cycle = {});

}  // namespace sare::cosim
