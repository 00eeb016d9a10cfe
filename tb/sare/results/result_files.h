// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/stats/results.h"

#include <filesystem>
#include <string>

namespace sare::cli {

/// Writes summary.json and all tables of a run (docs/results.md) into a directory, which must exist; throws
/// config::error if the disk does not take them. `compressed`: compression of the tables of statistics, "gz",
/// "xz" or "zst"; "": none.
void write_result(const std::filesystem::path& where, const experiment& e, const run_result& r,
                  const std::string& compressed = "");

/// Name of the file with the meanings of the columns of a directory's tables.
constexpr const char* columns_file = "columns.json";

/// Writes links.csv, routers.csv, of which draw_network() makes a picture of the network, and columns.json
/// into the directory `where`. Throws config::error if the disk does not take them.
void write_network(const std::filesystem::path& where, const run_result& r);

}  // namespace sare::cli
