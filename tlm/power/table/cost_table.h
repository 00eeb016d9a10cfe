// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/power/table/events.h"
#include "tlm/power/table/monomial.h"

#include <map>
#include <string>
#include <vector>

namespace sare {

/// A value of a table, and the parameters of blocks for which it holds.
struct cost_entry {
    /// A key of the block's parameters, and the values that it may have for the entry to hold.
    struct condition {
        std::string key;
        std::vector<std::string> values;
        config::location at;
    };
    power_component component = power_component::other;
    power_event event = power_event::clock;  ///< only of an energy
    bool per_bit = false;                    ///< only of an energy: true: of each bit that toggles
    std::vector<condition> when;             ///< all must hold; empty: the entry always holds
    monomial_sum terms;                      ///< the value, as a function of the block's parameters
    double error = 0;                        ///< relative error of the fit
    config::location at;                     ///< place in the file
};

/// Least and greatest value of parameters, by key; the table extrapolates beyond them.
using cost_ranges = std::map<std::string, std::pair<double, double>>;

/// The costs of a kind of block: energies in pJ, leakage in uW, areas in um^2, periods in ns.
struct cost_list {
    std::vector<cost_entry> energy, leakage, area, period;
    double glitch_factor = 0;  ///< dynamic energy with glitches divided by that without; 0: unknown
    cost_ranges ranges;        ///< ranges of this block; empty: the table's
    bool empty() const { return energy.empty() && leakage.empty() && area.empty() && period.empty(); }
};

/// Costs of a mm of a one-bit wire, and of its repeaters, one each `repeater_mm`.
struct wire_costs {
    double energy_bit_mm = 0, leakage_bit_mm = 0, area_bit_mm = 0;                         ///< pJ, uW, um^2
    double repeater_mm = 0, repeater_energy = 0, repeater_leakage = 0, repeater_area = 0;  ///< 0 mm: none

    static config::schema<wire_costs> fields();
    bool empty() const {
        return energy_bit_mm == 0 && leakage_bit_mm == 0 && area_bit_mm == 0 && repeater_mm == 0;
    }
};

/// A file of costs (docs/power-tables.md): costs of the events, cycles and area of blocks, as functions of
/// their parameters.
struct cost_table {
    std::string file, name;      ///< path of the file, and name of the table
    bool characterised = false;  ///< true: made from gates; false: by hand
    std::string made_of;         ///< library of gates, "osu018_stdcells.lib"; "": by hand
    double voltage = 0;          ///< voltage for which the costs hold, in V; 0: unknown
    std::string kind;            ///< kind of routers that `router` is for; "": any
    cost_ranges ranges;          ///< ranges for blocks that have none of their own
    cost_list router, nic, bridge;
    wire_costs link;

    /// Reads a file. Throws config::error if it cannot be read or is no table of costs.
    static cost_table load(const std::string& file);
};

/// Returns the file that `table` names: a path, relative to `folder`, or a table that comes with Sare. Throws
/// config::error, placed at `at`, if there is none.
std::string find_cost_table(const std::string& table, const std::string& folder, const config::location& at);

}  // namespace sare
