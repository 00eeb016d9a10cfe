// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

#include <functional>

namespace sare::cosim {

/// The events of a failing case that are to be shrunk, and functions that try changed events.
struct event_trial {
    const pin_events& best;  ///< smallest events so far that fail
    /// Runs the events given. If they fail, too, makes them `best` and returns true; else returns false.
    std::function<bool(pin_events)> take;
    std::function<cycle_t()> cycle;  ///< returns the cycle in which `best` fails; 0: at the end
};

/// Removes the events after the failure; then the events more than n cycles before it, with the smallest n of
/// 50, 100, 200, ... with which the case still fails.
void cut_events(const event_trial& t);
/// Removes packets and credits without which the case still fails, in at most `most_runs` runs.
void shrink_events(const event_trial& t, std::uint32_t most_runs);
/// Removes packets, credits, flits, ways round rings, and cycles without events, as long as the case still
/// fails.
void polish_events(const event_trial& t);

}  // namespace sare::cosim
