// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace sare::cli {

/// Adds up the coverage of all runs of a regression that have functional coverage (functional.tsv), whose
/// results are in folders of `result`, and writes it into the folder result/coverage, in the files of
/// cosim_coverage::write(). Returns the percentage that is covered, 0 to 100, by what is counted: "bins" (of
/// functional coverage), "lines" and "toggles" (of the RTL); kinds that no run has counted are missing. If no
/// run has functional coverage, writes nothing and returns an empty map.
std::map<std::string, double> merge_coverage(const std::filesystem::path& result);

}  // namespace sare::cli
