// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

/// Axes of a sweep, each a parameter with its values, and the axes that change together.
namespace sare::cli {

/// An axis of a sweep: a parameter and its values.
struct sweep_axis {
    std::string path;                   ///< dotted path of the parameter; "case": cases of the file
    std::vector<config::value> values;  ///< values of the parameter; at least one
};

/// Axes that change together, with equal numbers of values: all have their first value, then all their second
/// value, ... An axis that changes alone is a step with one axis.
struct sweep_step {
    std::vector<std::size_t> axes;  ///< indices in the list of axes, ascending
};

/// Parses texts "path=a,b,c", where each item is a value in YAML or a range FIRST:LAST:STEP of decimals,
/// which includes LAST if the steps meet it. Throws usage_error, also if two axes have the same path.
std::vector<sweep_axis> parse_axes(const std::vector<std::string>& texts);

/// Returns the steps, in the order of their first axes: the axes that a text of `zips` names ("path,path") go
/// together. Throws usage_error for unknown paths, a path in two texts, a text with a single path, different
/// numbers of values, and repeated values.
std::vector<sweep_step> steps_of(const std::vector<sweep_axis>& axes, const std::vector<std::string>& zips);

/// Returns the number of points, the product of the steps' numbers of values; 1 without steps. Throws
/// usage_error beyond 100,000.
std::size_t count_points(const std::vector<sweep_axis>& axes, const std::vector<sweep_step>& steps);
/// Returns for point `n`, from 0, the index of its value on each axis; the values of the last step change
/// from each point to the next.
std::vector<std::size_t> places(const std::vector<sweep_axis>& axes, const std::vector<sweep_step>& steps,
                                std::size_t n);

/// Returns the text of an axis, "seed=7,8,9", with `count` seeds from `first` on; `count` is at least 1.
/// Throws usage_error if the last seed would exceed 2^63 - 1.
std::string axis_of_seeds(std::uint64_t first, std::uint64_t count);

}  // namespace sare::cli
