// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_parts.h"

namespace sare::cli {

/// The routers of an experiment that are in RTL; says so on a terminal when they have to be built first.
/// Never deleted: see leave().
cosim::rtl_parts* make_rtl_parts(const experiment& e, cosim::rtl_speed speed = cosim::rtl_speed::fast);

}  // namespace sare::cli
