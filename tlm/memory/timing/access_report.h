// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_results.h"

#include <memory>
#include <systemc>

namespace sare {

struct access_side;
class memory_bridge_base;

/// Counts and latencies of the accesses of all bridges of a memory_map, which owns the report, and of the CHI
/// nodes on the same engine.
class access_report {
  public:
    /// @name Results so far, at any time
    /// @{
    /// Returns summaries: for each bridge, in the order of elaboration, of each initiator that has ended an
    /// access, then of each memory. CHI nodes come last.
    std::vector<access_summary> results() const;
    /// Writes accesses.csv to `out`: a row for each summary of results().
    void write_csv(std::ostream& out) const { sare::write_csv(out, results()); }
    /// Writes accesses_timeline.csv to `out`: a row for each interval of each initiator and memory; only the
    /// header unless keep_intervals() was called.
    void write_timeline(std::ostream& out) const;
    /// @}
    /// Counts from now on also accesses in the modes estimate and functional, at about 600 instructions each.
    /// print_at_end(), keep_intervals() and a transaction_trace call this.
    void count_all() { m_counts_all = true; }
    bool counts_all() const { return m_counts_all; }  ///< true: count_all() was called
    /// Counts accesses that end from now on by intervals of `length`, too: their number and bytes, and the
    /// mean number under way. Counts by interval so far are forgotten; a length of 0 ends this counting.
    void keep_intervals(const sc_core::sc_time& length);
    /// Prints the results to `out` at the end of simulation, or before that when the first bridge or CHI
    /// transport is destroyed. `out` must live until then; a second call replaces the first.
    void print_at_end(std::ostream& out) {
        m_out = &out;
        count_all();
    }

    /// @name Called by bridges and CHI nodes
    /// @{
    /// Adds a bridge, whose sockets are bound and which must live as long as results are asked for.
    void add(memory_bridge_base& bridge);
    /// Adds the counts of a CHI node.
    void add(std::shared_ptr<access_side> side);
    /// Prints the results, if print_at_end() was called and they have not been printed yet.
    void over();
    /// @}

  private:
    template <class F>
    void for_each(F f) const;

    std::vector<memory_bridge_base*> m_bridges;         ///< bridges in the order of elaboration
    std::vector<std::shared_ptr<access_side>> m_sides;  ///< CHI nodes
    sc_core::sc_time m_length;                          ///< length of an interval; 0: no intervals
    std::ostream* m_out = nullptr;                      ///< stream of print_at_end(); null: none, or printed
    bool m_counts_all = false;
};

}  // namespace sare
