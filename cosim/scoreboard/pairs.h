// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/router/model_block.h"
#include "cosim/rtl/sare_nic_rtl.h"
#include "cosim/rtl/sare_router_rtl.h"
#include "cosim/scoreboard/lockstep.h"

namespace sare::cosim {

/// Two routers in lock step. If the second one is sare_router in RTL, all of its output pins are compared;
/// for other RTL, the flits, header fields and credits that are read from the pins.
class router_pair final : public lockstep<pin_router> {
  public:
    /// `ports`: number of ports; `packets` must outlive the pair. Other arguments: see lockstep.
    router_pair(std::string name, std::unique_ptr<pin_router> first, std::unique_ptr<pin_router> second,
                std::uint32_t ports, const packet_table& packets, compared_machines machines);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;

  private:
    void list(pin_list& pins, std::uint32_t port, const port_out& out) const;

    sare_router_rtl* const m_rtl;  ///< the second router; null: it is not sare_router
    const packet_table& m_packets;
    std::vector<port_out> m_out;  ///< outputs of the second router by port, if it is not sare_router
};

/// sare_router in RTL in lock step with the model's router, or with older RTL.
struct own_router_pair {
    /// `name`: becomes divergence::instance; `around`: place of the router; `library`: library of its RTL;
    /// `old`: library of the older RTL, null: the model is the first machine. `waves`: file and cycles of
    /// waves of the RTL; if the file is not empty, `library` must be built for waves and model pins. All
    /// references must outlive the pair.
    own_router_pair(std::string name, const router_setting& setting, const routing_context& around,
                    const packet_table& packets, rtl_library& library, rtl_library* old,
                    const wave_window& waves);

    std::unique_ptr<router_pair> pair;   ///< the pair, which owns both machines
    sare_router_rtl* rtl;                ///< the second machine of the pair
    const model_block* model = nullptr;  ///< the first machine of the pair; null: it is older RTL
};

/// The NIC of a node and its RTL in lock step: the first machine is the model's NIC or older RTL.
class nic_pair final : public lockstep<pin_nic> {
  public:
    /// `first`: first machine; `rtl`: second machine; `packets` must outlive the pair. Other arguments: see
    /// lockstep.
    nic_pair(std::string name, std::unique_ptr<pin_nic> first, std::unique_ptr<sare_nic_rtl> rtl,
             const packet_table& packets, compared_machines machines);

    /// Writes waves of the RTL in the cycles of `window`, to two files (sare_nic_rtl::write_waves()), with
    /// the pins of the first machine beside its own. The libraries of the RTL must have been built for waves
    /// and model pins. Call before the first cycle.
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
    /// VCs that get a credit from the router in this cycle, as a mask with VC 0 in bit 0.
    std::uint32_t m_credits = 0;
    std::optional<flit> m_sent;  ///< flit that the first machine sends in this cycle
};

}  // namespace sare::cosim
