// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_place.h"
#include "cosim/random/pin_case.h"

#include <functional>
#include <memory>

namespace sare::cosim {

/// State in which a router of one's own begins a run at its pins.
enum class plugin_start : std::uint8_t {
    two_states,  ///< twice, from two initial states, whose difference is an error
    zeros,       ///< once, with zeros in all registers, memories and pins before its reset
    /// Twice, as two_states, but one of the two has run under random traffic before, and was reset in its
    /// middle.
    mid_traffic,
};

/// One router of one's own under traffic that is written down event by event. It is stored as YAML: the
/// experiment with the section `plugin_case` more, which `sare cosim` runs.
struct plugin_case : pin_events {
    config::value experiment;  ///< the experiment: all sections but `plugin_case`
    std::string folder;        ///< absolute path of the folder of files that the experiment names
    std::uint32_t router = 0;  ///< number of the router
    std::uint64_t seed = 1;    ///< seed of its initial state
    plugin_start start = plugin_start::two_states;
    /// Last cycle in which credits wait for their time; after it they come back at once, and packets that
    /// have not come in still do. For random traffic, the last cycle in which a packet begins. 0: cycle of
    /// the last event.
    cycle_t cycles = 0;
};

/// Returns a case as YAML: the sections of the experiment, then `plugin_case`.
std::string text(const plugin_case& c);
/// Returns the case of a document, which must have the section `plugin_case` (not checked). Throws
/// config::error if the section, an event or the experiment is wrong.
plugin_case read_plugin_case(const config::value& document);
/// Returns a case without events for `file`: if it is a library (.so), in the network of
/// experiment_of_library(); else with the experiment that `read` returns. The folder of `file` becomes that
/// of the case.
plugin_case case_of_file(const std::string& file, const std::function<config::value()>& read);
/// Returns the place of the router of `c`. Throws config::error if the experiment is wrong, or has no such
/// router with a library.
std::unique_ptr<plugin_place> make_place(const plugin_case& c);
/// Runs a case in YAML, for the tests of test_text() (pin_case.h). Returns the first error, as a line; "" if
/// there is none. Throws as read_plugin_case() does.
std::string plugin_difference(const std::string& yaml);

}  // namespace sare::cosim
