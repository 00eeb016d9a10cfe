// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"
#include "tb/sare/run/input.h"
#include "tb/sare/sweep/sweep_axes.h"

/// Plan of a sweep: its points, the groups of points that share an elaborated network, and its load curves.
namespace sare::cli {

class command_parser;

/// A point of a sweep: an experiment with a value on each axis.
struct sweep_point {
    std::size_t number = 0;           ///< index of the point in sweep_plan::points, which names its folder
    std::vector<std::string> values;  ///< text of the point's value on each axis
    experiment what;                  ///< experiment with the values of the axes
    std::size_t group = 0;  ///< number of the group; points with equal numbers share an elaborated network
    std::size_t curve = 0;  ///< index in sweep_plan::curves
    double load = 0;        ///< value on the axis traffic.load; 0 without such an axis
};

/// The plan of a sweep, made by make_plan().
struct sweep_plan {  // NOLINT(bugprone-exception-escape): json checks itself when moved, and could throw
    /// Path of the experiment's file, as the user wrote it.
    std::string file;
    /// Axes of the sweep. If no axis is `case`, the cases of a file that has some are the first axis.
    std::vector<sweep_axis> axes;
    std::vector<sweep_step> steps;  ///< steps, each of axes that change together
    json cases;                     ///< configuration of each case of the file, by name; null: none
    json config;  ///< configuration of the file (of its first case, if it has cases), before the axes
    /// Points, by number; the values of the last step change from each point to the next.
    std::vector<sweep_point> points;
    std::size_t groups = 0;  ///< number of groups, each with another experiment::structure()
    /// Numbers of the points of each load curve, by ascending load; without an axis of loads each point is a
    /// curve.
    std::vector<std::vector<std::size_t>> curves;

    /// Returns the index of the axis `seed` if results of points that differ only in the seed are to be
    /// averaged: the axis has several values, and changes alone. Returns axes.size() if there is no such
    /// axis.
    std::size_t seed_axis() const;
    /// Returns lists of the paths of axes that change together, one list for each such step; null if all axes
    /// change alone.
    json zipped() const;
};

/// Arguments of make_plan().
struct sweep_source {
    std::string file;               ///< the experiment's file
    std::string folder;             ///< folder that the experiment's file names are relative to
    config::value tree;             ///< the experiment, with all settings over it
    std::vector<std::string> axes;  ///< "path=a,b,c", for parse_axes()
    std::vector<std::string> zips;  ///< "path,path", for steps_of()
    std::vector<std::pair<std::string, config::value>> cases;  ///< used instead of `tree`: cases by name
    config::settings below_axes{};                             ///< settings of parameters below an axis
    std::shared_ptr<const experiment> known = nullptr;         ///< `tree`, if it was read before
};

/// Options --axis and --zip, as all commands with axes have them.
struct axis_options {
    std::vector<std::string> axes, zips;  ///< values of --axis and of --zip

    /// Declares the two options; `axes` and `zips` must live until the command line has been parsed.
    void add_to(command_parser& command) { declare(command, axes, zips); }
    static void declare(command_parser& command, std::vector<std::string>& axes,
                        std::vector<std::string>& zips);
    /// Returns the arguments of make_plan() for the axes over the experiment that a command line names.
    /// Throws usage_error for axes that are malformed, and config::error as input_options::tree() does.
    sweep_source source_over(input_options input) const;
};

/// Makes the plan and reads the experiment of every point, so that a mistake is found before anything runs.
/// Throws config::error for a wrong experiment, and usage_error for wrong axes.
sweep_plan make_plan(const sweep_source& source);

/// Number of points of a load curve that may saturate or deadlock: the curve ends with the second one.
constexpr std::size_t points_past_saturation = 2;
/// Returns how many points of a curve are kept, from the lowest load on. `status`: status of each point of
/// the sweep, by number; "" as long as a point has none.
std::size_t curve_end(const std::vector<std::size_t>& curve, const std::vector<std::string>& status);

}  // namespace sare::cli
