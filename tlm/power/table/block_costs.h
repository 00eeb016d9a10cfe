// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/table/cost_table.h"

#include <array>
#include <map>
#include <numeric>
#include <string>

namespace sare {

class router_model;

/// The parameters of a block by the names of their keys, for a table.
struct cost_setting {
    std::map<std::string, std::string> texts;  ///< values of all keys, numbers as text

    void set(const std::string& key, const std::string& text) { texts[key] = text; }
    /// Return the value of a key, as text or as a number. Throw config::error, placed at `at`, for an unknown
    /// key; number() also for a text that is no number.
    const std::string& text(const std::string& key, const config::location& at) const;
    double number(const std::string& key, const config::location& at) const;
};

/// Returns the parameters of a router with `ports` ports: the parameters that its kind shows (see
/// shown_parameters), and ports, vcs and depth.
cost_setting setting_of(const router_model& model, std::uint32_t ports);

/// The costs of a block at a voltage.
struct block_costs {
    /// Energy in aJ of each event, and in addition of each bit that toggles with it.
    struct energies {
        double event = 0, bit = 0;
    };
    /// Energies by component and event.
    std::array<std::array<energies, power_events.size()>, power_components.size()> energy{};
    std::array<double, power_components.size()> leakage{};  ///< in uW
    std::array<double, power_components.size()> area{};     ///< in um^2
    double period = 0;                                      ///< shortest period in ns; 0: unknown
    double whole_area() const { return std::accumulate(area.begin(), area.end(), 0.0); }
    std::string outside;  ///< "ports 8, of which it knows 3 to 7": extrapolated; "": not extrapolated
};

constexpr double aj_of_pj = 1e6;  ///< number of aJ in a pJ

/// Returns the costs of a block with parameters `setting` by a list of `table`. `dynamic`, `leakage`: factors
/// by which dynamic energy and leakage are multiplied, for another voltage than the table's. Throws
/// config::error for a parameter that the list needs and `setting` does not have.
block_costs costs_of(const cost_table& table, const cost_list& list, const cost_setting& setting,
                     double dynamic, double leakage);

}  // namespace sare
