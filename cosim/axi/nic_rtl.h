// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/pins.h"
#include "cosim/router_setting.h"
#include "cosim/rtl_library.h"
#include "tlm/nic/params.h"

#include <memory>
#include <optional>
#include <vector>

namespace sare::axi {

/// sare_nic_inject and sare_nic_receive at an AXI node, with flits that carry data.
class nic_rtl {
  public:
    /// A flit that a class has to send.
    struct offer {
        stream_flit flit;
        route_header route;
        std::uint32_t length = 0;  ///< of its packet
    };
    /// What is on the link to the router.
    struct link_flit {
        bool head, tail;
        std::uint32_t vc;
        wide data;
    };

    /// `router` is the one that the NIC is at; `port`: of it, to this node. Builds the libraries if need be.
    nic_rtl(const cosim::router_setting& router, const cosim::surroundings& around, std::uint32_t port,
            const nic_params& nic, cosim::rtl_speed speed);

    /// @name A cycle, in this order
    /// @{
    /// By class. The classes (a bit each, one at most) whose flit is taken; `credits`: VCs, a bit each.
    std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits);
    void arrives(const link_flit& f);
    /// What stands before the node in a class; in the cycles after a flit arrived.
    stream_flit received(std::uint32_t message_class) const;
    /// Ends the cycle: classes, a bit each, from which the node takes its flit.
    void clock(std::uint32_t taken);
    std::optional<link_flit> sent() const;
    std::uint32_t credits() const;
    /// @}

  private:
    void drive(std::uint32_t message_class, const offer& o);

    const cosim::router_setting m_setting;
    std::shared_ptr<cosim::rtl_library> m_inject_library, m_receive_library;
    std::unique_ptr<cosim::rtl_instance> m_inject, m_receive;
    struct {
        cosim::rtl_pin clock, valid, tail, data, dest, ways, length, ready, credit;
        cosim::rtl_pin flit_valid, flit_head, flit_tail, flit_vc, flit_data;
    } m_out;
    struct {
        cosim::rtl_pin clock, flit_valid, flit_head, flit_tail, flit_vc, flit_data, credit;
        cosim::rtl_pin valid, tail, data, ready;
    } m_in;
};

}  // namespace sare::axi
