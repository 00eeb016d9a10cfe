// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <functional>
#include <iosfwd>

namespace sare::cli {

/// Writes the HTML page that plays a run (tb/python/sare/report/player), complete in one file, to `to`.
/// `about`: facts about the run that the page shows; `record`: function that writes the record of the run
/// (network_recorder), empty for a page that asks a server. Throws config::error if a file of the player is
/// missing.
void write_player(const json& about, const std::function<void(std::ostream&)>& record, std::ostream& to);

}  // namespace sare::cli
