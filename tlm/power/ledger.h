// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/table/events.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sare {

/// Energy in whole attojoules (10^-18 J): sums are exact, in whatever order they are added.
__extension__ typedef __int128 attojoules;

/// Return an energy in pJ, and in J.
inline double to_pj(attojoules e) {
    return static_cast<double>(e) / 1e6;
}
inline double to_joules(attojoules e) {
    return static_cast<double>(e) / 1e18;
}

/// An energy, divided by cause (power_cause).
struct energy_by_cause {
    std::array<attojoules, power_causes.size()> by{};  ///< energy of each cause, by power_cause
    attojoules total() const { return by[0] + by[1] + by[2] + by[3]; }  ///< energy of all causes
    attojoules of(power_cause c) const { return by[place_of(c)]; }      ///< energy of one cause
    /// Returns the energy that flits cause: all but clock and leakage.
    attojoules dynamic() const { return of(power_cause::data) + of(power_cause::events); }
    /// Adds the energies cause by cause.
    energy_by_cause& operator+=(const energy_by_cause& o) {
        for (std::size_t c = 0; c < by.size(); ++c) by[c] += o.by[c];
        return *this;
    }
};

/// Energies of blocks of one sort (routers, links or nodes), by level of their clock and voltage.
class energies_of_blocks {
  public:
    /// Makes energies of 0 for `blocks` blocks with `levels` levels each.
    energies_of_blocks(std::size_t blocks, std::uint32_t levels) : m_levels(levels), m_all(blocks * levels) {}
    /// Energy of a block at a level, both by number from 0 (not checked).
    energy_by_cause& at(std::size_t block, std::uint32_t level) { return m_all[block * m_levels + level]; }
    const energy_by_cause& at(std::size_t block, std::uint32_t level) const {
        return m_all[block * m_levels + level];
    }
    /// Returns the energy of a block, summed over all levels.
    energy_by_cause operator[](std::size_t block) const {
        energy_by_cause sum = at(block, 0);
        for (std::uint32_t l = 1; l < m_levels; ++l) sum += at(block, l);
        return sum;
    }

  private:
    std::uint32_t m_levels;
    std::vector<energy_by_cause> m_all;
};

/// The energy of a run. Each energy that is added is rounded to attojoules once and goes into all sums, so
/// the sums by component, place (router, link or node) and class agree exactly.
struct energy_ledger {
    /// Makes a ledger without energy for these numbers of blocks and message classes. `levels`: most levels
    /// of clock and voltage that a block has.
    energy_ledger(std::size_t routers, std::size_t links, std::size_t nodes, std::size_t classes,
                  std::uint32_t levels)
        : by_router(routers, levels), by_link(links, levels), by_node(nodes, levels), by_class(classes) {}

    /// Message class for add() of energy that no class causes: clock and leakage.
    static constexpr std::size_t no_class = ~std::size_t{0};
    /// Adds `aj` attojoules that a block has spent and returns them as added, rounded. `place`: the block's
    /// element of by_router, by_link or by_node; `message_class`: no_class for clock and leakage. Numbers are
    /// not checked.
    attojoules add(energy_by_cause& place, power_component what, power_cause why, std::size_t message_class,
                   double aj) {
        const auto whole = static_cast<attojoules>(std::rint(aj));
        place.by[place_of(why)] += whole;
        by_component[place_of(what)].by[place_of(why)] += whole;
        if (message_class == no_class)
            of_no_class += whole;
        else
            by_class[message_class] += whole;
        return whole;
    }
    /// Subtracts `aj` attojoules, which a router saved while it was off; `place`: its element of by_router.
    void save(energy_by_cause& place, power_component what, power_cause why, double aj) {
        gating_saved -= add(place, what, why, no_class, -aj);
    }
    /// Returns the energy of the whole network.
    energy_by_cause total() const {
        return std::accumulate(by_component.begin(), by_component.end(), energy_by_cause{},
                               [](energy_by_cause a, const energy_by_cause& b) { return a += b; });
    }

    /// Energy of each power_component.
    std::array<energy_by_cause, power_components.size()> by_component{};
    /// Energy of each router; of each row of run_result::link_loads; of NIC and bridges of each node.
    energies_of_blocks by_router, by_link, by_node;
    std::vector<attojoules> by_class;  ///< dynamic energy of each message class
    attojoules of_no_class = 0;        ///< energy of clock and leakage
    /// Energy that routers saved while they were off, and that their wakings cost; both are in the sums.
    attojoules gating_saved = 0, gating_cost = 0;
};

}  // namespace sare
