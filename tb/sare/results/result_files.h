// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/stats/results.h"

#include <filesystem>
#include <string>

namespace sare::cli {

/// Writes summary.json and all tables of a run (docs/results.md) into a directory; config::error where the
/// disk does not take them. `compressed`: as what, "gz", "xz" or "zst", the tables of statistics are written;
/// "": as they are.
void write_result(const std::filesystem::path& where, const experiment& e, const run_result& r,
                  const std::string& compressed = "");

/// What the columns of the tables in a directory say.
constexpr const char* columns_file = "columns.json";

/// Of these the tables that say what the network is and how it is drawn: links.csv, routers.csv.
void write_network(const std::filesystem::path& where, const run_result& r);

}  // namespace sare::cli
