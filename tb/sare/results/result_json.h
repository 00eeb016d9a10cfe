// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/stats/results.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iosfwd>

/// Results as JSON: keys in a fixed order, NaN as null.
namespace sare::cli {

using json = nlohmann::ordered_json;

/// Returns numbers and flags as such, everything else as text.
json to_json(const config::value& v);
/// Returns the resolved configuration.
json to_json(const experiment& e);
/// Writes summary.json; only "run" depends on the wall clock.
void write_summary(const experiment& e, const run_result& r, std::ostream& to);
/// Returns "topology" of the summary: name and sizes.
json network_json(const run_result& r);
/// Reads a JSON file; throws config::error, with its line, if it is none or has numbers that no double holds.
json read_json(const std::filesystem::path& file);
/// Returns the text of a JSON file.
std::string text_of(const json& tree);

}  // namespace sare::cli
