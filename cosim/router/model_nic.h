// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_nic.h"
#include "cosim/pins/pin_router.h"
#include "cosim/router/inject_model.h"

namespace sare::cosim {

/// Model of sare_nic_inject and sare_nic_eject, exact to the cycle. Needs no Verilator.
class model_nic final : public pin_nic {
  public:
    /// `router`: parameters of the NIC's router; `classes`: number of message classes. `packets` must outlive
    /// the NIC.
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
    std::deque<std::optional<flit>> m_link;    ///< flits from the next register to the link, one a cycle
    std::optional<flit> m_leaves;              ///< flit of this cycle
    std::uint32_t m_arrived = 0, m_freed = 0;  ///< masks of VCs: of flits in this cycle; see credits()
};

}  // namespace sare::cosim
