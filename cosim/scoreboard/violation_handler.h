// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <systemc>

#include <exception>
#include <functional>
#include <string>

namespace sare::cosim {

/// Function that takes an error of RTL with its cycle: a violation, or a failed assertion.
using violation_handler = std::function<void(cycle_t, const std::exception&)>;

/// Passes an error in cycle `t` to a module's handler; without a handler, reports it as "/sare/cosim", which
/// ends the simulation.
inline void tell(const sc_core::sc_module& module, const violation_handler& handler, cycle_t t,
                 const std::exception& problem) {
    if (handler) return handler(t, problem);
    const std::string text =
        std::string(module.name()) + ", cycle " + std::to_string(t) + ": " + problem.what();
    SC_REPORT_ERROR("/sare/cosim", text.c_str());
}

}  // namespace sare::cosim
