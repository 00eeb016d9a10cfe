// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

namespace sare::cosim {

/// What a router in RTL can be that the model knows nothing of: parameters of rtl/sare_router.sv, by the
/// names that the section `cosim` has for them.
struct hardware_params {
    std::uint32_t flit_width = 64;
    bool memory_buffers = false;
    bool clock_gating = false;

    static config::schema<hardware_params> fields();
};

}  // namespace sare::cosim
