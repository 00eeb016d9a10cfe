// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/format.h"

#include <vector>

/// Interfaces of the two AXI bridges at their pins, cycle by cycle: models or RTL. out() returns the output
/// pins in the cycle that the next clock() ends; they do not depend on the inputs of that cycle.
namespace sare::axi {

/// The bridge between an AXI manager and the network: rtl/sare_axi_manager_bridge.sv or its model.
class manager_bridge {
  public:
    /// Input pins in a cycle.
    struct inputs {
        /// AXI pins that the manager drives.
        forward_pins axi;
        /// Message classes of requests, as a mask with class 0 in bit 0, that the network is ready to take: a
        /// flit of one of them is taken in this cycle if it is valid.
        std::uint32_t req_ready = 0;
        /// Flit of a response that has arrived at the node; not valid if there is none.
        stream_flit rsp;
    };
    /// Output pins in a cycle.
    struct outputs {
        /// AXI pins that the bridge drives.
        backward_pins axi;
        /// Flit of a request for the network; not valid if there is none.
        leaving_flit req;
        /// True: the bridge takes the flit `inputs::rsp` in this cycle if it is valid.
        bool rsp_ready = false;
    };
    virtual ~manager_bridge() = default;
    /// Returns the output pins in the present cycle.
    virtual outputs out() const = 0;
    /// Ends the present cycle, which had the inputs `in`.
    virtual void clock(const inputs& in) = 0;
    /// Ends the run; call once, after the last cycle. RTL: runs its `final` blocks, and throws
    /// cosim::rtl_error if an assertion fails. Model: does nothing. A pair in lock step: calls it for both,
    /// so that a failure of the RTL becomes its difference; does nothing after a difference.
    virtual void finish() {}
};

/// The bridge between the network and an AXI subordinate: rtl/sare_axi_subordinate_bridge.sv or its model. An
/// ID at its AXI port has the manager's node in the upper bits and the manager's own ID below.
class subordinate_bridge {
  public:
    /// Input pins in a cycle.
    struct inputs {
        /// AXI pins that the subordinate drives.
        backward_pins axi;
        /// Flit of a request that has arrived, one element for each message class of requests; not valid if
        /// there is none.
        std::vector<stream_flit> req;
        /// True: the network takes the flit `outputs::rsp` in this cycle if it is valid.
        bool rsp_ready = false;
    };
    /// Output pins in a cycle.
    struct outputs {
        /// AXI pins that the bridge drives.
        forward_pins axi;
        /// Message classes of requests, as a mask with class 0 in bit 0, of which the bridge takes a flit in
        /// this cycle if it is valid.
        std::uint32_t req_ready = 0;
        /// Flit of a response for the network; not valid if there is none.
        leaving_flit rsp;
    };
    virtual ~subordinate_bridge() = default;
    /// Returns the output pins in the present cycle.
    virtual outputs out() const = 0;
    /// Ends the present cycle, which had the inputs `in`.
    virtual void clock(const inputs& in) = 0;
    /// Ends the run; call once, after the last cycle. Details as for manager_bridge::finish().
    virtual void finish() {}
};

}  // namespace sare::axi
