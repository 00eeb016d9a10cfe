// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/format.h"

#include <string>
#include <vector>

namespace sare::axi {

/// Bridges drawn at random from all that the RTL can be: managers (nodes from 0) and memories (those behind).
struct random_case {
    manager_params manager;  ///< of each
    subordinate_params subordinate;
    std::uint32_t managers = 1, memories = 1;
};

/// The same for the same seed on every machine.
random_case draw_case(std::uint64_t seed);

/// Bridges of both kinds, model and RTL in lock step, between random managers, a random network and random
/// memories; a checker at every AXI port.
struct random_run {
    std::uint64_t seed = 1;        ///< of case and traffic
    std::uint64_t cycles = 20000;  ///< of traffic; then all transactions end
    bool rtl = true;               ///< false: the models alone
    cosim::rtl_speed speed = cosim::rtl_speed::checked;
    std::string sources;  ///< of the RTL; "": Sare's own
};

struct random_outcome {
    std::string parameters;
    std::string difference;  ///< the first one of model and RTL; "": none
    std::string problem;     ///< anything else: a rule of AXI, wrong data, no end; "": none
    std::uint64_t bridge_cycles = 0, transactions = 0, flits = 0;
    std::uint64_t requests_held = 0;  ///< cycles in which a request stood before a subordinate's bridge
};

random_outcome run(const random_run& what);
random_outcome run(const random_run& what, const random_case& drawn);

}  // namespace sare::axi
