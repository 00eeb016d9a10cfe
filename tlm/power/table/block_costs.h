// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/table/cost_table.h"

#include <array>
#include <map>
#include <numeric>
#include <string>

namespace sare {

class router_model;

/// The parameters of a block, such as ports or depth, on which the costs in a table depend.
struct cost_setting {
    std::map<std::string, std::string> texts;  ///< values of all parameters by key, numbers as text

    void set(const std::string& key, const std::string& text) { texts[key] = text; }
    /// Return the value of a key, as text or as a number. Both throw config::error, placed at `at`, for an
    /// unknown key; number() also for a text that is no number.
    const std::string& text(const std::string& key, const config::location& at) const;
    double number(const std::string& key, const config::location& at) const;
};

/// Returns the parameters of a router with `ports` ports: ports, vcs, depth and kind, and the parameters that
/// its kind shows (shown_parameters), which replace vcs and depth of the same name.
cost_setting setting_of(const router_model& model, std::uint32_t ports);

/// The costs of a block: those of the table, at the voltage asked for.
struct block_costs {
    /// Energy in aJ of each event, and energy in aJ that each bit which toggles in it adds.
    struct energies {
        double event = 0, bit = 0;
    };
    /// Energies by power_component and power_event.
    std::array<std::array<energies, power_events.size()>, power_components.size()> energy{};
    std::array<double, power_components.size()> leakage{};  ///< leakage in uW, by power_component
    std::array<double, power_components.size()> area{};     ///< area in um^2, by power_component
    double period = 0;                                      ///< shortest clock period in ns; 0: unknown
    /// Area of the block in um^2.
    double whole_area() const { return std::accumulate(area.begin(), area.end(), 0.0); }
    /// Parameters beyond the ranges of the table, so that costs are extrapolated: "ports 8, where the table
    /// knows 3 to 7"; "": none.
    std::string outside;
};

constexpr double aj_of_pj = 1e6;  ///< number of aJ in a pJ

/// Factors of the costs in a table for another voltage than the table's.
struct voltage_factors {
    /// Factor for dynamic energy; for leakage power; for clock periods.
    double dynamic = 1, leakage = 1, delay = 1;

    /// Returns those of `table` at `volts`. The delay stays where the table has no law for it.
    static voltage_factors of(const cost_table& table, double volts);
};

/// Returns the costs by `list`, a list of `table`, of a block with parameters `setting`, times `factors`.
/// Throws config::error for a parameter that the list needs and `setting` does not have.
block_costs costs_of(const cost_table& table, const cost_list& list, const cost_setting& setting,
                     const voltage_factors& factors);

}  // namespace sare
