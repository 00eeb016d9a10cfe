// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_place.h"
#include "cosim/random/pin_case.h"

#include <functional>
#include <memory>

namespace sare::cosim {

/// How a router of one's own begins a run at its pins.
enum class plugin_start : std::uint8_t {
    two_states,   ///< twice, from two initial states, whose difference is an error
    zeros,        ///< once, with zeros in all registers, memories and pins before its reset
    mid_traffic,  ///< as two_states, but one of them has run under random traffic, and is reset in its middle
};

/// One router of one's own under traffic that is written down event by event. It is stored as YAML: the
/// experiment with the section `plugin_case` more, which `sare cosim` runs.
struct plugin_case : pin_events {
    config::value experiment;  ///< all other sections; `cosim.rtl` is an absolute path
    std::string folder;        ///< absolute path of the folder of files that the experiment names
    std::uint32_t router = 0;  ///< number of the router
    std::uint64_t seed = 1;    ///< seed of its initial state
    plugin_start start = plugin_start::two_states;
    cycle_t cycles = 0;  ///< cycles until all credits come back, and no packet begins; 0: the last event's
};

std::string text(const plugin_case& c);
/// Returns the case of a document that has the section `plugin_case`. Throws config::error.
plugin_case read_plugin_case(const config::value& document);
/// Returns a case without events for a file: a library (.so) in the network of experiment_of_library(), or
/// the experiment that `read` returns, of a file in the same folder.
plugin_case case_of_file(const std::string& file, const std::function<config::value()>& read);
/// Returns the place of a case's router. Throws config::error.
std::unique_ptr<plugin_place> make_place(const plugin_case& c);
/// Runs a case in YAML, for the tests of test_text(). Returns what is wrong; "" if nothing is.
std::string plugin_difference(const std::string& yaml);

}  // namespace sare::cosim
