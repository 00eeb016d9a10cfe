// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

namespace sare {

/// Shape of the Slim Fly (M. Besta, T. Hoefler, SC 2014) on the graphs of McKay, Miller and Širáň. It has no
/// data: its routing functions only need to know that any router is at most two links away from any other
/// router.
struct slim_fly_shape : network_shape {};

}  // namespace sare
