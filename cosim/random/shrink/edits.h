// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

#include <functional>

namespace sare::cosim {

/// A change of a case's router or place to a simpler one; the case may then no longer fail.
using edit = std::function<void(pin_case&)>;

/// Returns edits that set each parameter to its simplest value, the most useful first: grid to table,
/// dimensions, ports, VCs, depth, then all other parameters to their defaults.
std::vector<edit> simplifying_edits(const pin_case& c);
/// Returns edits that set a number half way to its simplest value, for cases that do not fail with that.
std::vector<edit> halving_edits();

/// Makes events fit the router after an edit: ports, VCs and destinations that it no longer has are replaced
/// by others, and with cut-through a packet is cut to the flits of a buffer. Also limits the places that each
/// VC reserves to its share of the buffer.
void fit_events(pin_case& c);

}  // namespace sare::cosim
