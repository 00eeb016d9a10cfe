// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/table/multiplexer_tree.h"

#include <cstdint>

namespace sare {
namespace {

/// Mean over all steps of the multiplexers at levels for which `changes(changed, level)` is true. `changed`:
/// select bits that change; bit `level` is the level's, lower bits are nearer to the leaves.
template <class F>
double mean_of_steps(double places, F&& changes) {
    const auto n = static_cast<std::uint64_t>(places);
    double sum = 0;
    for (std::uint64_t from = 0; from < n; ++from) {
        const std::uint64_t changed = from ^ (from + 1) % n;
        std::uint64_t left = n;
        for (unsigned level = 0; left > 1; ++level) {
            if (changes(changed, level)) sum += static_cast<double>(left / 2);
            left -= left / 2;
        }
    }
    return n == 0 ? 0 : sum / static_cast<double>(n);
}

}  // namespace

double mux_selects(double places) {
    return mean_of_steps(places,
                         [](std::uint64_t changed, unsigned level) { return (changed >> level & 1) != 0; });
}

double mux_outputs(double places) {
    return mean_of_steps(
        places, [](std::uint64_t changed, unsigned level) { return (changed & ((2ull << level) - 1)) != 0; });
}

}  // namespace sare
