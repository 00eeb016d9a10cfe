// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <filesystem>
#include <stdexcept>
#include <string>

namespace sare::cosim {

/// A file for waves, and the cycles of which they are written; by default no waves are written.
struct wave_window {
    std::string file;             ///< path of the file; empty: no waves are written
    cycle_t first = 1, last = 0;  ///< first and last cycle, both included; cycles count from 1

    /// Returns a window with the same cycles and a file for one of several modules: NAME-MODULE.fst for
    /// NAME.fst.
    wave_window of_module(const std::string& module) const {
        std::filesystem::path one = file;
        one.replace_filename(one.stem().string() + "-" + module + one.extension().string());
        return {one, first, last};
    }
    /// Returns true if waves are to be written in cycle `t`.
    bool has(cycle_t t) const { return !file.empty() && first <= t && t <= last; }
};

/// Opens the file of waves of `model`; does nothing if the file's path is empty. Call before the first cycle.
/// `Model`: has open_waves(), as an rtl_instance or a pin_adapter. Throws std::runtime_error if the library
/// of `model` writes no waves.
template <class Model>
void open(const wave_window& window, Model& model) {
    if (!window.file.empty() && !model.open_waves(window.file))
        throw std::runtime_error("this library writes no waves; build it with WAVES");
}

/// Writes waves of `model` if cycle `t` is in the window. Call twice in each cycle: with the clock low when
/// everything has settled (`edge` false), at time 10t - 5, and after the rising edge (`edge` true), at time
/// 10t. Closes the file after the last cycle of the window. `Model` has functions dump_waves() and
/// close_waves().
template <class Model>
void dump(const wave_window& window, Model& model, cycle_t t, bool edge) {
    if (!window.has(t)) return;
    model.dump_waves(10 * t - (edge ? 0 : 5));
    if (t == window.last && edge) model.close_waves();
}

}  // namespace sare::cosim
