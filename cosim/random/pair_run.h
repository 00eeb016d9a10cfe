// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_traffic.h"
#include "cosim/scoreboard/pairs.h"

#include <functional>

namespace sare::cosim {

/// A run of sare_router in lock step with the model's router or with older RTL, under traffic at its pins,
/// from reset until both are empty again.
class pair_run {
  public:
    /// Length of a run, in cycles.
    struct length {
        cycle_t traffic;         ///< number of cycles in which packets may begin
        cycle_t drain = 100000;  ///< largest number of further cycles until the last flit must have left
        cycle_t after = 600;     ///< number of cycles that are run after the last flit has left
    };

    /// `around`: place of the router; `library`: library of its RTL; `old`: library of older RTL, null: the
    /// model is the first machine; `waves`: file and cycles of waves. All references must outlive the run.
    pair_run(const router_setting& setting, const routing_context& around, pin_traffic& traffic,
             rtl_library& library, rtl_library* old, const wave_window& waves = {});

    /// Runs to the end, or to the first divergence and the last cycle of waves; call once. Returns an error
    /// that is no divergence, such as flits that have not left, as a line; empty if there is none. Calls
    /// `on_cycle` every 4096 cycles with the share of cycles.traffic that has been run, 0 to 1; empty: not
    /// called.
    std::string go(const length& cycles, const std::function<void(double)>& on_cycle = {});

    /// Adds an observer of the pins in every cycle, which must outlive the run. Call before go().
    void add_observer(pin_observer& o) { m_observers.push_back(&o); }
    /// Returns the two machines in lock step, with their first divergence.
    const router_pair& pair() const { return *m_pair.pair; }
    /// Returns the instance of the RTL that is tested, the second machine.
    const rtl_instance& rtl() const { return m_pair.rtl->instance(); }

  private:
    std::string steps(const length& cycles, const std::function<void(double)>& on_cycle);
    bool cycle(bool closing);

    pin_traffic& m_traffic;
    own_router_pair m_pair;
    std::vector<port_out> m_out;
    std::vector<pin_observer*> m_observers;
    cycle_t m_now = 1;    ///< present cycle, from 1
    cycle_t m_last_wave;  ///< last cycle that is run after a divergence, for waves
};

}  // namespace sare::cosim
