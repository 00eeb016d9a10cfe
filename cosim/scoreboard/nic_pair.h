// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_nic.h"
#include "cosim/pins/pin_router.h"

#include <memory>

namespace sare::cosim {

/// A NIC and its RTL in lock step: the same in, every output pin compared. What goes out is the first one's,
/// which alone goes on after a difference.
class nic_pair final : public pin_nic {
  public:
    /// `first_is`: what the first one is in a message, "the model" or "the old RTL". `packets` outlives it.
    nic_pair(std::unique_ptr<pin_nic> first, std::string first_is, std::unique_ptr<pin_nic> rtl,
             const packet_table& packets);

    std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) override;
    void accept(const flit& f) override;
    void clock() override;
    std::optional<flit> sent() override;
    std::uint32_t credits() const override { return m_first->credits(); }
    std::string take_difference() override;

  private:
    template <class Does>
    auto both(const Does& does);
    void differ(const std::string& pin, std::uint64_t first, std::uint64_t rtl, const flit* f = nullptr);
    void compare_flits(const std::optional<flit>& first, const std::optional<flit>& rtl);

    std::unique_ptr<pin_nic> m_first, m_rtl;
    std::string m_first_is;
    const packet_table& m_packets;
    std::string m_difference;
    bool m_has_differed = false;
};

}  // namespace sare::cosim
