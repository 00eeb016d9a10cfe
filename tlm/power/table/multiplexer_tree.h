// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// What a tree of multiplexers of two inputs does that reads `places` one after the other, round and round,
/// in a step from one to the next; means. A place without a neighbour at a level goes on to the next level.
double mux_selects(double places);  ///< multiplexers whose select changes
double mux_outputs(double places);  ///< multiplexers that another place's content comes out of

}  // namespace sare
