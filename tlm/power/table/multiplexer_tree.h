// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// Activity of a tree of two-input multiplexers that selects each of `places` inputs in turn, over and over:
/// means over the steps from one input to the next. An input without a neighbour at a level goes on to the
/// next level.
double mux_selects(double places);  ///< mean number of multiplexers whose select input changes in a step
double mux_outputs(double places);  ///< mean number of multiplexers whose output may change in a step

}  // namespace sare
