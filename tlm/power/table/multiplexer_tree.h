// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// Activity of a tree of two-input multiplexers that reads `places` inputs round and round: means of a step
/// from one input to the next. An input without a neighbour at a level goes on to the next level.
double mux_selects(double places);  ///< multiplexers whose select input changes
double mux_outputs(double places);  ///< multiplexers whose output changes to another input's value

}  // namespace sare
