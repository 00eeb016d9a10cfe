// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"

#include <string>

namespace sare::bench {

/// The router under test, with routing by table, and the length of the run: what the command line says.
struct setting : cosim::router_setting {
    setting();

    std::uint64_t cycles = 20000, seed = 1;

    std::uint32_t vcs_a_class() const { return model.vcs / classes; }
    /// Flits of a packet; with cut-through it must find room in one buffer.
    std::uint32_t longest() const { return cut_through() ? model.depth : 2 * model.depth + 1; }
    /// Cycles of a head from pin to pin, the register of the link included, if nothing is in its way.
    std::uint32_t latency(bool va_hidden) const {
        return model.input_delay() + model.effective_rc_delay() + (va_hidden ? 0 : model.va_delay) +
               model.sa_delay + model.st_delay + 1;
    }
    /// What cannot be, in a line; "" if all is well.
    std::string problem() const;
};

}  // namespace sare::bench
