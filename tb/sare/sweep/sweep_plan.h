// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"
#include "tb/sare/run/input.h"

/// What a sweep is made of: points, which share elaborated networks (groups) and load curves.
namespace sare::cli {

struct sweep_axis {
    std::string path;
    std::vector<config::value> values;
};

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
    json config;                      ///< of the file, before the axes
    std::vector<sweep_point> points;  ///< the last axis runs fastest
    std::size_t groups = 0;           ///< by experiment::structure()
    std::vector<std::vector<std::size_t>>
        curves;  ///< points by ascending load; one each where no axis is a load
};

/// What a plan is made of.
struct sweep_source {
    std::string file, folder;  ///< of the experiment; what it names is relative to the folder
    config::value tree;        ///< the experiment, with all that is set over it
    std::vector<std::string> axes;
};

/// "path=a,b,c".
sweep_axis parse_axis(const std::string& text);
/// Reads every point, so that a mistake is found before anything runs.
sweep_plan make_plan(const sweep_source& source);

/// The points of a curve that are left out: those behind `surplus` saturated ones. `status` of a point is ""
/// while it has none.
constexpr std::size_t points_past_saturation = 2;
std::size_t curve_end(const std::vector<std::size_t>& curve, const std::vector<std::string>& status);

}  // namespace sare::cli
