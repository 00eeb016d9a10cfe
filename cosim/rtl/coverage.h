// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace sare::cosim {

/// Coverage of RTL by the counters of Verilated modules, merged over any number of variants. A point of the
/// source (a line, or a toggle of a bit of a signal) counts once, and is covered if any instance of any
/// variant has reached it.
class coverage {
  public:
    /// Numbers of points of one kind.
    struct tally {
        std::uint32_t points = 0, covered = 0;  ///< number of points; number of covered points
        /// Returns the share of covered points in percent; 100 if there are no points.
        double percent() const { return points == 0 ? 100.0 : 100.0 * covered / points; }
    };
    /// Points of one module.
    struct module_tally {
        tally lines, toggles;  ///< points that are lines; points that are toggles of bits
    };

    /// Adds the counters of a file in Verilator's format; a file that is added twice counts twice. Throws
    /// std::runtime_error for a file that cannot be read or does not begin as this format does.
    void add(const std::string& file);
    bool empty() const { return m_points.empty(); }  ///< true: no file with points was added
    /// Returns the numbers of points of each module, by the module's name.
    std::map<std::string, module_tally> by_module() const;
    module_tally all() const;  ///< returns the sums over all modules
    /// Returns a line for each point that was never reached, such as "sare_x.sv:12: line" or "sare_x.sv:9:
    /// toggle of y_q[3]"; empty if all were.
    std::string missing() const;

  private:
    /// A point of the source.
    struct point {
        std::string module;   ///< name of the module
        bool toggle;          ///< true: a toggle; false: a line
        std::uint64_t count;  ///< number of times that the point was reached, in all files added
    };
    std::map<std::string, point> m_points;  ///< points by "FILE:LINE: WHAT"
};

}  // namespace sare::cosim
