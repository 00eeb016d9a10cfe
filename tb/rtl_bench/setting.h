// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"

#include <string>

namespace sare::bench {

/// The router under test, with routing by table, and the length of the run, as the command line says.
struct setting : cosim::router_setting {
    setting();

    std::uint64_t cycles = 20000;  ///< cycles of traffic
    std::uint64_t seed = 1;        ///< seed of all random numbers

    /// Number of VCs of a message class.
    std::uint32_t vcs_a_class() const { return model.vcs / classes; }
    /// Most flits of a packet: with cut-through it must fit into one buffer, else it is longer than two.
    std::uint32_t longest() const { return cut_through() ? model.depth : 2 * model.depth + 1; }
    /// Cycles of a head from input pin to output pin, with the register of the link, if nothing is in its
    /// way. `va_hidden`: true if VC allocation takes no time of its own, as with successful speculation.
    std::uint32_t latency(bool va_hidden) const {
        return model.input_delay() + model.effective_rc_delay() + (va_hidden ? 0 : model.va_delay) +
               model.sa_delay + model.st_delay + 1;
    }
    /// Returns in one line what is impossible; "" if all is well.
    std::string problem() const;
};

}  // namespace sare::bench
