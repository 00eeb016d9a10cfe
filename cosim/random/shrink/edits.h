// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

#include <functional>

namespace sare::cosim {

/// A change that makes the router or place of a case simpler; the case may then no longer fail.
using edit = std::function<void(pin_case&)>;

/// Returns edits that each set a parameter of `c` to its simplest value, the most useful edits first: grid to
/// table, number of dimensions, of ports and of VCs, depth, then every other parameter to its default.
std::vector<edit> simplifying_edits(const pin_case& c);
/// Returns edits that each set a number of any case half way to its simplest value, for cases that no longer
/// fail with that value.
std::vector<edit> halving_edits();

/// Makes the events of a case fit its router after an edit: ports, VCs and destinations that the router no
/// longer has are replaced by ones that it has. With cut-through, packets are cut to the size of a buffer.
/// Also reduces the places that each VC has for itself to its share of the buffer.
void fit_events(pin_case& c);

}  // namespace sare::cosim
