// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"
#include "tb/sare/run/input.h"
#include "tb/sare/sweep/sweep_axes.h"

/// What a sweep is made of: points, which share elaborated networks (groups) and load curves.
namespace sare::cli {

class command_parser;

struct sweep_point {
    std::size_t number = 0;
    std::vector<std::string> values;  ///< of each axis, as text
    experiment what;
    std::size_t group = 0, curve = 0;
    double load = 0;  ///< along the load axis
};

struct sweep_plan {  // NOLINT(bugprone-exception-escape): json checks itself when moved, and could throw
    std::string file;
    std::vector<sweep_axis> axes;
    std::vector<sweep_step> steps;    ///< axes that go together; the last one runs fastest
    json cases;                       ///< what each case of the file sets
    json config;                      ///< of the file, before the axes
    std::vector<sweep_point> points;  ///< the last step runs fastest
    std::size_t groups = 0;           ///< by experiment::structure()
    std::vector<std::vector<std::size_t>>
        curves;  ///< points by ascending load; one each where no axis is a load

    /// The place among the axes of `seed`, if points that differ in nothing else are to be one: it has
    /// several values, and goes with no other axis. axes.size(): none.
    std::size_t seed_axis() const;
};

/// What a plan is made of.
struct sweep_source {
    std::string file, folder;  ///< of the experiment; what it names is relative to the folder
    config::value tree;        ///< the experiment, with all that is set over it
    std::vector<std::string> axes, zips;
    std::vector<std::pair<std::string, config::value>> cases;  ///< in place of `tree`, by their names
    config::settings below_axes{};                      ///< what --set says of parameters below an axis
    std::shared_ptr<const experiment> known = nullptr;  ///< `tree`, where it was read before
};

/// --axis and --zip, as every command has them that has any.
struct axis_options {
    std::vector<std::string> axes, zips;

    void add_to(command_parser& command) { declare(command, axes, zips); }
    static void declare(command_parser& command, std::vector<std::string>& axes,
                        std::vector<std::string>& zips);
    sweep_source source_over(input_options input) const;
};

/// Reads every point, so that a mistake is found before anything runs.
sweep_plan make_plan(const sweep_source& source);

/// The points of a curve that are left out: those behind `surplus` saturated ones. `status` of a point is ""
/// while it has none.
constexpr std::size_t points_past_saturation = 2;
std::size_t curve_end(const std::vector<std::size_t>& curve, const std::vector<std::string>& status);

}  // namespace sare::cli
