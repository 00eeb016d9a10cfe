// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_results.h"

#include <memory>
#include <systemc>

namespace sare {

struct access_side;
class memory_bridge_base;

/// What the accesses of all bridges of a map, and of the CHI nodes beside them, have come to.
class access_report {
  public:
    /// @name At any time
    /// @{
    /// Bridges in the order of construction; of each the initiators that have made an access, then the
    /// memories. Then CHI nodes.
    std::vector<access_summary> results() const;
    /// accesses.csv.
    void write_csv(std::ostream& out) const { sare::write_csv(out, results()); }
    /// accesses_timeline.csv, once intervals are kept.
    void write_timeline(std::ostream& out) const;
    /// @}
    /// From now on accesses are counted that send no messages, too (modes estimate and functional): another
    /// 600 instructions each. print_at_end(), keep_intervals() and a transaction_trace ask for it.
    void count_all() { m_counts_all = true; }
    bool counts_all() const { return m_counts_all; }
    /// Accesses and outstanding ones by pieces of the run, each `length`, of accesses that end from now on.
    void keep_intervals(const sc_core::sc_time& length);
    /// When the simulation ends (sc_stop), or the first bridge or the CHI transport is destroyed.
    void print_at_end(std::ostream& out) {
        m_out = &out;
        count_all();
    }

    /// @name For bridges and CHI nodes
    /// @{
    void add(memory_bridge_base& bridge);
    void add(std::shared_ptr<access_side> side);
    /// What is to be printed at the end is.
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
