// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/hardware_params.h"

namespace sare::cosim {

config::schema<hardware_params> hardware_params::fields() {
    using p = hardware_params;
    config::schema<p> s;
    s.number("flit_width", &p::flit_width, 16, 512, "bits", "Data of a flit in RTL.")
        .flag("memory_buffers", &p::memory_buffers,
              "Flits wait in a memory a port, which is read in the cycle of SA, not in flip-flops.")
        .flag("clock_gating", &p::clock_gating, "Registers of buffers and stages get a clock only to load.");
    return s;
}

}  // namespace sare::cosim
