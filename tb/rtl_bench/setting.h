// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"

#include <string>

namespace sare::bench {

/// The router under test, which routes by table, and the length of the run, as the command line gives them.
struct setting : cosim::router_setting {
    setting();

    std::uint64_t cycles = 20000;  ///< number of cycles in which packets may begin
    std::uint64_t seed = 1;        ///< seed of all random numbers

    /// Returns the number of VCs of each message class, which problem() demands to be a whole number.
    std::uint32_t vcs_a_class() const { return model.vcs / classes; }
    /// Returns the largest number of flits of a packet from a source: with cut-through as many as fit into a
    /// VC's buffer, else 1 more than fit into two.
    std::uint32_t longest() const { return cut_through() ? model.depth : 2 * model.depth + 1; }
    /// Returns the number of cycles of a head from the input pins to the output pins, the register of the
    /// link included, if nothing is in its way. `va_hidden`: VC allocation takes no cycles of its own, as
    /// with speculation that succeeds.
    std::uint32_t latency(bool va_hidden) const {
        return model.input_delay() + model.effective_rc_delay() + (va_hidden ? 0 : model.va_delay) +
               model.sa_delay + model.st_delay + 1;
    }
    /// Returns the first error in the parameters, in one line; empty if the bench can run them.
    std::string problem() const;
};

}  // namespace sare::bench
