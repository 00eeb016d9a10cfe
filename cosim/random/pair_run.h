// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_traffic.h"
#include "cosim/scoreboard/pairs.h"

#include <functional>

namespace sare::cosim {

/// Run of sare_router in lock step with the model's router or with older RTL, under traffic at its pins, from
/// reset until both are empty again.
class pair_run {
  public:
    struct length {
        cycle_t traffic;         ///< cycles in which packets may begin
        cycle_t drain = 100000;  ///< most cycles after these until the last flit has left
        cycle_t after = 600;     ///< cycles that are run after that
    };

    /// `old`: library of older RTL; null: the model is the first machine. All arguments must outlive the run.
    pair_run(const router_setting& setting, const routing_context& around, pin_traffic& traffic,
             rtl_library& library, rtl_library* old, const wave_window& waves = {});

    /// Runs until the end or the first divergence. Returns what is wrong beside a divergence; "" if nothing
    /// is. Calls `on_cycle` at times with the share of cycles.traffic done, in [0, 1].
    std::string go(const length& cycles, const std::function<void(double)>& on_cycle = {});

    /// Adds an observer, which must outlive the run. Call before go().
    void add_observer(pin_observer& o) { m_observers.push_back(&o); }
    const router_pair& pair() const { return *m_pair.pair; }
    const rtl_instance& rtl() const { return m_pair.rtl->instance(); }

  private:
    std::string steps(const length& cycles, const std::function<void(double)>& on_cycle);
    bool cycle(bool closing);

    pin_traffic& m_traffic;
    own_router_pair m_pair;
    std::vector<port_out> m_out;
    std::vector<pin_observer*> m_observers;
    cycle_t m_now = 1;    ///< present cycle, from 1
    cycle_t m_last_wave;  ///< cycle up to which the run goes on for the sake of waves
};

}  // namespace sare::cosim
