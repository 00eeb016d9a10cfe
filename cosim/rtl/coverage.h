// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace sare::cosim {

/// Coverage of RTL, from the counters of Verilated modules, merged over any number of variants: a point of
/// the source (a line, a toggle of a signal's bit) counts once, and is covered if any instance of any variant
/// reached it.
class coverage {
  public:
    struct tally {
        std::uint32_t points = 0, covered = 0;  ///< number of points, and of those that are covered
        /// Share of covered points in percent; 100 if there is no point.
        double percent() const { return points == 0 ? 100.0 : 100.0 * covered / points; }
    };
    struct module_tally {
        tally lines, toggles;
    };

    /// Adds the counters of a file in Verilator's format. Throws std::runtime_error for another file.
    void add(const std::string& file);
    bool empty() const { return m_points.empty(); }         ///< there is no point
    std::map<std::string, module_tally> by_module() const;  ///< tallies by name of the module
    module_tally all() const;                               ///< sums over all modules
    /// Returns a line for each point that was never reached: "sare_x.sv:12: line", "sare_x.sv:9: toggle of
    /// y_q[3]"; "" if there is none.
    std::string missing() const;

  private:
    struct point {
        std::string module;
        bool toggle;
        std::uint64_t count;
    };
    std::map<std::string, point> m_points;  ///< by "file:line: what"
};

}  // namespace sare::cosim
