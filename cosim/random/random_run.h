// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/router_cover.h"
#include "cosim/random/pair_run.h"
#include "cosim/random/random_case.h"

#include <functional>

namespace sare::cosim {

/// Run of a random router in lock step under random traffic, from reset until it is empty again.
struct random_run {
    std::uint64_t seed = 1;            ///< seed of router and traffic
    std::uint64_t cycles = 50000;      ///< cycles of traffic; then the router drains
    std::uint32_t most_vcs = by_cost;  ///< see draw_case()
    config::value held;                ///< parameters that each drawn router has, see draw_case(); null: none
    rtl_speed speed = rtl_speed::checked;
    std::string coverage;     ///< file for the counters of covered lines and toggles of the RTL; "": none
    wave_window waves;        ///< cycles of which waves are written
    std::string sources;      ///< folder of the RTL; "": see rtl_request
    std::string old_sources;  ///< folder of RTL to compare with; "": the model
    std::function<void(const std::string&)> on_build;  ///< called with a description before RTL is built
    bool drains = false;                               ///< see router_bench::fill_and_drain()
    router_points* points = nullptr;  ///< points whose functional coverage is counted; null: not counted
};

struct random_outcome {
    std::string parameters, place;    ///< parameters of the RTL, and router_place::text()
    std::optional<divergence> first;  ///< first divergence; none: there is none
    std::string problem;              ///< anything else: flits lost, left over, not drained; "": none
    std::uint64_t router_cycles = 0;  ///< cycles compared
    /// Flits and packets that have left the router; 0 if the caller gave the traffic.
    std::uint64_t flits = 0, packets = 0;
};

/// Returns the library of sare_router made of the RTL in the folder `sources`; null for "". Throws rtl_error.
std::shared_ptr<rtl_library> old_library(const router_setting& setting, const std::string& sources,
                                         rtl_speed speed);

/// Runs the router and the traffic that the seed draws. Throws rtl_error if the RTL cannot be built. Calls
/// `on_cycle` at times with the share of cycles done, in [0, 1].
random_outcome run(const random_run& what, const std::function<void(double)>& on_cycle = {});
/// Runs a given router under given traffic. The seed, cycles, most_vcs and drains of `what` are not used;
/// `place`: random_outcome::place.
random_outcome run(const random_run& what, const router_setting& setting, const routing_context& around,
                   pin_traffic& traffic, const pair_run::length& cycles, const std::string& place,
                   const std::function<void(double)>& on_cycle = {});

}  // namespace sare::cosim
