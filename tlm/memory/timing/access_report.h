// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_results.h"

#include <memory>
#include <systemc>

namespace sare {

struct access_side;
class memory_bridge_base;

/// Counts and latencies of the accesses of all bridges of a map, and of the CHI nodes beside them.
class access_report {
  public:
    /// @name Results so far; to be asked at any time
    /// @{
    /// Returns summaries: for each bridge, in the order of elaboration, those of its initiators that have
    /// ended an access, then of its memories. CHI nodes come last.
    std::vector<access_summary> results() const;
    /// Writes accesses.csv: a row for each summary of results().
    void write_csv(std::ostream& out) const { sare::write_csv(out, results()); }
    /// Writes accesses_timeline.csv: a row for each interval of each initiator and memory; only the header
    /// unless keep_intervals() was called.
    void write_timeline(std::ostream& out) const;
    /// @}
    /// Counts from now on also accesses in the modes estimate and functional, at about 600 instructions each.
    /// print_at_end(), keep_intervals() and a transaction_trace call this.
    void count_all() { m_counts_all = true; }
    bool counts_all() const { return m_counts_all; }
    /// Counts accesses that end from now on by intervals of `length`, too: their number, bytes, and how many
    /// were under way in the mean.
    void keep_intervals(const sc_core::sc_time& length);
    /// Prints the results to `out` at the end of simulation, or before that when the first bridge or CHI
    /// transport is destroyed. `out` must live until then.
    void print_at_end(std::ostream& out) {
        m_out = &out;
        count_all();
    }

    /// @name Called by bridges and CHI nodes
    /// @{
    /// Adds a bridge, which must outlive the report's use.
    void add(memory_bridge_base& bridge);
    /// Adds the counts of a CHI node.
    void add(std::shared_ptr<access_side> side);
    /// Prints the results, if print_at_end() was called and they have not been printed yet.
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
