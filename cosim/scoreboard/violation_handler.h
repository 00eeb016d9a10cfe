// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <systemc>

#include <exception>
#include <functional>
#include <string>

namespace sare::cosim {

/// Function that is called with the cycle, from 1, in which RTL made an error, and the error: a violation or
/// a failed assertion (rtl_error). The exception is valid only during the call.
using violation_handler = std::function<void(cycle_t, const std::exception&)>;

/// Calls `handler` with an error of `module` in cycle `t`. If `handler` is empty, reports the error to
/// SystemC with the message type "/sare/cosim", which ends the simulation.
inline void tell(const sc_core::sc_module& module, const violation_handler& handler, cycle_t t,
                 const std::exception& problem) {
    if (handler) return handler(t, problem);
    const std::string text =
        std::string(module.name()) + ", cycle " + std::to_string(t) + ": " + problem.what();
    SC_REPORT_ERROR("/sare/cosim", text.c_str());
}

}  // namespace sare::cosim
