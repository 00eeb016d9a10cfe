// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/blocks.h"
#include "cosim/axi/node_nic.h"
#include "cosim/router/inject_model.h"

namespace sare::axi {

/// A model, exact to the cycle, of both halves of an AXI node's NIC: rtl/sare_nic_inject.sv and
/// rtl/sare_nic_receive.sv. It needs no Verilator.
class nic_model final : public node_nic {
  public:
    /// `router`: parameters of the NIC's router, of which VCs and buffers count; `classes`: number of message
    /// classes. `places`: flits of each VC that the NIC's receive buffers hold; `nic`: parameters of the NIC.
    nic_model(const router_params& router, std::uint32_t classes, std::uint32_t places,
              const nic_params& nic);

    void arrives(const link_flit& f) override { m_arrived = f; }
    std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) override;
    stream_flit received(std::uint32_t message_class) const override;
    void clock(std::uint32_t taken) override;
    std::optional<link_flit> sent() const override { return m_link.front(); }
    std::uint32_t credits() const override { return m_freed; }

  private:
    static constexpr std::uint32_t none = round_robin::none;
    /// State of the reception of a message class: turns of its VCs, and the VC that has the turn.
    struct receive_class {
        round_robin turn;
        std::uint32_t vc = none;  ///< VC of the packet that is being received, counted from the first VC of
                                  ///< the class; none: no packet
    };
    std::uint32_t stored(std::uint32_t message_class) const;
    std::uint32_t from(std::uint32_t message_class) const;

    const std::uint32_t m_class_vcs, m_places;
    cosim::inject_model m_inject;
    /// Flits that have left and are not on the link yet: one element (a flit or nothing) for each cycle to
    /// come.
    std::deque<std::optional<link_flit>> m_link;
    std::optional<link_flit> m_leaves;  ///< flit that leaves in this cycle
    std::vector<receive_class> m_receive;
    std::vector<std::deque<link_flit>> m_buffers;  ///< receive buffer of each VC
    std::optional<link_flit> m_arrived;            ///< flit that has arrived in this cycle
    /// VCs, as a mask, in whose buffer a place has become free (credits()).
    std::uint32_t m_freed = 0;
};

}  // namespace sare::axi
