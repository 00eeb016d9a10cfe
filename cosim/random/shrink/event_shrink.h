// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

#include <functional>

namespace sare::cosim {

/// The events of a failing case that are to be shrunk, and how changed ones are tried.
struct event_trial {
    const pin_events& best;  ///< smallest events so far that fail
    /// Runs other events. Makes them `best` and returns true if they fail, too.
    std::function<bool(pin_events)> take;
    std::function<cycle_t()> cycle;  ///< cycle in which `best` fails; 0: at the end
};

/// Removes events after the failure, and all but the last cycles before it, if that will do.
void cut_events(const event_trial& t);
/// Removes packets and credits that are not needed, in at most `most_runs` runs.
void shrink_events(const event_trial& t, std::uint32_t most_runs);
/// Removes all that is not needed: packets, credits, flits, ways, and cycles in which nothing happens.
void polish_events(const event_trial& t);

}  // namespace sare::cosim
