// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/sare_nic_rtl.h"
#include "cosim/scoreboard/event_history.h"

#include <memory>

namespace sare::cosim {

/// A NIC and its RTL in lock step: the same in, every output pin compared. What goes out is the first one's,
/// which alone goes on after a difference, but for waves.
class nic_pair final : public pin_nic {
  public:
    /// `first_is`: what the first one is in a message, "the model" or "the old RTL". `packets` outlives it.
    nic_pair(std::unique_ptr<pin_nic> first, std::string first_is, std::unique_ptr<sare_nic_rtl> rtl,
             const packet_table& packets);

    /// Of the RTL, with the first one's pins beside it. The libraries must be built for it.
    void write_waves(const wave_window& window);

    std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) override;
    void accept(const flit& f) override;
    void clock(cycle_t t) override;
    std::optional<flit> sent() override;
    std::uint32_t credits() const override { return m_first->credits(); }
    void finish() override;
    difference take_difference() override;

  private:
    template <class Does>
    auto both(const Does& does);
    void differ(const std::string& pin, std::uint64_t first, std::uint64_t rtl, const flit* f = nullptr);
    void show_first();
    void compare_flits(const std::optional<flit>& first, const std::optional<flit>& rtl);

    std::unique_ptr<pin_nic> m_first;
    std::unique_ptr<sare_nic_rtl> m_rtl;
    std::string m_first_is;
    const packet_table& m_packets;
    event_history m_history;
    std::uint32_t m_credits = 0;  ///< that come in this cycle
    port_out m_out;               ///< the first one's, of this cycle
    difference m_difference;
    bool m_has_differed = false;
    cycle_t m_now = 0, m_last_wave = 0;  ///< cycles: the last one; that waves end with
};

}  // namespace sare::cosim
