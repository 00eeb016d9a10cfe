// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <string>

namespace sare::cosim {

/// The cycles of which waves are written, first and last included; as it stands: none.
struct wave_window {
    std::string file;
    cycle_t first = 1, last = 0;

    bool has(cycle_t t) const { return !file.empty() && first <= t && t <= last; }
};

}  // namespace sare::cosim
