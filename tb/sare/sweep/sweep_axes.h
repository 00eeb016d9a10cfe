// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

/// Axes of a sweep, each a parameter with its values, and the axes that go together.
namespace sare::cli {

struct sweep_axis {
    std::string path;
    std::vector<config::value> values;
};

/// Axes that change together, by number in the list of axes, ascending: their first values, their second
/// ones, ... A single axis is a step of one.
struct sweep_step {
    std::vector<std::size_t> axes;
};

/// Parses "path=a,b,c", each a value in YAML or a range FIRST:LAST:STEP of decimals; one for each path.
std::vector<sweep_axis> parse_axes(const std::vector<std::string>& texts);

/// Returns the steps: axes that a text of `zips` names ("path,path") go together.
std::vector<sweep_step> steps_of(const std::vector<sweep_axis>& axes, const std::vector<std::string>& zips);

std::size_t count_points(const std::vector<sweep_axis>& axes, const std::vector<sweep_step>& steps);
/// Returns the place of point `n` on each axis; the last step runs fastest.
std::vector<std::size_t> places(const std::vector<sweep_axis>& axes, const std::vector<sweep_step>& steps,
                                std::size_t n);

/// Returns the axis "seed=7,8,9" of `count` seeds from `first` on.
std::string axis_of_seeds(std::uint64_t first, std::uint64_t count);

}  // namespace sare::cli
