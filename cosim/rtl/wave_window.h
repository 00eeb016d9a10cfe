// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <filesystem>
#include <stdexcept>
#include <string>

namespace sare::cosim {

/// File for waves, and the cycles of which they are written, first and last included; by default none.
struct wave_window {
    std::string file;             ///< path; "": no waves are written
    cycle_t first = 1, last = 0;  ///< cycles, counted from 1

    /// Returns the same window with the file of one of several modules: NAME-module.fst for NAME.fst.
    wave_window of_module(const std::string& module) const {
        std::filesystem::path one = file;
        one.replace_filename(one.stem().string() + "-" + module + one.extension().string());
        return {one, first, last};
    }
    bool has(cycle_t t) const { return !file.empty() && first <= t && t <= last; }
};

/// Opens the file of waves, unless it is "". Call before the first cycle. Throws std::runtime_error if the
/// model's library writes no waves.
template <class Model>
void open(const wave_window& window, Model& model) {
    if (!window.file.empty() && !model.open_waves(window.file))
        throw std::runtime_error("this library writes no waves; build it with WAVES");
}

/// Writes waves if cycle `t` is in the window. Call twice in each cycle: with the clock low when all has
/// settled (`edge` false), and after the rising edge (true), which is at time 10t. Closes the file after the
/// last cycle. `Model` has open_waves(), dump_waves() and close_waves().
template <class Model>
void dump(const wave_window& window, Model& model, cycle_t t, bool edge) {
    if (!window.has(t)) return;
    model.dump_waves(10 * t - (edge ? 0 : 5));
    if (t == window.last && edge) model.close_waves();
}

}  // namespace sare::cosim
