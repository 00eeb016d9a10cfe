// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/router/model_block.h"
#include "cosim/rtl/sare_nic_rtl.h"
#include "cosim/rtl/sare_router_rtl.h"
#include "cosim/scoreboard/lockstep.h"

namespace sare::cosim {

/// Two routers in lock step. If the second is sare_router, all output pins are compared; else the flits,
/// headers and credits that are read from them.
class router_pair final : public lockstep<pin_router> {
  public:
    /// `packets` must outlive it.
    router_pair(std::string name, std::unique_ptr<pin_router> first, std::unique_ptr<pin_router> second,
                std::uint32_t ports, const packet_table& packets, compared_machines machines);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;

  private:
    void list(pin_list& pins, std::uint32_t port, const port_out& out) const;

    sare_router_rtl* const m_rtl;  ///< the second router; null: it is other RTL
    const packet_table& m_packets;
    std::vector<port_out> m_out;  ///< outputs of the second router by port, if it is other RTL
};

/// sare_router in lock step with the model's router, or with older RTL.
struct own_router_pair {
    /// `old`: library of the older RTL; null: the model is the first machine. All arguments must outlive the
    /// pair; the library must be built for waves if `waves` has a file.
    own_router_pair(std::string name, const router_setting& setting, const routing_context& around,
                    const packet_table& packets, rtl_library& library, rtl_library* old,
                    const wave_window& waves);

    std::unique_ptr<router_pair> pair;
    sare_router_rtl* rtl;                ///< second machine of the pair
    const model_block* model = nullptr;  ///< first machine of the pair; null: it is older RTL
};

/// A NIC and its RTL in lock step.
class nic_pair final : public lockstep<pin_nic> {
  public:
    /// `packets` must outlive it.
    nic_pair(std::string name, std::unique_ptr<pin_nic> first, std::unique_ptr<sare_nic_rtl> rtl,
             const packet_table& packets, compared_machines machines);

    /// Writes waves of the RTL, with the pins of the first NIC beside them. Its library must be built for
    /// waves.
    void write_waves(const wave_window& window);

    std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) override;
    void accept(const flit& f) override;
    void clock(cycle_t t) override;
    std::optional<flit> sent() override { return m_sent; }
    std::uint32_t credits() const override { return first().credits(); }

  private:
    void list(pin_list& pins, const std::optional<flit>& sent) const;
    void show(cycle_t t);

    sare_nic_rtl& m_rtl;
    const packet_table& m_packets;
    std::uint32_t m_credits = 0;  ///< VCs whose credits come in this cycle, as a mask
    std::optional<flit> m_sent;   ///< flit that the first NIC sends in this cycle
};

}  // namespace sare::cosim
