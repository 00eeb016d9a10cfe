// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_results.h"

#include <memory>
#include <systemc>

namespace sare {

struct access_side;
class memory_bridge_base;

/// The counts of accesses of all bridges of a map, and of the CHI nodes beside them.
class access_report {
  public:
    /// @name Results, at any time
    /// @{
    /// Returns a summary for each bridge, in the order of construction: initiators that have made an access,
    /// then memories. CHI nodes come last.
    std::vector<access_summary> results() const;
    /// Writes accesses.csv.
    void write_csv(std::ostream& out) const { sare::write_csv(out, results()); }
    /// Writes accesses_timeline.csv: only the header unless keep_intervals() was called.
    void write_timeline(std::ostream& out) const;
    /// @}
    /// Counts from now on also accesses that send no messages (modes estimate and functional), at 600
    /// instructions each. print_at_end(), keep_intervals() and a transaction_trace call this.
    void count_all() { m_counts_all = true; }
    bool counts_all() const { return m_counts_all; }
    /// Counts accesses, and mean outstanding ones, by intervals of `length` too, of accesses that end later.
    void keep_intervals(const sc_core::sc_time& length);
    /// Prints the results to `out` at the end of simulation, or when the first bridge or CHI transport goes.
    void print_at_end(std::ostream& out) {
        m_out = &out;
        count_all();
    }

    /// @name For bridges and CHI nodes
    /// @{
    void add(memory_bridge_base& bridge);
    void add(std::shared_ptr<access_side> side);
    /// Prints the results, if print_at_end() was called and they are not printed yet.
    void over();
    /// @}

  private:
    template <class F>
    void for_each(F f) const;

    std::vector<memory_bridge_base*> m_bridges;
    std::vector<std::shared_ptr<access_side>> m_sides;
    sc_core::sc_time m_length;
    std::ostream* m_out = nullptr;
    bool m_counts_all = false;
};

}  // namespace sare
