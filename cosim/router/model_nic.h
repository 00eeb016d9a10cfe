// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_nic.h"
#include "cosim/pins/pin_router.h"
#include "cosim/router/inject_model.h"

namespace sare::cosim {

/// A model, exact to the cycle, of rtl/sare_nic_inject.sv and rtl/sare_nic_eject.sv. It needs no Verilator.
class model_nic final : public pin_nic {
  public:
    /// `router`: parameters of the NIC's router; `classes`: number of message classes; `nic`: parameters of
    /// the NIC; `packets` must outlive the object.
    model_nic(const router_params& router, std::uint32_t classes, const nic_params& nic,
              const packet_table& packets);

    std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) override;
    void accept(const flit& f) override { m_arrived |= 1u << f.vc; }
    void clock(cycle_t t) override;
    std::optional<flit> sent() override { return m_link.front(); }
    std::uint32_t credits() const override { return m_freed; }

  private:
    const packet_table& m_packets;
    inject_model m_inject;
    /// Flits that have left and are not on the link yet: one element (a flit or nothing) for each cycle to
    /// come.
    std::deque<std::optional<flit>> m_link;
    std::optional<flit> m_leaves;  ///< flit that leaves in this cycle
    /// VCs, as masks: those of flits that have come in this cycle; those that get a credit (credits()).
    std::uint32_t m_arrived = 0, m_freed = 0;
};

}  // namespace sare::cosim
