// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/energy.h"
#include "tlm/power/power_series.h"
#include "tlm/power/switch_samples.h"
#include "tlm/stats/statistic.h"

#include <algorithm>
#include <optional>

namespace sare {

/// The statistic of the section `power`: reads counters when look() is due, and calculates energies after the
/// run.
class power_meter final : public statistic {
  public:
    /// Throws config::error at `at`, the place of the section `power`, if the network has no routers or the
    /// section does not fit the network.
    power_meter(const power_params& p, const config::location& at, const statistic_context& c);

    void start(cycle_t now) override;
    void stop(cycle_t now) override;
    cycle_t next_look() const override { return std::min(m_series.next(), m_switches.next()); }
    void look(cycle_t now) override;
    void serialize(archive& a) override;
    void add_up(world& all) override;
    void report(const reading& from, run_result& out) const override;

    /// Energies of the measured window.
    struct spending {
        energy_ledger energy;
        double seconds = 0, hertz = 0;       ///< measured window in s; clock frequency in Hz
        std::vector<attojoules> over_time;   ///< energy of the network in each interval of series()
        std::vector<double> peak_of_router;  ///< highest power of a router with its links and nodes, in W
        double peak = 0;                     ///< highest power of the network, in W
        std::size_t peak_at = 0;             ///< interval of series() in which `peak` was
    };
    /// Returns the energies, which are calculated at the first call. Call after the run.
    const spending& spent(const reading& from) const;
    const network_design& design() const { return m_design; }
    const power_series& series() const { return m_series; }

  private:
    std::vector<std::uint32_t> flits_now() const;
    void note_sleep(cycle_t now, double sign);
    void spread_over_time(const reading& from, spending& s) const;

    const power_params m_params;
    fabric& m_net;
    network_design m_design;
    power_series m_series;
    switch_samples m_switches;
    std::vector<double> m_asleep;  ///< cycles asleep in the window, by row of links; valid after stop()
    mutable std::optional<spending> m_spent;
};

}  // namespace sare
