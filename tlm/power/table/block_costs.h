// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/table/cost_table.h"

#include <array>
#include <map>
#include <numeric>
#include <string>

namespace sare {

class router_model;

/// What a table is asked for: the parameters of a block, by the names of their keys.
struct cost_setting {
    std::map<std::string, std::string> texts;  ///< of all, numbers too

    void set(const std::string& key, const std::string& text) { texts[key] = text; }
    /// Throws config::error at `at` for a key that there is not.
    const std::string& text(const std::string& key, const config::location& at) const;
    double number(const std::string& key, const config::location& at) const;
};

/// Of a router with `ports`: those that its kind shows, and vcs and depth.
cost_setting setting_of(const router_model& model, std::uint32_t ports);

/// The costs of a block, at a voltage.
struct block_costs {
    struct energies {
        double event = 0, bit = 0;  ///< aJ
    };
    std::array<std::array<energies, power_events.size()>, power_components.size()> energy{};
    std::array<double, power_components.size()> leakage{};  ///< uW
    std::array<double, power_components.size()> area{};     ///< um^2
    double period = 0;                                      ///< ns; 0: not known
    double whole_area() const { return std::accumulate(area.begin(), area.end(), 0.0); }
    std::string outside;  ///< "ports 8, of which it knows 3 to 7": extrapolated; "": it is not
};

constexpr double aj_of_pj = 1e6;

/// Those of `list`, which is one of `table`'s.
/// `dynamic`, `leakage`: factors for the voltage.
block_costs costs_of(const cost_table& table, const cost_list& list, const cost_setting& setting,
                     double dynamic, double leakage);

}  // namespace sare
