// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/router_cover.h"
#include "cosim/random/pair_run.h"
#include "cosim/random/random_case.h"

#include <functional>

namespace sare::cosim {

/// Options of a run of a random router in RTL, in lock step, under random traffic, from reset until it is
/// empty again.
struct random_run {
    std::uint64_t seed = 1;        ///< seed of the router and of the traffic
    std::uint64_t cycles = 50000;  ///< number of cycles of traffic; then the router is run until it is empty
    std::uint32_t most_vcs = by_cost;  ///< argument of draw_case()
    config::value held;  ///< argument of draw_case(): values that parameters of the router must have; null:
                         ///< all are random
    /// Way in which the RTL is compiled.
    rtl_speed speed = rtl_speed::checked;
    std::string coverage;  ///< file for counts of covered lines and toggles of the RTL; empty: they are not
                           ///< counted
    wave_window waves;     ///< file and cycles of waves
    std::string sources;   ///< folder of the RTL's sources; empty: as for rtl_request
    std::string old_sources;  ///< folder of the sources of older RTL to compare with; empty: compare with the
                              ///< model
    /// Called with a description before RTL is built that the cache does not have; empty: not called.
    std::function<void(const std::string&)> on_build;
    bool drains = false;  ///< true: traffic has phases that fill the buffers and then drain them
    /// Table in which functional coverage is counted, owned by the caller; null: it is not counted.
    router_points* points = nullptr;
};

/// The outcome of a run.
struct random_outcome {
    std::string parameters, place;    ///< parameters of the RTL as text; place of the router as text, such as
                                      ///< "router 5 of 4x4"
    std::optional<divergence> first;  ///< first divergence; nothing: there is none
    /// First error that is no divergence, as a line: flits lost, or left in the router; empty: none.
    std::string problem;
    std::uint64_t router_cycles = 0;  ///< number of cycles compared, that of the divergence included
    /// Numbers of flits and of packets that have left the router; 0 in the outcome of the run() that is given
    /// its traffic.
    std::uint64_t flits = 0, packets = 0;
};

/// Returns the library of sare_router made of the RTL in the folder `sources`; null if `sources` is empty.
/// `speed`: way of compiling. Throws rtl_error if it cannot be built.
std::shared_ptr<rtl_library> old_library(const router_setting& setting, const std::string& sources,
                                         rtl_speed speed);

/// Runs the random router and the random traffic of what.seed. Throws rtl_error if the RTL cannot be built.
/// Calls `on_cycle` every 4096 cycles with the share of what.cycles that has been run, 0 to 1; empty: not
/// called.
random_outcome run(const random_run& what, const std::function<void(double)>& on_cycle = {});
/// Runs the router `setting` at the place `around` under `traffic`, for `cycles`; seed, `cycles`, `most_vcs`
/// and `drains` of `what` are not used. `place`: becomes random_outcome::place. Throws, and calls `on_cycle`,
/// as the other run().
random_outcome run(const random_run& what, const router_setting& setting, const routing_context& around,
                   pin_traffic& traffic, const pair_run::length& cycles, const std::string& place,
                   const std::function<void(double)>& on_cycle = {});

}  // namespace sare::cosim
