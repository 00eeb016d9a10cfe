// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <filesystem>
#include <string>
#include <vector>

/// Results that are read again from their files: a run, a set of seeds, or a sweep.
namespace sare::cli {

/// Runs that differ only in the seed.
struct result_setting {
    std::vector<std::string> values;  ///< values on the axes of the set, in the order of result_set::axes
    std::vector<json> runs;           ///< summaries, by ascending number of the point
};

/// A run, a set of seeds, or a sweep, with its finished runs.
struct result_set {
    std::filesystem::path where;  ///< path of the directory or summary.json, as the user wrote it
    /// True: the directory has sweep.json, as that of a sweep or of a set of seeds.
    bool is_sweep = false;
    std::vector<std::string> axes;         ///< config paths of the axes, without `seed`
    std::vector<result_setting> settings;  ///< combinations of values that have a finished run; at least one
    json config;                           ///< configuration of the run, or of the sweep before its axes

    /// Returns true if all runs differ in nothing but the seed.
    bool is_one() const { return settings.size() == 1 && axes.empty(); }
};

/// Reads the result in a directory, or a summary.json. Throws config::error if there is no result, or a sweep
/// has no finished run.
result_set read_results(const std::filesystem::path& where);

/// Reads a summary.json. Throws config::error if it cannot be read or is no summary.
json read_summary(const std::filesystem::path& file);
/// Returns the numbers of the points of a sweep that have a summary.json, ascending; empty if there is no
/// folder of points. `sweep`: its directory.
std::vector<std::size_t> points_with_summary(const std::filesystem::path& sweep);

/// List of the leaves of a tree with their dotted paths; an item of a list has its index, from 0, as its
/// name.
using figures = std::vector<std::pair<std::string, json>>;
/// Adds the leaves of a tree to `out`; an empty list or map counts as a leaf. `path`: path of the tree
/// itself; "": it is the root.
void flatten(const json& tree, const std::string& path, figures& out);

/// Returns a value as shown in a cell: text without quotation marks, all else as JSON, in one line.
std::string shown(const json& v);

}  // namespace sare::cli
