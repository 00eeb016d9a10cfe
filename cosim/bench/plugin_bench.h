// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_case.h"
#include "cosim/rtl/wave_window.h"

#include <functional>
#include <optional>

namespace sare::cosim {

/// Result of a run of a router of one's own at its pins.
struct plugin_verdict {
    std::string text;              ///< what is wrong, in a line; "": nothing
    cycle_t cycle = 0, since = 0;  ///< cycle of the error, and of its cause; 0: none is known
    std::vector<std::string> history;
    std::uint64_t router_cycles = 0, packets = 0;  ///< cycles run, and packets that came out
};

/// Options of a run.
struct plugin_run {
    wave_window waves = {};
    std::string coverage = {};     ///< file for the counters of lines and toggles; "": none
    pin_observer* sees = nullptr;  ///< gets the inputs of each cycle, with the outputs of the one before
    bool measures = false;         ///< true: limits that facts() declare do not count
    bool drains = true;            ///< true: runs on after the last cycle, until the router is empty
    std::uint32_t places = 0;      ///< places of an input VC that the sender counts; 0: the network's
    /// Makes what runs in the place of the library's router, from one initial state; empty: that router does.
    std::function<std::unique_ptr<pins::pin_adapter>(const pins::router_facts&, const pins::router_info&)>
        instead = {};
};

/// Runs a case. Throws config::error for a router that is not made for its place.
plugin_verdict run(const plugin_place& at, const plugin_case& c, const plugin_run& how = {});
/// Runs random traffic of c.cycles cycles from c.seed instead of the events of a case.
plugin_verdict run_random(const plugin_place& at, const plugin_case& c, const plugin_run& how = {});

/// Result of plugin_test().
struct plugin_outcome {
    plugin_verdict found;
    std::string probe;   ///< name of the probe that failed; "": random traffic did, or nothing
    plugin_case events;  ///< what failed, event by event; has no packets if nothing did
};

/// Runs the router of `c` (experiment, router, seed): first the probes, if `probes`, then random traffic of
/// so many cycles, up to the first error. Calls `on_cycle` at times with the share of cycles done.
plugin_outcome plugin_test(plugin_case c, cycle_t cycles, bool probes, const std::string& coverage,
                           const std::function<void(double)>& on_cycle);

/// Result of shrinking a failing case.
struct shrunk_plugin {
    plugin_case smallest;
    std::string problem;     ///< what is wrong in the smallest case
    cycle_t cycles = 0;      ///< cycle in which it shows
    std::uint32_t runs = 0;  ///< number of runs
    bool complete = false;   ///< true: nothing more can be left out; false: the time was over
};

/// Reduces the events of a failing case, in about `seconds` seconds, to the fewest that fail for the same
/// cause. Returns nothing if the case does not fail.
std::optional<shrunk_plugin> shrink(const plugin_case& c, double seconds);

}  // namespace sare::cosim
