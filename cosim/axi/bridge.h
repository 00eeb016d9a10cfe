// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/format.h"

#include <vector>

/// The two bridges at their pins, a cycle at a time: the model's, or RTL. What out() gives stands on the
/// output pins in the cycle that the next clock() ends; it does not depend on what comes in in that cycle.
namespace sare::axi {

/// rtl/sare_axi_manager_bridge.sv
class manager_bridge {
  public:
    struct inputs {
        forward_pins axi;
        std::uint32_t req_ready = 0;  ///< classes of requests, a bit each
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
    /// After the last cycle: `final` blocks of RTL. Throws cosim::rtl_error.
    virtual void finish() {}
};

/// rtl/sare_axi_subordinate_bridge.sv. IDs are {node of the manager, ID}.
class subordinate_bridge {
  public:
    struct inputs {
        backward_pins axi;
        std::vector<stream_flit> req;  ///< by class of requests
        bool rsp_ready = false;
    };
    struct outputs {
        forward_pins axi;
        std::uint32_t req_ready = 0;  ///< classes of requests, a bit each
        leaving_flit rsp;
    };
    virtual ~subordinate_bridge() = default;
    virtual outputs out() const = 0;
    virtual void clock(const inputs& in) = 0;
    /// After the last cycle: `final` blocks of RTL. Throws cosim::rtl_error.
    virtual void finish() {}
};

}  // namespace sare::axi
