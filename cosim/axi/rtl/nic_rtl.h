// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/node_nic.h"
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_library.h"
#include "tlm/nic/params.h"

#include <functional>
#include <memory>

namespace sare::axi {

/// sare_nic_inject and sare_nic_receive, Verilated.
class nic_rtl final : public node_nic {
  public:
    /// Builds a module's library if need be.
    using librarian = std::function<std::shared_ptr<cosim::rtl_library>(cosim::rtl_request)>;

    /// `router` is the one that the NIC is at; `port`: of it, to this node.
    nic_rtl(const cosim::router_setting& router, const cosim::routing_context& around, std::uint32_t port,
            const nic_params& nic, const librarian& library, const std::string& sources = "");

    void arrives(const link_flit& f) override;
    std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) override;
    stream_flit received(std::uint32_t message_class) const override;
    void clock(std::uint32_t taken) override;
    std::optional<link_flit> sent() const override;
    std::uint32_t credits() const override;

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
