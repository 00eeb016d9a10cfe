// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

namespace sare::cosim {

/// Parameters of rtl/sare_router.sv that the model knows nothing of, by their names in the section `cosim`.
struct hardware_params {
    std::uint32_t flit_width = 64;  ///< bits of a flit's data, 16 to 512
    bool memory_buffers = false;    ///< buffers are memories, not flip-flops
    bool clock_gating = false;      ///< registers get a clock only to load

    /// Schema of these parameters.
    static config::schema<hardware_params> fields();
};

}  // namespace sare::cosim
