// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace sare::cli {

/// Adds up the coverage of all runs of a regression, whose results are in folders of `result`, and writes it
/// into the folder `coverage` there, as cosim_coverage does. Returns the percentage that is covered of "bins"
/// (of functional coverage), "lines" and "toggles" (of the RTL); without those that no run has counted.
std::map<std::string, double> merge_coverage(const std::filesystem::path& result);

}  // namespace sare::cli
