// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/format.h"

#include <vector>

/// The two AXI bridges at their pins, cycle by cycle: models or RTL. out() returns the output pins in the
/// cycle that the next clock() ends; they do not depend on the inputs of that cycle. A mask has request class
/// 0 in bit 0.
namespace sare::axi {

/// Bridge between an AXI manager and the network: rtl/sare_axi_manager_bridge.sv or its model.
class manager_bridge {
  public:
    struct inputs {
        forward_pins axi;
        /// Mask of the request classes that are ready: a flit of one is taken in this cycle if it is valid.
        std::uint32_t req_ready = 0;
        stream_flit rsp;
    };
    struct outputs {
        backward_pins axi;
        leaving_flit req;
        bool rsp_ready = false;
    };
    virtual ~manager_bridge() = default;
    virtual outputs out() const = 0;
    virtual void clock(const inputs& in) = 0;
    /// Ends the bridge; call once, after the last cycle. RTL alone: runs its `final` blocks, and throws
    /// cosim::rtl_error if an assertion fails. Model: does nothing. Model and RTL in lock step: does nothing
    /// after a difference; else a failure of the RTL becomes the difference.
    virtual void finish() {}
};

/// Bridge between the network and an AXI subordinate: rtl/sare_axi_subordinate_bridge.sv or its model. An ID
/// at its AXI port is {node of the manager, the manager's ID}.
class subordinate_bridge {
  public:
    struct inputs {
        backward_pins axi;
        std::vector<stream_flit> req;  ///< by request class
        bool rsp_ready = false;
    };
    struct outputs {
        forward_pins axi;
        /// Mask of the request classes that are ready: a flit of one is taken in this cycle if it is valid.
        std::uint32_t req_ready = 0;
        leaving_flit rsp;
    };
    virtual ~subordinate_bridge() = default;
    virtual outputs out() const = 0;
    virtual void clock(const inputs& in) = 0;
    /// Ends the bridge: see manager_bridge::finish().
    virtual void finish() {}
};

}  // namespace sare::axi
