// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

/// Along what a sweep goes: axes, each a parameter with its values, and which of them go together.
namespace sare::cli {

struct sweep_axis {
    std::string path;
    std::vector<config::value> values;
};

/// Axes that take their values together, by number in the list of axes, ascending: their first values, their
/// second ones, ... An axis by itself is a step of one.
struct sweep_step {
    std::vector<std::size_t> axes;
};

/// "path=a,b,c", each a value in YAML or a range FIRST:LAST:STEP of decimals; of each path one.
std::vector<sweep_axis> parse_axes(const std::vector<std::string>& texts);

/// The axes that each text of `zips` names ("path,path") go together.
std::vector<sweep_step> steps_of(const std::vector<sweep_axis>& axes, const std::vector<std::string>& zips);

std::size_t count_points(const std::vector<sweep_axis>& axes, const std::vector<sweep_step>& steps);
/// The place of point `n` on each axis; the last step runs fastest.
std::vector<std::size_t> places(const std::vector<sweep_axis>& axes, const std::vector<sweep_step>& steps,
                                std::size_t n);

/// The axis "seed=7,8,9" of so many seeds from `first` on.
std::string axis_of_seeds(std::uint64_t first, std::uint64_t count);

}  // namespace sare::cli
