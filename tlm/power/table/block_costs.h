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

    /// Sets a parameter, instead of the value that it has.
    void set(const std::string& key, const std::string& text) { texts[key] = text; }
    /// Return the value of a key, as text or as a number. Both throw config::error, placed at `at`, for an
    /// unknown key; number() also for a text that is no number.
    const std::string& text(const std::string& key, const config::location& at) const;
    double number(const std::string& key, const config::location& at) const;
};

/// Returns the parameters of a router with `ports` ports: ports, vcs, depth and kind, and the parameters that
/// its kind shows (shown_parameters). A shown parameter named vcs, depth or kind replaces the router's.
cost_setting setting_of(const router_model& model, std::uint32_t ports);

/// The costs of a block at a supply voltage, calculated from a cost table.
struct block_costs {
    /// Energy of each event in aJ; energy in aJ that each bit adds which toggles in an event.
    struct energies {
        double event = 0, bit = 0;
    };
    /// Energies by [power_component][power_event].
    std::array<std::array<energies, power_events.size()>, power_components.size()> energy{};
    std::array<double, power_components.size()> leakage{};  ///< leakage in uW, by power_component
    std::array<double, power_components.size()> area{};     ///< area in um^2, by power_component
    double period = 0;                                      ///< shortest clock period in ns; 0: unknown
    /// Returns the area of the block in um^2, summed over its components.
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

    /// Returns the factors for `table` at a supply of `volts` V, which must be above the threshold of its
    /// delay_law (not checked): all 1 if the table does not give its voltage; `delay` 1 if it has no law.
    static voltage_factors of(const cost_table& table, double volts);
};

/// Returns the costs by `list`, a list of `table`, of a block with parameters `setting`, times `factors`.
/// Leakage and areas below 0 become 0; an empty list costs nothing. Throws config::error for a parameter that
/// the list needs and `setting` does not have, or not as a number.
block_costs costs_of(const cost_table& table, const cost_list& list, const cost_setting& setting,
                     const voltage_factors& factors);

}  // namespace sare
