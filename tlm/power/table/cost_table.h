// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/power/table/events.h"
#include "tlm/power/table/monomial.h"

#include <map>
#include <string>
#include <vector>

namespace sare {

/// A cost in a table, and the parameters of blocks for which it holds. The costs of all entries that hold are
/// added up; of periods the longest counts.
struct cost_entry {
    /// A condition: the block's parameter `key`, as text, is one of `values`.
    struct condition {
        std::string key;
        std::vector<std::string> values;
        config::location at;  ///< place of the condition in the file
    };
    power_component component = power_component::other;  ///< component that has the cost
    /// Event that has this energy; without meaning for leakage, area and period.
    power_event event = power_event::clock;
    bool per_bit = false;         ///< true: energy of each bit that toggles; false: energy of each event
    std::vector<condition> when;  ///< conditions, all of which must hold; empty: the entry always holds
    monomial_sum terms;           ///< the cost, as a function of the block's parameters
    double error = 0;             ///< relative error of the fit that gave the terms; 0: not given
    config::location at;          ///< place of the entry in the file
};

/// Least and greatest value of parameters, both included, by key; beyond them the table extrapolates.
using cost_ranges = std::map<std::string, std::pair<double, double>>;

/// The costs of a kind of block: energies in pJ, leakage in uW, areas in um^2, clock periods in ns.
struct cost_list {
    std::vector<cost_entry> energy, leakage, area, period;  ///< entries of each sort of cost
    double glitch_factor = 0;  ///< factor by which glitches raise dynamic energy, 1 or more; 0: unknown
    cost_ranges ranges;        ///< ranges of the parameters of this block; empty: cost_table::ranges hold
    /// True if there are no costs.
    bool empty() const { return energy.empty() && leakage.empty() && area.empty() && period.empty(); }
};

/// Costs of a one-bit wire for each mm, and of its repeaters, one after each `repeater_mm` mm.
struct wire_costs {
    /// Energy of a toggle in pJ/mm; leakage in uW/mm; area in um^2/mm.
    double energy_bit_mm = 0, leakage_bit_mm = 0, area_bit_mm = 0;
    /// Distance of repeaters in mm, 0: none; of each repeater: pJ a toggle, leakage in uW, area in um^2.
    double repeater_mm = 0, repeater_energy = 0, repeater_leakage = 0, repeater_area = 0;
    double delay_mm = 0;  ///< delay in ns/mm, repeaters included; 0: unknown

    static config::schema<wire_costs> fields();
    /// True if no cost is given.
    bool empty() const {
        return energy_bit_mm == 0 && leakage_bit_mm == 0 && area_bit_mm == 0 && repeater_mm == 0;
    }
};

/// Law by which the delay of gates depends on the supply voltage V: it goes with V / (V - threshold)^alpha
/// (T. Sakurai and A. R. Newton, Alpha-power law MOSFET model and its applications to CMOS inverter delay,
/// IEEE JSSC 25(2), 1990).
struct delay_law {
    double threshold = 0;        ///< threshold voltage of the transistors, in V
    double alpha = 0;            ///< exponent, 1 (short channels) to 2 (long ones); 0: the law is not known
    double least = 0, most = 0;  ///< voltages in V between which the law was fitted; 0: no such bound

    static config::schema<delay_law> fields();
    bool is_known() const { return alpha > 0; }  ///< true: the table gives a law
    /// Returns the delay at a supply of `volts` V, divided by the delay at `made` V; both must be above the
    /// threshold, and is_known() true (not checked).
    double ratio(double volts, double made) const;
};

/// A file of costs (docs/power-tables.md): costs of the events, cycles and area of blocks, as functions of
/// their parameters.
struct cost_table {
    std::string file, name;      ///< path of the file; name of the table, by default its absolute path
    bool characterised = false;  ///< true: made from a library of gates; false: by hand
    std::string made_of;         ///< name of the library of gates, "osu018_stdcells.lib"; "": by hand
    double voltage = 0;          ///< voltage for which the costs hold, in V; 0: unknown
    std::string kind;            ///< kind of routers that `router` is for; "": any
    /// True: the memories of its library read or write in a cycle, where buffers of routers do both.
    bool has_one_port_memories = false;
    cost_ranges ranges;             ///< ranges of parameters, for blocks that have none of their own
    delay_law delay;                ///< delay by voltage
    cost_list router, nic, bridge;  ///< costs of each kind of block; empty: the table has no such costs
    wire_costs link;                ///< costs of the wires of links

    /// Reads a file. Throws config::error if it cannot be read or is no table of costs.
    static cost_table load(const std::string& file);
};

/// Returns the path of the cost table that `table` names. With the ending .yaml or .yml it is a path,
/// relative to `folder` unless absolute; else the name of a table that comes with Sare. Throws config::error,
/// placed at `at`, if there is no such file.
std::string find_cost_table(const std::string& table, const std::string& folder, const config::location& at);

}  // namespace sare
