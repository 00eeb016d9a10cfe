// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/systemc/cycle_engine.h"

namespace sare {

/// Clock of a block beside the network: an event half a period, rounded down, after a cycle of an engine
/// begins. All flits and messages that arrive in that cycle have then been handed over. The event comes only
/// in cycles for which wake_in() asked, and follows cycle_engine::set_period(). A period of less than two
/// steps of SystemC's time, which has no middle, is a report "/sare/period".
class mid_cycle : public sc_core::sc_module {
  public:
    /// `engine`: engine whose cycles are meant; it must outlive this module.
    mid_cycle(const sc_core::sc_module_name& name, const cycle_engine& engine);

    const char* kind() const override { return "sare::mid_cycle"; }
    /// Prints name, kind, engine, and the cycle for which the event is asked, or "none".
    void dump(std::ostream& out = std::cout) const override;
    /// Event that comes in the middle of a cycle for which wake_in() asked.
    const sc_core::sc_event& event() const { return m_event; }
    /// Asks for the event in cycle `at`, or in the first later cycle whose middle is still to come and in
    /// which the event has not come yet. Does nothing if the event is already asked for in that cycle or an
    /// earlier one, or if SystemC's time ends before it.
    void wake_in(cycle_t at);
    /// Returns the present cycle if the event was asked for in it, and ends the request; else returns
    /// nothing. Call it when the event has come.
    std::optional<cycle_t> come();

  private:
    void start_of_simulation() override { check(m_engine.cycle()); }
    void check(cycle_t cycle) const;
    void follow();
    sc_core::sc_time middle_of(cycle_t cycle) const;
    void notify();

    const cycle_engine& m_engine;
    sc_core::sc_event m_event;
    cycle_t m_due = workload::never;  ///< cycle for which the event is asked; workload::never: none
    cycle_t m_next = 0;               ///< first cycle in which the event may come
};

}  // namespace sare
