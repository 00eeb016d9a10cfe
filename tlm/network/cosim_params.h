// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <string>

namespace sare {

/// The section `cosim` of an experiment: which routers are in RTL, and how.
struct cosim_params {
    config::number_set replace;
    config::number_set shadow;
    config::number_set nics;
    std::string rtl = "sare_router";
    std::uint32_t flit_width = 64;
    bool memory_buffers = false;
    bool clock_gating = false;

    bool empty() const { return replace.empty() && shadow.empty() && nics.empty(); }
    static config::schema<cosim_params> fields();
};

}  // namespace sare
