// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <filesystem>
#include <string>
#include <vector>

/// Results as one reads them again: a run, a set of seeds, or a sweep.
namespace sare::cli {

/// Runs that differ in nothing but the seed.
struct result_setting {
    std::vector<std::string> values;  ///< of the axes of the set
    std::vector<json> runs;           ///< summaries, in order of points
};

struct result_set {
    std::filesystem::path where;
    bool is_sweep = false;          ///< by the file sweep.json; a set of seeds, too
    std::vector<std::string> axes;  ///< but the seed's
    std::vector<result_setting> settings;
    json config;  ///< of the run, or that which the sweep began with

    bool is_one() const { return settings.size() == 1 && axes.empty(); }
};

/// Of a directory or a summary.json; config::error where it holds no result.
result_set read_results(const std::filesystem::path& where);

/// A summary.json.
json read_summary(const std::filesystem::path& file);
/// The numbers of the points of a sweep that have a summary.
std::vector<std::size_t> points_with_summary(const std::filesystem::path& sweep);

/// The leaves of a tree by their dotted paths.
using figures = std::vector<std::pair<std::string, json>>;
void flatten(const json& tree, const std::string& path, figures& out);

/// A value as a cell shows it.
std::string shown(const json& v);

}  // namespace sare::cli
