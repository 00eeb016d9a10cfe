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
        energy_ledger energy;  ///< energies by component, block and class
        /// Length of the measured window in s, at a clock frequency of `hertz` Hz.
        double seconds = 0, hertz = 0;
        power_over_time over_time;  ///< energies in each interval of series(), and by domain
        /// Relative standard error of the dynamic energy due to sampling; 0: all events were counted; NaN:
        /// samples have seen no flit.
        double error = 0;
    };
    /// Returns the energies, which the first call calculates; later ones do not look at `from`. Call after
    /// stop(), for a window of 1 cycle or more. `from`: figures of the run.
    const spending& spent(const reading& from) const;
    const network_design& design() const { return m_design; }  ///< costs of the network's blocks
    const power_series& series() const { return m_series; }    ///< flits by interval, block and level

  private:
    energy_ledger ledger(const reading& from, const switch_samples& samples, const level_times& times) const;
    std::vector<std::uint32_t> flits_before(cycle_t now);
    void note_sleep(cycle_t now, double sign);  ///< adds sign * cycles so far to m_asleep and m_gates
    double error_of(const reading& from, const level_times& times) const;  ///< spending::error
    void report_domains(const reading& from, const level_times& times, run_result& out) const;
    level_times times_of(const reading& from) const;

    const power_params m_params;
    fabric& m_net;
    network_design m_design;
    const double m_hertz;   ///< frequency of the network's clock in Hz
    power_blocks m_blocks;  ///< blocks for which flits are counted
    /// Flits since the start, modulo 2^32, before the cycle looked at last: by block, and by
    /// [block * levels + level]; empty if no domain has several levels.
    std::vector<std::uint32_t> m_last, m_at_level;
    cycle_t m_next_level = workload::never;  ///< cycle before which levels may change
    power_series m_series;
    switch_samples m_switches;
    /// Cycles asleep in the window, by row of links; valid after stop(). Until then, minus the cycles asleep
    /// before the window.
    std::vector<double> m_asleep;
    std::vector<power_gate_use>
        m_gates;  ///< cycles off and wakings, by router, signed like m_asleep; empty: none goes off
    mutable std::optional<spending> m_spent;  ///< result of spent(); nothing before its first call
};

}  // namespace sare
