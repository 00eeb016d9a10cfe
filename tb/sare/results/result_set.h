// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <filesystem>
#include <string>
#include <vector>

/// Results that are read again: a run, a set of seeds, or a sweep.
namespace sare::cli {

/// Runs that differ only in the seed.
struct result_setting {
    std::vector<std::string> values;  ///< values on the axes of the set
    std::vector<json> runs;           ///< summaries, in order of points
};

struct result_set {
    std::filesystem::path where;
    bool is_sweep = false;          ///< true: it has sweep.json, as a set of seeds has, too
    std::vector<std::string> axes;  ///< config paths, not `seed`
    std::vector<result_setting> settings;
    json config;  ///< configuration of the run, or of the sweep before its axes

    bool is_one() const { return settings.size() == 1 && axes.empty(); }
};

/// Reads a directory or a summary.json; throws config::error if it holds no result.
result_set read_results(const std::filesystem::path& where);

/// Returns a summary.json. Throws config::error if it cannot be read.
json read_summary(const std::filesystem::path& file);
/// Returns the numbers of the points of a sweep that have a summary.
std::vector<std::size_t> points_with_summary(const std::filesystem::path& sweep);

/// Leaves of a tree, by their dotted paths.
using figures = std::vector<std::pair<std::string, json>>;
void flatten(const json& tree, const std::string& path, figures& out);

/// Returns a value as shown in a cell.
std::string shown(const json& v);

}  // namespace sare::cli
