// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/format.h"

#include <vector>

/// The two bridges at their pins, cycle by cycle: the model's, or RTL. out() is what stands on the output
/// pins in the cycle that the next clock() ends; it does not depend on the inputs of that cycle.
namespace sare::axi {

/// rtl/sare_axi_manager_bridge.sv
class manager_bridge {
  public:
    struct inputs {
        forward_pins axi;
        std::uint32_t req_ready = 0;  ///< mask of the request classes whose flit is taken
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
    /// Call after the last cycle: runs `final` blocks of RTL. Throws cosim::rtl_error.
    virtual void finish() {}
};

/// rtl/sare_axi_subordinate_bridge.sv. IDs are {node of the manager, ID}.
class subordinate_bridge {
  public:
    struct inputs {
        backward_pins axi;
        std::vector<stream_flit> req;  ///< by request class
        bool rsp_ready = false;
    };
    struct outputs {
        forward_pins axi;
        std::uint32_t req_ready = 0;  ///< mask of the request classes whose flit is taken
        leaving_flit rsp;
    };
    virtual ~subordinate_bridge() = default;
    virtual outputs out() const = 0;
    virtual void clock(const inputs& in) = 0;
    /// Call after the last cycle: runs `final` blocks of RTL. Throws cosim::rtl_error.
    virtual void finish() {}
};

}  // namespace sare::axi
