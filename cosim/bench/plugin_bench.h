// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_case.h"
#include "cosim/rtl/wave_window.h"

#include <functional>
#include <optional>

namespace sare::cosim {

/// Result of a run of a router of one's own, in a library with a pin adapter (plugin.h), at its pins.
struct plugin_verdict {
    std::string text;  ///< first error, as a line that begins with its cycle; "": none
    /// Cycle of the error, from 1, and of an earlier event that explains it; 0: no error, no event known.
    cycle_t cycle = 0, since = 0;
    /// Last events at the port of the error, at most 12, one a line, the oldest first. Events of all ports if
    /// that port had none, the RTL failed, or no port is known; empty without an error and if no events are
    /// known.
    std::vector<std::string> history;
    /// Number of cycles run, and number of packets that came out.
    std::uint64_t router_cycles = 0, packets = 0;
};

/// Options of a run.
struct plugin_run {
    wave_window waves = {};  ///< file and cycles of waves of the router
    /// File for the counters of lines and toggles; "": none. Of two routers, from two initial states, one
    /// alone writes them. A library without counters (pin_adapter::counts_coverage()) writes no file.
    std::string coverage = {};
    /// Observer whose note() gets the inputs of each cycle with the outputs of the cycle before; null: none.
    pin_observer* sees = nullptr;
    /// True: min_latency, max_latency, depth, cycles_per_flit, credit_delay, credits and patience of the
    /// library's router_facts are not checked, and `room` is taken as one_place.
    bool measures = false;
    bool drains = true;  ///< true: runs on after the last cycle, until the router is empty, for at most 5000
                         ///< cycles in which no flit leaves; flits that are left then are an error
    /// Number of flits of an input VC that the sender of run() counts on; it then sends a head as soon as one
    /// place is free. 0: router.depth and the switching of the network. run_random() ignores it.
    std::uint32_t places = 0;
    /// Makes the adapter that runs instead of the library's router, from one initial state; empty: the
    /// library's router runs.
    std::function<std::unique_ptr<pins::pin_adapter>(const pins::router_facts&, const pins::router_info&)>
        instead = {};
};

/// Runs the events of case `c` at the place `at`, and returns the first error. Throws config::error if the
/// router does not fit its place.
plugin_verdict run(const plugin_place& at, const plugin_case& c, const plugin_run& how = {});
/// Runs random traffic of c.cycles cycles with the seed c.seed instead of the events of `c`; throws as run()
/// does.
plugin_verdict run_random(const plugin_place& at, const plugin_case& c, const plugin_run& how = {});

/// Result of plugin_test().
struct plugin_outcome {
    plugin_verdict found;  ///< first error, and sums of cycles and packets over all runs
    std::string probe;     ///< name of the probe that failed; "": random traffic failed, or nothing
    plugin_case events;    ///< the failing traffic, event by event; has no packets if nothing failed
};

/// Tests the router of `c` (experiment, router, seed) up to the first error: first by the probes, if
/// `probes`, then by random traffic of `cycles` cycles. `coverage`: file for the counters of the random
/// traffic, see plugin_run::coverage. Throws config::error if the router does not fit its place. Calls
/// `on_cycle` every 4096 cycles of random traffic with the share of `cycles` run, 0 to 1; empty: not called.
plugin_outcome plugin_test(plugin_case c, cycle_t cycles, bool probes, const std::string& coverage,
                           const std::function<void(double)>& on_cycle);

/// Result of shrinking a failing case.
struct shrunk_plugin {
    plugin_case smallest;    ///< case with the fewest events that was found to fail
    std::string problem;     ///< first error of `smallest`, as a line
    cycle_t cycles = 0;      ///< cycle of the error in `smallest`
    std::uint32_t runs = 0;  ///< number of runs tried
    bool complete = false;   ///< true: nothing more can be left out; false: the time was over
};

/// Reduces the events of a failing case, in about `seconds` seconds of real time, to the fewest that fail for
/// the same cause. Two errors have the same cause if their lines, up to the first "; ", differ only in
/// numbers. Returns nothing if the case does not fail.
std::optional<shrunk_plugin> shrink(const plugin_case& c, double seconds);

}  // namespace sare::cosim
