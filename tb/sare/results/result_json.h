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

/// Returns a configuration's value as JSON: scalars that are numbers or flags become such, others text; "nan"
/// becomes null.
json to_json(const config::value& v);
/// Returns the resolved configuration of an experiment, which has every parameter.
json to_json(const experiment& e);
/// Writes summary.json of a run to a stream; only its part "run" depends on the wall clock.
void write_summary(const experiment& e, const run_result& r, std::ostream& to);
/// Returns the part "topology" of the summary: name and sizes of the network.
json network_json(const run_result& r);
/// Reads a JSON file. Throws config::error, with the line, if the file cannot be read, is too large or too
/// deep, is not JSON, or has numbers that no double holds.
json read_json(const std::filesystem::path& file);
/// Returns the text of a JSON file with the content `tree`, indented, with a line end.
std::string text_of(const json& tree);

}  // namespace sare::cli
