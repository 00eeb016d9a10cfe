// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/signals.h"
#include "tlm/systemc/kernel_api.h"

namespace sare::axi {

/// Base of modules that run once in each cycle of a clock, such as those at the AXI pins of a node.
class clocked : public sc_core::sc_module {
  public:
    sc_core::sc_in<bool> clock{"clock"};  ///< each rising edge ends a cycle

  protected:
    explicit clocked(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
        SARE_HAS_PROCESS(clocked);
        SC_METHOD(edge);
        sensitive << clock.pos();
        dont_initialize();
    }
    /// Called at each rising edge of `clock`: reads the pins in the cycle that ends, and drives them for the
    /// next cycle.
    virtual void edge() = 0;
};

}  // namespace sare::axi
