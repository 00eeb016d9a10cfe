// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/run_store.h"

namespace sare::cli {

/// Returns the fields of a record but its values and configuration, by their names in conditions.
std::vector<std::pair<std::string, json>> columns_of(const run_record& r);

/// Writes the records `ids` to stdout in a `format`: "csv", with a column for each path that any of them has,
/// or "json", a list of objects. Ends early, possibly within the list, if a stop is requested.
void write_records(run_store& store, const std::vector<std::int64_t>& ids, const std::string& format);

}  // namespace sare::cli
