// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/router_cover.h"
#include "cosim/random/pair_run.h"
#include "cosim/random/random_case.h"

#include <functional>

namespace sare::cosim {

/// A random router in lock step under random traffic, from reset until it is empty again.
struct random_run {
    std::uint64_t seed = 1;            ///< seed of router and traffic
    std::uint64_t cycles = 50000;      ///< cycles of traffic; then it drains
    std::uint32_t most_vcs = by_cost;  ///< see draw_case()
    rtl_speed speed = rtl_speed::checked;
    std::string coverage;  ///< file for coverage counters; "": none
    wave_window waves;
    std::string sources;                               ///< folder of the RTL; "": Sare's own
    std::string old_sources;                           ///< folder of RTL to compare with; "": the model
    std::function<void(const std::string&)> on_build;  ///< told what is about to be compiled
    bool drains = false;                               ///< true: traffic also fills buffers and drains them
    router_points* points = nullptr;                   ///< not null: counts coverage
};

struct random_outcome {
    std::string parameters, place;
    std::optional<divergence> first;
    std::string problem;  ///< anything else: flits lost, left over, not drained; "": none
    std::uint64_t router_cycles = 0, flits = 0, packets = 0;
};

/// Returns the library of the RTL to compare with; null for `sources` "".
std::shared_ptr<rtl_library> old_library(const router_setting& setting, const std::string& sources,
                                         rtl_speed speed);

/// Runs. Throws rtl_error if the RTL cannot be built. Calls `on_cycle` at times with the part done.
random_outcome run(const random_run& what, const std::function<void(double)>& on_cycle = {});
/// Runs any router under any traffic; seed, cycles and most_vcs of `what` are ignored.
random_outcome run(const random_run& what, const router_setting& setting, const routing_context& around,
                   pin_traffic& traffic, const pair_run::length& cycles, const std::string& place,
                   const std::function<void(double)>& on_cycle = {});

}  // namespace sare::cosim
