// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// Activity of a tree of two-input multiplexers that selects each of `places` inputs in turn, and after the
/// last one the first again: means over the steps from one input to the next. `places` (0 or more) is rounded
/// down; 0 or 1: the result is 0. An input without a neighbour at a level goes on without a multiplexer.
double mux_selects(double places);  ///< mean number of multiplexers whose select input changes in a step
double mux_outputs(double places);  ///< mean number of multiplexers whose output may change in a step

}  // namespace sare
