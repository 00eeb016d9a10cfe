// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare::cli {

class database;

/// Brings a store, or a new file, to the newest form of its tables. Throws store_error if the file is no
/// store of runs, or one of a newer program.
void migrate(database& db);

}  // namespace sare::cli
