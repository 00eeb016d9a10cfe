// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

#include <functional>

namespace sare::cosim {

/// Changes a case to a simpler one, which may no longer fail: of its router or of its place.
using edit = std::function<void(pin_case&)>;

/// To the simplest of each, by what they save: grid to table, dimensions, ports, VCs, depth, then all else to
/// its default.
std::vector<edit> simplifying_edits(const pin_case& c);
/// Half way there, of numbers for which the simplest is too little.
std::vector<edit> halving_edits();

/// Makes events fit the router again: ports, VCs and destinations that are gone become others.
void fit_events(pin_case& c);
/// Every event that far earlier; those that are then before cycle 1 are left out.
void move_events(pin_case& c, std::uint32_t earlier);

}  // namespace sare::cosim
