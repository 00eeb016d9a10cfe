// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/systemc/cycle_engine.h"

namespace sare {

/// The clock of a block beside the network: an event in the middle of a cycle, when everything that arrives
/// in it has been handed over. It follows set_period(). A period of less than two of SystemC's steps, which
/// has no middle, is a report.
class mid_cycle : public sc_core::sc_module {
  public:
    mid_cycle(const sc_core::sc_module_name& name, const cycle_engine& engine);

    const char* kind() const override { return "sare::mid_cycle"; }
    /// Name, kind and the cycle for which the event is asked.
    void dump(std::ostream& out = std::cout) const override;
    const sc_core::sc_event& event() const { return m_event; }
    /// In cycle `at`, or in the first one whose middle is to come and in which the event has not come, or in
    /// an earlier one that has been asked for.
    void wake_in(cycle_t at);
    /// The event has come: none is asked for any more. Gives its cycle; none if it is not the one asked for.
    std::optional<cycle_t> come();

  private:
    void start_of_simulation() override { check(m_engine.cycle()); }
    void check(cycle_t cycle) const;
    void follow();
    sc_core::sc_time middle_of(cycle_t cycle) const;
    void notify();

    const cycle_engine& m_engine;
    sc_core::sc_event m_event;
    cycle_t m_due = workload::never;
    cycle_t m_next = 0;  ///< the first one in which it may come
};

}  // namespace sare
