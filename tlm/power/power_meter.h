// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/energy.h"
#include "tlm/power/power_over_time.h"
#include "tlm/power/switch_samples.h"
#include "tlm/stats/statistic.h"

#include <algorithm>
#include <optional>

namespace sare {

/// The statistic of the section `power`: counts flits and events in the measured window, and calculates
/// energies after the run.
class power_meter final : public statistic {
  public:
    /// Makes the meter for the network of `c`. Throws config::error at `at`, the place of the section
    /// `power`, if the network has no routers or the section does not fit the network.
    power_meter(const power_params& p, const config::location& at, const statistic_context& c);

    void start(cycle_t now) override;
    void stop(cycle_t now) override;
    cycle_t next_look() const override {
        return std::min({m_series.next(), m_switches.next(), m_next_level});
    }
    void look(cycle_t now) override;
    void serialize(archive& a) override;
    void add_up(world& all) override;
    void report(const reading& from, run_result& out) const override;

    /// Energies of the measured window.
    struct spending {
        energy_ledger energy;
        /// Length of the measured window in s, at a clock frequency of `hertz` Hz.
        double seconds = 0, hertz = 0;
        power_over_time over_time;  ///< energies in each interval of series(), and by domain
        /// Relative standard error of the dynamic energy, since events were sampled; 0: all were counted;
        /// NaN: samples have seen no flit.
        double error = 0;
    };
    /// Returns the energies, which the first call calculates. Call after the run, whose figures are `from`.
    const spending& spent(const reading& from) const;
    const network_design& design() const { return m_design; }
    const power_series& series() const { return m_series; }

  private:
    energy_ledger ledger(const reading& from, const switch_samples& samples, const level_times& times) const;
    std::vector<std::uint32_t> flits_before(cycle_t now);
    void note_sleep(cycle_t now, double sign);
    double error_of(const reading& from, const level_times& times) const;
    void report_domains(const reading& from, const level_times& times, run_result& out) const;
    level_times times_of(const reading& from) const;

    const power_params m_params;
    fabric& m_net;
    network_design m_design;
    const double m_hertz;  ///< clock frequency in Hz
    power_blocks m_blocks;
    /// Flits since the start by block, and by block and level, when levels were last looked at; empty where
    /// no domain changes.
    std::vector<std::uint32_t> m_last, m_at_level;
    cycle_t m_next_level = workload::never;  ///< cycle before which levels may change
    power_series m_series;
    switch_samples m_switches;
    /// Cycles asleep in the window, by row of links; valid after stop(). Before, minus the cycles asleep
    /// before the window.
    std::vector<double> m_asleep;
    std::vector<power_gate_use>
        m_gates;  ///< cycles off and wakings of routers, like m_asleep; empty: none goes off
    mutable std::optional<spending> m_spent;
};

}  // namespace sare
