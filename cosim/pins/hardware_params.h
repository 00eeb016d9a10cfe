// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

namespace sare::cosim {

/// Parameters of rtl/sare_router.sv that the model of the router does not have; fields have the names of the
/// keys of section `cosim` of an experiment.
struct hardware_params {
    std::uint32_t flit_width = 64;  ///< bits of the data of a flit, 16 to 512
    bool memory_buffers = false;    ///< true: flits wait in one memory for each port; false: in flip-flops
    bool clock_gating = false;  ///< true: registers of buffers and stages get a clock only in cycles in which
                                ///< they load

    /// Returns the schema of these parameters.
    static config::schema<hardware_params> fields();
};

}  // namespace sare::cosim
