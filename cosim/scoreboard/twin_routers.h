// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"
#include "cosim/scoreboard/event_history.h"
#include "cosim/scoreboard/lockstep.h"

namespace sare::cosim {

/// Old and new RTL of a router in lock step: the same flits and credits in, all that comes out compared every
/// cycle. What goes out is the old one's, which alone goes on after a difference.
class twin_routers final : public pin_router {
  public:
    /// `packets` outlives it.
    twin_routers(std::string name, std::unique_ptr<pin_router> old_one, std::unique_ptr<pin_router> new_one,
                 std::uint32_t ports, const packet_table& packets);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    void finish() override;
    const std::optional<divergence>& first_divergence() const { return m_first; }
    std::uint64_t cycles_compared() const { return m_compared; }

  private:
    void compare(cycle_t t, std::uint32_t port, const port_out& was, const port_out& is);
    void diverge(cycle_t t, std::uint32_t port, const std::string& what, std::uint64_t was, std::uint64_t is,
                 const port_out& out);

    std::string m_name;
    std::unique_ptr<pin_router> m_old, m_new;
    const packet_table& m_packets;
    std::vector<port_out> m_out;  ///< the new one's
    event_history m_history;
    std::optional<divergence> m_first;
    std::uint64_t m_compared = 0;
};

}  // namespace sare::cosim
