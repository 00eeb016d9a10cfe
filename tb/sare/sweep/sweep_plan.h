// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"
#include "tb/sare/run/input.h"
#include "tb/sare/sweep/sweep_axes.h"

/// The points of a sweep, which share elaborated networks (groups) and load curves.
namespace sare::cli {

class command_parser;

struct sweep_point {
    std::size_t number = 0;
    std::vector<std::string> values;  ///< text on each axis
    experiment what;
    std::size_t group = 0, curve = 0;
    double load = 0;  ///< value on the load axis
};

struct sweep_plan {  // NOLINT(bugprone-exception-escape): json checks itself when moved, and could throw
    std::string file;
    std::vector<sweep_axis> axes;
    std::vector<sweep_step> steps;    ///< axes that go together; the last step runs fastest
    json cases;                       ///< settings of each case of the file
    json config;                      ///< configuration of the file, before the axes
    std::vector<sweep_point> points;  ///< in order; the last step runs fastest
    std::size_t groups = 0;           ///< number of different experiment::structure()
    /// Numbers of the points of each load curve, by ascending load; one point each where no axis is a load.
    std::vector<std::vector<std::size_t>> curves;

    /// Number of the axis `seed`, if points that differ only in the seed are to be one: it has several
    /// values, and goes with no other axis. axes.size(): none.
    std::size_t seed_axis() const;
};

/// Arguments of make_plan().
struct sweep_source {
    std::string file, folder;  ///< the experiment's file, and the folder that its file names are relative to
    config::value tree;        ///< the experiment, with all settings over it
    std::vector<std::string> axes, zips;
    std::vector<std::pair<std::string, config::value>> cases;  ///< used instead of `tree`: cases by name
    config::settings below_axes{};                             ///< settings of parameters below an axis
    std::shared_ptr<const experiment> known = nullptr;         ///< `tree`, if it was read before
};

/// --axis and --zip, as all commands with axes have them.
struct axis_options {
    std::vector<std::string> axes, zips;

    void add_to(command_parser& command) { declare(command, axes, zips); }
    static void declare(command_parser& command, std::vector<std::string>& axes,
                        std::vector<std::string>& zips);
    sweep_source source_over(input_options input) const;
};

/// Reads every point, so that a mistake is found before anything runs.
sweep_plan make_plan(const sweep_source& source);

/// Saturated points of a curve that are run; curve_end() returns how many points of it are kept. `status` of
/// a point is "" as long as it has none.
constexpr std::size_t points_past_saturation = 2;
std::size_t curve_end(const std::vector<std::size_t>& curve, const std::vector<std::string>& status);

}  // namespace sare::cli
