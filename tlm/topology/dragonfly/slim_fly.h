// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

namespace sare {

/// The Slim Fly (M. Besta, T. Hoefler, SC 2014) on the graphs of McKay, Miller and Širáň. Its routing
/// functions only need that its diameter is 2.
struct slim_fly_shape : network_shape {};

}  // namespace sare
