// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/power/table/events.h"
#include "tlm/power/table/monomial.h"

#include <map>
#include <string>
#include <vector>

namespace sare {

/// A value of a table, and for which settings it holds.
struct cost_entry {
    /// A key of the router, and its value or values.
    struct condition {
        std::string key;
        std::vector<std::string> values;
        config::location at;
    };
    power_component component = power_component::other;
    power_event event = power_event::clock;  ///< of an energy
    bool per_bit = false;                    ///< of an energy: for each bit that toggles
    std::vector<condition> when;             ///< all of them
    monomial_sum terms;
    double error = 0;  ///< of the fit, relative
    config::location at;
};

using cost_ranges = std::map<std::string, std::pair<double, double>>;  ///< of parameters; else extrapolated

/// The costs of a kind of block: energies in pJ, leakage in uW, areas in um^2, periods in ns.
struct cost_list {
    std::vector<cost_entry> energy, leakage, area, period;
    double glitch_factor = 0;  ///< dynamic energy with glitches over that without; 0: not known
    cost_ranges ranges;        ///< of its own, instead of the table's
    bool empty() const { return energy.empty() && leakage.empty() && area.empty() && period.empty(); }
};

/// Of a wire of one bit, a mm of it; and of the repeaters, one each so many mm.
struct wire_costs {
    double energy_bit_mm = 0, leakage_bit_mm = 0, area_bit_mm = 0;                         ///< pJ, uW, um^2
    double repeater_mm = 0, repeater_energy = 0, repeater_leakage = 0, repeater_area = 0;  ///< 0 mm: none

    static config::schema<wire_costs> fields();
    bool empty() const {
        return energy_bit_mm == 0 && leakage_bit_mm == 0 && area_bit_mm == 0 && repeater_mm == 0;
    }
};

/// A file of costs (docs/power-tables.md): what an event, a cycle or a place of a block costs, as functions
/// of its parameters.
struct cost_table {
    std::string file, name;
    bool characterised = false;  ///< made from gates; else by hand
    std::string made_of;         ///< "osu018_stdcells.lib", or ""
    double voltage = 0;          ///< V; 0: not said
    std::string kind;            ///< of routers; "": any
    cost_ranges ranges;
    cost_list router, nic, bridge;
    wire_costs link;

    /// Throws config::error for anything that cannot be read.
    static cost_table load(const std::string& file);
};

/// The file that `table` names: a path, from `folder`; or a table that comes with Sare. Throws config::error
/// at `at` if there is none.
std::string find_cost_table(const std::string& table, const std::string& folder, const config::location& at);

}  // namespace sare
